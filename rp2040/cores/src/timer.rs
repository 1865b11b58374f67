// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! The RP2040's TIMER (Datasheet, 4.6) and a core's SysTick (Armv6-M Architecture Reference Manual, B3.3), in cycles of
//! the processors.

/// Of a microsecond: the cores run at 125 MHz from the first cycle on.
pub const CYCLES_A_COUNT: u64 = 125;

/// Counts begin anew when it is reset or set.
#[derive(Default)]
pub struct Timer {
    zero: u64, // the cycle, wrapping, in which it was 0
    low: u32,  // written, for TIMEHW to set both halves
    latched: u32,
    alarms: [u32; 4],
    due: [Option<u64>; 4], // the whole count at which an armed alarm fires
    fired: u32,
    allowed: u32,
    forced: u32,
}

impl Timer {
    fn count(&self, now: u64) -> u64 {
        now.wrapping_sub(self.zero) / CYCLES_A_COUNT
    }

    pub fn reset(&mut self, now: u64) {
        *self = Self {
            zero: now,
            ..Self::default()
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

    /// Alarms that are due by `now` fire; the interrupt lines that are up then.
    pub fn lines(&mut self, now: u64) -> u32 {
        let count = self.count(now);
        for alarm in 0..4 {
            if self.due[alarm].is_some_and(|due| due <= count) {
                self.due[alarm] = None;
                self.fired |= 1 << alarm;
            }
        }
        self.fired & self.allowed | self.forced
    }

    /// The cycle in which the next alarm fires.
    pub fn next(&self) -> u64 {
        let due = self.due.iter().flatten().min();
        due.map_or(u64::MAX, |due| self.zero.wrapping_add(due * CYCLES_A_COUNT))
    }

    /// None: there is no such register.
    pub fn read(&mut self, offset: u32, now: u64) -> Option<u32> {
        let count = self.count(now);
        let raised = self.lines(now);
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
            0x34 => self.fired,
            0x38 => self.allowed,
            0x3c => self.forced,
            0x40 => raised,
            _ => return None,
        })
    }

    /// None: there is no such register, or it cannot be written.
    pub fn write(&mut self, offset: u32, value: u32, now: u64) -> Option<()> {
        let _ = self.lines(now);
        match offset {
            0x00 => self.set(u64::from(value) << 32 | u64::from(self.low), now),
            0x04 => self.low = value,
            0x10..=0x1c => self.arm((offset as usize - 0x10) / 4, value, now),
            0x20 => {
                for alarm in (0..4).filter(|one| value & 1 << one != 0) {
                    self.due[alarm] = None;
                }
            }
            0x34 => self.fired &= !value,
            0x38 => self.allowed = value & 0xf,
            0x3c => self.forced = value & 0xf,
            _ => return None,
        }
        Some(())
    }

    fn set(&mut self, count: u64, now: u64) {
        self.zero = now.wrapping_sub(count.wrapping_mul(CYCLES_A_COUNT));
        for alarm in 0..4 {
            if self.due[alarm].is_some() {
                self.arm(alarm, self.alarms[alarm], now);
            }
        }
    }
}

const ENABLE: u32 = 1 << 0;
const INTERRUPT: u32 = 1 << 1;
const PROCESSOR_CLOCK: u32 = 1 << 2;
const COUNTED_TO_0: u32 = 1 << 16;

/// It counts cycles, or the reference clock, which is the tick of TIMER.
#[derive(Default)]
pub struct SysTick {
    control: u32,
    reload: u32,
    value: u32,
    seen: u64, // the cycle up to which it has counted
}

impl SysTick {
    fn unit(&self) -> u64 {
        if self.control & PROCESSOR_CLOCK != 0 {
            1
        } else {
            CYCLES_A_COUNT
        }
    }

    /// Counts on to `now`; whether it has asked for its interrupt meanwhile.
    pub fn advance(&mut self, now: u64) -> bool {
        let mut left = now / self.unit() - self.seen / self.unit();
        let mut reached = false;
        self.seen = now;
        if self.control & ENABLE == 0 {
            return false;
        }
        while left > 0 {
            if self.value == 0 {
                self.value = self.reload;
                left = if self.reload == 0 { 0 } else { left - 1 };
            } else if left < u64::from(self.value) {
                self.value -= left as u32;
                left = 0;
            } else {
                left -= u64::from(self.value);
                self.value = 0;
                reached = true;
            }
        }
        self.control |= if reached { COUNTED_TO_0 } else { 0 };
        reached && self.control & INTERRUPT != 0
    }

    /// The cycle, later than `now`, up to which it was advanced, in which it asks for its interrupt next.
    pub fn next(&self, now: u64) -> u64 {
        if self.control & (ENABLE | INTERRUPT) != ENABLE | INTERRUPT
            || self.value == 0 && self.reload == 0
        {
            return u64::MAX;
        }
        let counts = match self.value {
            0 => self.reload + 1,
            value => value,
        };
        (now / self.unit() + u64::from(counts)) * self.unit()
    }

    /// Advanced to the present; None: there is no such register.
    pub fn read(&mut self, offset: u32) -> Option<u32> {
        match offset {
            0x10 => {
                let control = self.control;
                self.control &= !COUNTED_TO_0;
                Some(control)
            }
            0x14 => Some(self.reload),
            0x18 => Some(self.value),
            0x1c => Some(0),
            _ => None,
        }
    }

    pub fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            0x10 => self.control = self.control & COUNTED_TO_0 | value & 7,
            0x14 => self.reload = value & 0xff_ffff,
            0x18 => {
                self.value = 0;
                self.control &= !COUNTED_TO_0;
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALARM_1: u32 = 0x14;

    #[test]
    fn an_alarm_fires_once_at_its_count() {
        let mut timer = Timer::default();
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
        let mut timer = Timer::default();
        timer.write(ALARM_1, 4, 5 * 125);
        assert_eq!(timer.next(), ((1 << 32) + 4) * 125);
        assert_eq!(timer.read(0x20, 600), Some(2));
        timer.write(0x20, 2, 700);
        assert_eq!(timer.next(), u64::MAX);
    }

    #[test]
    fn a_set_time_moves_alarms_along() {
        let mut timer = Timer::default();
        timer.write(ALARM_1, 9, 0);
        timer.write(0x04, 0xffff_fffe, 1000);
        timer.write(0x00, 1, 1000);
        assert_eq!(timer.read(0x28, 1000 + 125), Some(0xffff_ffff));
        assert_eq!(timer.read(0x24, 1000 + 250), Some(2));
        assert_eq!(timer.next(), 1000 + 11 * 125);
    }

    #[test]
    fn systick_counts_reload_and_one_more() {
        let mut systick = SysTick::default();
        systick.write(0x14, 9);
        systick.write(0x18, 0);
        systick.write(0x10, 7);
        assert!(!systick.advance(9));
        assert!(systick.advance(10)); // 9 at 1, 0 at 10
        assert!(!systick.advance(19));
        assert!(systick.advance(20));
        assert_eq!(systick.next(20), 30);
    }

    #[test]
    fn systick_by_the_reference_clock() {
        let mut systick = SysTick::default();
        systick.write(0x14, 999);
        systick.write(0x10, 3);
        assert_eq!(systick.next(0), 125_000);
        assert!(!systick.advance(124_999));
        assert!(systick.advance(125_000));
        assert_eq!(systick.read(0x10), Some(0x1_0003));
        assert_eq!(systick.read(0x10), Some(3));
    }
}
