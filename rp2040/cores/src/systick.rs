// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! A core's SysTick (Armv6-M Architecture Reference Manual, B3.3), in cycles of the processors.

/// Of a microsecond: the cores run at 125 MHz from the first cycle on.
pub const CYCLES_A_COUNT: u64 = 125;

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
