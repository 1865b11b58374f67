// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! An RP2350 as its file says: what starts its TIMER, and which line it raises.

use super::*;

const CHIP: &str = "peripheral 0x40020000 8 0x1fffffff
peripheral 0x40108018 8
selected 0x40010038 0x40020004
alarms 0x400b0000 8 150 0x40020000 23 0x40108018
";
const RESET_CLEAR: u32 = 0x4002_3000;
const RESET_SET: u32 = 0x4002_2000;
const TICK: u32 = 0x4010_8018;
const TIMER: u32 = 0x400b_0000;
const LOW: u32 = TIMER + 0x28;
const ALARM_0: u32 = TIMER + 0x10;
const INTE: u32 = TIMER + 0x40;
const INTE_SET: u32 = INTE + 0x2000;

fn started() -> Chip {
    let mut chip = Chip::read(CHIP).unwrap();
    assert!(chip.write_register(TICK, 1, 0));
    assert!(chip.write_register(RESET_CLEAR, 1 << 23, 10));
    chip
}

#[test]
fn a_timer_in_reset_takes_nothing() {
    let mut chip = Chip::read(CHIP).unwrap();
    assert_eq!(chip.word(0x4002_0000), 0x1fff_ffff);
    assert_eq!(chip.write_alarms(INTE, 1, 5), Some(()));
    assert_eq!(chip.read_alarms(LOW, 1500), Some(0));
    let mut chip = started();
    assert_eq!(chip.read_alarms(INTE, 20), Some(0));
    assert_eq!(chip.read_alarms(LOW, 10 + 3 * 150), Some(3));
    assert!(chip.write_register(RESET_SET, 1 << 23, 500));
    assert_eq!(chip.read_alarms(LOW, 900), Some(0));
}

#[test]
fn without_a_tick_it_stands_and_takes_what_is_written() {
    let mut chip = started();
    assert!(chip.write_register(TICK, 0, 10 + 2 * 150));
    assert_eq!(chip.read_alarms(LOW, 9000), Some(2));
    assert_eq!(chip.write_alarms(INTE, 1, 9000), Some(()));
    assert_eq!(chip.read_alarms(INTE, 9001), Some(1));
    assert_eq!(chip.wake, u64::MAX);
}

#[test]
fn an_alarm_raises_its_line_and_says_when() {
    let mut chip = started();
    assert_eq!(chip.write_alarms(INTE_SET, 1, 20), Some(()));
    assert_eq!(chip.write_alarms(ALARM_0, 4, 20), Some(()));
    assert_eq!(chip.wake, 10 + 4 * 150);
    chip.synchronise(10 + 4 * 150 + 7);
    assert_eq!(chip.up, 1 << 8);
    let told: Vec<_> = chip
        .requests
        .iter()
        .map(|one| (one.base, one.flag, one.at))
        .collect();
    assert_eq!(told, [(TIMER, 0, 10 + 4 * 150)]);
    assert_eq!(chip.count_at(TIMER, 10 + 4 * 150, 9000), 4);
}

#[test]
fn what_is_not_there_is_none_and_a_debugger_changes_nothing() {
    let mut chip = started();
    assert_eq!(chip.read_alarms(TIMER + 0x34, 20), None); // LOCKED
    assert_eq!(chip.read_alarms(TIMER + 0x4000, 20), None);
    let late = 10 + (5 << 32) * 150;
    assert_eq!(chip.peek_alarms(TIMER + 0x0c, late), Some(0)); // TIMELR
    assert_eq!(chip.peek_alarms(TIMER + 0x08, late), Some(0)); // TIMEHR, as it was latched last
    assert_eq!(chip.read_alarms(TIMER + 0x0c, late), Some(0));
    assert_eq!(chip.peek_alarms(TIMER + 0x08, late), Some(5));
}

#[test]
fn lines_that_the_processor_has_not_are_refused() {
    assert!(Chip::read("alarms 0x400b0000 49 150 0x40020000 23 0x40108018").is_err());
    assert!(Chip::read("alarms 0x400b0000 48 0 0x40020000 23 0x40108018").is_err());
    assert!(Chip::read("alarms 0x400b0000 48 150 0x40020000 32 0x40108018").is_err());
}
