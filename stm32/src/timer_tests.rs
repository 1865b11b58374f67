// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! The timer against the sentences of the manual, and against a model that counts clock by clock.

use super::*;

const ALL: u32 = 0x1f;

fn started(bits: u32, psc: u32, arr: u32, cr1: u32) -> Timer {
    let mut timer = Timer::new(bits, 4);
    for (register, value) in [(CR1, URS), (PSC, psc), (ARR, arr), (EGR, UG), (DIER, ALL)] {
        timer.write(register, value, 0);
    }
    timer.write(CR1, URS | CEN | cr1, 0);
    timer
}

fn at(timer: &mut Timer, now: u64, register: u32) -> u32 {
    timer.synchronise(now);
    timer.read(register, now)
}

#[test]
fn a_period_is_arr_and_one() {
    let mut timer = started(32, 0, 999_999, 0);
    for lap in 1..5 {
        assert_eq!(at(&mut timer, 1_000_000 * lap, SR) & UIF, 0);
        assert_eq!(at(&mut timer, 1_000_000 * lap + 1, SR) & UIF, UIF);
        timer.write(SR, !UIF, 1_000_000 * lap + 1);
    }
}

/// At the clock of the step, whenever it is looked; and when an interrupt is let through whose flag is set.
#[test]
fn requests_have_the_clock_at_which_they_came() {
    let mut timer = started(16, 0, 99, 0);
    timer.write(CCR1, 40, 0);
    timer.synchronise(150);
    assert_eq!(
        timer.take_requests(),
        [(1 << 1, 41), (ALL & !(1 << 1), 101)]
    );
    timer.write(DIER, 0, 150);
    timer.write(SR, 0, 150);
    timer.synchronise(250);
    assert_eq!(timer.take_requests(), []);
    timer.write(DIER, UIF, 250);
    timer.write(DIER, UIF, 260);
    assert_eq!(timer.take_requests(), [(UIF, 250)]);
}

#[test]
fn one_pulse_ends_with_the_update() {
    let mut timer = started(16, 0, 9, OPM);
    assert_eq!(at(&mut timer, 10, CR1) & CEN, CEN);
    assert_eq!((at(&mut timer, 11, CR1) & CEN, timer.read(CNT, 11)), (0, 0));
    assert_eq!(at(&mut timer, 100_000, SR) & UIF, UIF);
    assert_eq!(timer.wake(), NEVER);
}

#[test]
fn a_prescaler_is_taken_with_the_update() {
    let mut timer = started(16, 0, 9, 0);
    timer.write(PSC, 3, 5);
    assert_eq!(at(&mut timer, 11, CNT), 0);
    assert_eq!((at(&mut timer, 14, CNT), at(&mut timer, 15, CNT)), (0, 1));
}

#[test]
fn a_top_is_taken_with_the_update_if_it_is_shadowed() {
    let (mut shadowed, mut plain) = (started(16, 0, 9, ARPE), started(16, 0, 9, 0));
    for timer in [&mut shadowed, &mut plain] {
        timer.synchronise(3);
        timer.write(ARR, 19, 3);
    }
    assert_eq!(
        (at(&mut shadowed, 11, SR), at(&mut plain, 11, SR)),
        (UIF | 0x1e, 0)
    );
    assert_eq!(at(&mut shadowed, 12, CNT), 1);
    assert_eq!(at(&mut plain, 12, CNT), 11);
}

#[test]
fn a_number_behind_the_count_waits_for_a_turn() {
    let mut timer = started(16, 0, 0xffff, 0);
    timer.synchronise(1000);
    timer.write(SR, 0, 1000);
    timer.write(CCR1, 500, 1000);
    assert_eq!(at(&mut timer, 65_536 + 500, SR) & 2, 0);
    assert_eq!(at(&mut timer, 65_536 + 501, SR) & 2, 2);
}

#[test]
fn software_raises_flags() {
    let mut timer = started(16, 0, 0xffff, 0);
    timer.write(EGR, 1 << 3, 7);
    assert_eq!(timer.interrupts(), 1 << 3);
    timer.write(EGR, UG, 9);
    assert_eq!((timer.read(SR, 9), timer.read(CNT, 9)), (1 << 3, 0));
    timer.write(CR1, CEN, 10);
    timer.write(EGR, UG, 10);
    assert_eq!(timer.read(SR, 10), 1 << 3 | UIF);
}

