// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! TIMER of the RP2040 (Datasheet, 4.6), and TIMER0 and TIMER1 of the RP2350 (Datasheet, 12.8), in cycles of the
//! processors. The simulator of the RP2350 (stm32/) has this file, too.

/// Counts begin anew when it is reset or set.
#[derive(Default)]
pub struct Timer {
    cycles_a_count: u64, // of the processors, from the first one on
    intr: u32,           // the offset of INTR; INTE, INTF and INTS follow
    zero: u64,           // the cycle, wrapping, in which it was 0
    stands: Option<u64>, // since that cycle, as it has no tick
    low: u32,            // written, for TIMEHW to set both halves
    latched: u32,
    alarms: [u32; 4],
    due: [Option<u64>; 4], // the whole count at which an armed alarm fires
    fired: u32,
    allowed: u32,
    forced: u32,
}

impl Timer {
    pub fn new(cycles_a_count: u64, intr: u32) -> Self {
        Self {
            cycles_a_count,
            intr,
            ..Self::default()
        }
    }

    pub fn count(&self, now: u64) -> u64 {
        let until = self.stands.unwrap_or(now);
        until.wrapping_sub(self.zero) / self.cycles_a_count
    }

    /// From the cycle `now` on it has a tick, as it has from the beginning, or none.
    #[allow(dead_code)] // of the RP2350's simulator, as the next two
    pub fn tick(&mut self, ticks: bool, now: u64) {
        if let Some(since) = self.stands.filter(|_| ticks) {
            self.zero = self.zero.wrapping_add(now - since);
            self.stands = None;
        } else if !ticks && self.stands.is_none() {
            self.stands = Some(now);
        }
    }

    /// What TIMEHR says.
    #[allow(dead_code)]
    pub fn latched(&self) -> u32 {
        self.latched
    }

    #[allow(dead_code)]
    pub fn latch(&mut self, value: u32) {
        self.latched = value;
    }

    pub fn reset(&mut self, now: u64) {
        *self = Self {
            zero: now,
            stands: self.stands.map(|_| now),
            ..Self::new(self.cycles_a_count, self.intr)
        };
    }

    /// Which alarms are armed.
    fn armed(&self) -> u32 {
        (0..4)
            .filter(|&one| self.due[one].is_some())
            .fold(0, |bits, one| bits | 1 << one)
    }

    fn arm(&mut self, alarm: usize, value: u32, now: u64) {
        let count = self.count(now);
        let left = value.wrapping_sub(count as u32);
        self.alarms[alarm] = value;
        self.due[alarm] = Some(count + if left == 0 { 1 << 32 } else { u64::from(left) });
    }

    /// Alarms that are due by `now` fire: which have, and the cycles in which they did.
    pub fn fire(&mut self, now: u64) -> Vec<(u32, u64)> {
        let count = self.count(now);
        let mut found = Vec::new();
        for alarm in 0..4 {
            if let Some(due) = self.due[alarm].filter(|&due| due <= count) {
                self.due[alarm] = None;
                self.fired |= 1 << alarm;
                found.push((alarm as u32, self.cycle(due)));
            }
        }
        found
    }

    /// The interrupt lines that are up at `now`, a bit for each alarm.
    pub fn lines(&mut self, now: u64) -> u32 {
        self.fire(now);
        self.raised()
    }

    /// The same of what has fired.
    pub fn raised(&self) -> u32 {
        self.fired & self.allowed | self.forced
    }

    fn cycle(&self, count: u64) -> u64 {
        self.zero
            .wrapping_add(count.wrapping_mul(self.cycles_a_count))
    }

    /// The cycle in which the next alarm fires.
    pub fn next(&self) -> u64 {
        let due = self.due.iter().flatten().min();
        let ticks = self.stands.is_none();
        due.filter(|_| ticks)
            .map_or(u64::MAX, |&due| self.cycle(due))
    }

    /// None: there is no such register.
    pub fn read(&mut self, offset: u32, now: u64) -> Option<u32> {
        let count = self.count(now);
        let raised = self.lines(now);
        if offset >= self.intr {
            return match offset - self.intr {
                0x0 => Some(self.fired),
                0x4 => Some(self.allowed),
                0x8 => Some(self.forced),
                0xc => Some(raised),
                _ => None,
            };
        }
        Some(match offset {
            0x08 => self.latched,
            0x0c => {
                self.latched = (count >> 32) as u32;
                count as u32
            }
            0x10..=0x1c => self.alarms[(offset as usize - 0x10) / 4],
            0x20 => self.armed(),
            0x24 => (count >> 32) as u32,
            0x28 => count as u32,
            _ => return None,
        })
    }