#[test]
fn a_top_of_0_stops_the_count() {
    let mut timer = started(16, 0, 0, 0);
    assert_eq!((at(&mut timer, 1000, CNT), timer.wake()), (0, NEVER));
}

#[test]
fn updates_of_another_timer_are_counted_some_clocks_later() {
    let mut low = started(16, 0, 0xffff, 0);
    low.write(CR2, MMS_UPDATE << 4, 0);
    let mut high = Timer::new(16, 4);
    high.write(SMCR, SMS_EXTERNAL, 0);
    high.write(CR1, CEN, 0);
    low.synchronise(65_537);
    let when = low.take_trigger().expect("an update");
    assert_eq!((when, low.take_trigger()), (65_537, None));
    high.trigger(when);
    assert_eq!(at(&mut high, when + TRIGGER_CLOCKS - 1, CNT), 0);
    assert_eq!(at(&mut high, when + TRIGGER_CLOCKS, CNT), 1);
}

/// The same by counting each clock.
struct Plain {
    timer: Timer,
    prescaler: u32,
    delay: bool,
}

impl Plain {
    fn clock(&mut self, now: u64) {
        let one = &mut self.timer;
        if one.cr1 & CEN == 0 || one.arr_used == 0 {
            return;
        }
        if std::mem::take(&mut self.delay) {
            return;
        }
        self.prescaler += 1;
        if self.prescaler <= one.psc_used {
            return;
        }
        self.prescaler = 0;
        let at_top = one.cnt == one.arr_used;
        let wraps = at_top || one.cnt == Timer::ones(one.bits);
        let above = wraps && at_top;
        one.cnt = if wraps { 0 } else { one.cnt + 1 };
        for n in 0..4 {
            let hit = one.ccr[n] == one.cnt || above && one.ccr[n] > one.arr_used;
            one.sr |= u32::from(hit) << (n + 1);
        }
        if at_top && one.cr1 & UDIS == 0 {
            one.update(now, true);
        }
        if at_top && one.cr1 & OPM != 0 {
            one.cr1 &= !CEN;
        }
    }

    fn write(&mut self, register: u32, value: u32) {
        let one = &mut self.timer;
        match register {
            CR1 => {
                self.delay = value & CEN != 0 && (self.delay || one.cr1 & CEN == 0);
                one.cr1 = value & (CEN | UDIS | URS | OPM | ARPE);
            }
            EGR => {
                one.sr |= value & 0x1e;
                if value & UG != 0 {
                    (one.cnt, self.prescaler) = (0, 0);
                    if one.cr1 & UDIS == 0 {
                        one.update(0, one.cr1 & URS == 0);
                    }
                }
            }
            SR => one.sr &= value,
            CNT => one.cnt = value & Timer::ones(one.bits),
            PSC => one.psc = value,
            ARR => {
                one.arr = value & Timer::ones(one.bits);
                one.arr_used = if one.cr1 & ARPE == 0 {
                    one.arr
                } else {
                    one.arr_used
                };
            }
            _ => one.ccr[((register - CCR1) / 4) as usize] = value & Timer::ones(one.bits),
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Registers that are written while the timer counts; UG and stores to CR1 while it stands, as drivers do.
#[test]
fn it_is_what_counting_each_clock_comes_to() {
    for seed in 0..400 {
        let mut random = Random(seed);
        let mut lazy = Timer::new(16, 4);
        let mut plain = Plain {
            timer: Timer::new(16, 4),
            prescaler: 0,
            delay: false,
        };
        let mut now = 0;
        for _ in 0..200 {
            let register =
                [CR1, EGR, SR, CNT, PSC, ARR, CCR1, CCR1 + 4, CCR1 + 12][random.below(9) as usize];
            let value = match register {
                CR1 => random.below(16) as u32 & !CEN | CEN | random.below(2) as u32 * ARPE,
                SR => random.below(32) as u32,
                EGR => (random.below(32) & if lazy.cr1 & CEN == 0 { 31 } else { 30 }) as u32,
                PSC => random.below(4) as u32,
                _ => random.below(40) as u32 + u32::from(register == ARR),
            };
            lazy.synchronise(now);
            lazy.write(register, value, now);
            plain.write(register, value);
            for _ in 0..random.below(90) {
                now += 1;
                plain.clock(now);
            }
            lazy.synchronise(now);
            let seen = |timer: &Timer| [CR1, SR, CNT, ARR].map(|one| timer.read(one, now));
            plain.timer.since = now;
            assert_eq!(seen(&lazy), seen(&plain.timer), "seed {seed} at {now}");
        }
    }
}