    /// None: there is no such register, or it cannot be written.
    pub fn write(&mut self, offset: u32, value: u32, now: u64) -> Option<()> {
        self.fire(now);
        if offset >= self.intr {
            match offset - self.intr {
                0x0 => self.fired &= !value,
                0x4 => self.allowed = value & 0xf,
                0x8 => self.forced = value & 0xf,
                _ => return None,
            }
            return Some(());
        }
        match offset {
            0x00 => self.set(u64::from(value) << 32 | u64::from(self.low), now),
            0x04 => self.low = value,
            0x10..=0x1c => self.arm((offset as usize - 0x10) / 4, value, now),
            0x20 => {
                for alarm in (0..4).filter(|one| value & 1 << one != 0) {
                    self.due[alarm] = None;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn set(&mut self, count: u64, now: u64) {
        let until = self.stands.unwrap_or(now);
        self.zero = until.wrapping_sub(count.wrapping_mul(self.cycles_a_count));
        for alarm in 0..4 {
            if self.due[alarm].is_some() {
                self.arm(alarm, self.alarms[alarm], now);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALARM_1: u32 = 0x14;

    #[test]
    fn an_alarm_fires_once_at_its_count() {
        let mut timer = Timer::new(125, 0x34);
        timer.reset(40);
        timer.write(0x38, 0xf, 40);
        timer.write(ALARM_1, 3, 50);
        assert_eq!(timer.next(), 40 + 3 * 125);
        assert_eq!(timer.lines(40 + 3 * 125 - 1), 0);
        assert_eq!(timer.lines(40 + 3 * 125), 2);
        timer.write(0x34, 2, 500);
        assert_eq!(timer.lines(500), 0);
        assert_eq!(timer.next(), u64::MAX);
    }

    #[test]
    fn a_passed_alarm_waits_for_the_wrap() {
        let mut timer = Timer::new(125, 0x34);
        timer.write(ALARM_1, 4, 5 * 125);
        assert_eq!(timer.next(), ((1 << 32) + 4) * 125);
        assert_eq!(timer.read(0x20, 600), Some(2));
        timer.write(0x20, 2, 700);
        assert_eq!(timer.next(), u64::MAX);
    }

    #[test]
    fn a_set_time_moves_alarms_along() {
        let mut timer = Timer::new(125, 0x34);
        timer.write(ALARM_1, 9, 0);
        timer.write(0x04, 0xffff_fffe, 1000);
        timer.write(0x00, 1, 1000);
        assert_eq!(timer.read(0x28, 1000 + 125), Some(0xffff_ffff));
        assert_eq!(timer.read(0x24, 1000 + 250), Some(2));
        assert_eq!(timer.next(), 1000 + 11 * 125);
    }

    #[test]
    fn what_fired_and_when() {
        let mut timer = Timer::new(150, 0x3c);
        timer.reset(30);
        timer.write(ALARM_1, 2, 40);
        timer.write(0x1c, 4, 40);
        assert_eq!(timer.fire(30 + 2 * 150 - 1), []);
        assert_eq!(timer.fire(1000), [(1, 30 + 2 * 150), (3, 30 + 4 * 150)]);
        assert_eq!(timer.read(0x3c, 1000), Some(0b1010));
        assert_eq!(timer.read(0x48, 1000), Some(0));
        timer.write(0x40, 8, 1000);
        assert_eq!(timer.read(0x48, 1000), Some(8));
        assert_eq!(timer.read(0x34, 1000), None);
    }

    #[test]
    fn without_a_tick_the_count_stands() {
        let mut timer = Timer::new(150, 0x3c);
        timer.reset(0);
        timer.tick(true, 0);
        timer.write(ALARM_1, 4, 0);
        timer.tick(false, 310);
        assert_eq!((timer.count(900), timer.next()), (2, u64::MAX));
        timer.write(0x40, 2, 900); // INTE is taken
        timer.tick(true, 1310);
        assert_eq!((timer.count(1310), timer.next()), (2, 1000 + 4 * 150));
        assert_eq!(timer.lines(1600), 2);
    }
}
