// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! A chip as its file says: memory, timers, what lets their clocks through, which triggers connect them.
//!
//! The file has one item a line, and comments behind #; numbers are decimal, or hexadecimal with 0x:
//!
//!   memory ORIGIN BYTES rx|rw         code that nothing writes, or RAM
//!   registers ORIGIN BYTES            memory of the chip's that only holds what is written (RCC)
//!   timer BASE BITS CHANNELS LINE COMPARE_LINE REGISTER BIT   the line of its update, that of its channels; its clock is
//!                                     let through by that bit of that register
//!   trigger BASE TS FROM              by trigger TS of its SMCR the timer at BASE counts the updates of that at FROM
//!   cycles N                          of the core for a clock of the timers; 1 without it
//!   cpuid N                           what a debugger reads there; without it that of the core which is simulated
//!
//! and for chips of Raspberry Pi's:
//!
//!   peripheral ORIGIN BYTES [FIRST]   registers that hold what is written, with copies behind them that flip, set and clear
//!                                     bits; FIRST is in the first of them
//!   always ADDRESS VALUE              a register that always reads so
//!   selected ADDRESS REGISTER         reads as the bit with the number in the two lowest bits of that register
//!   alarms BASE LINE CYCLES RESET BIT TICK   a TIMER with alarms on LINE and the three behind it. It counts every CYCLES of the
//!                                     core while bit 0 of TICK is set; that bit of RESET holds it in reset

use crate::mends::{BX_LR, BX_LR_OPCODE};
use crate::registers::Registers;
use crate::timer::{CNT, Timer};
use crate::timer_rp::Timer as Alarms;
use std::fmt::Write as _;

pub struct Memory {
    pub origin: u32,
    pub bytes: Vec<u8>,
    pub writable: bool,
}

pub struct Placed {
    pub base: u32,
    pub line: u32,
    pub compare_line: u32,
    enable: (u32, u32),
    pub timer: Timer,
    /// Timer number `.1` is what this one counts by trigger number `.0`.
    triggers: Vec<(u32, usize)>,
}

/// A TIMER of an RP2350.
pub struct PlacedAlarms {
    base: u32,
    line: u32,
    reset: (u32, u32),
    tick: u32,
    runs: bool,
    alarms: Alarms,
}

/// The offset of INTR in a TIMER of an RP2350.
const INTR: u32 = 0x3c;

#[derive(Default)]
pub struct Chip {
    pub memories: Vec<Memory>,
    pub timers: Vec<Placed>,
    pub alarms: Vec<PlacedAlarms>,
    registers: Registers,
    pub cycles: u64,
    pub cpuid: u32,
    /// When something happens next, in clocks of the timers.
    pub wake: u64,
    /// The lines that are up, as bits.
    pub up: u64,
    /// One that is up and that the processor does not have.
    pub absent: Option<u32>,
    /// What has begun to interrupt since the processor last looked.
    pub requests: Vec<Request>,
}

/// A timer's flag has begun to interrupt.
pub struct Request {
    pub base: u32,
    /// Its number in SR: 0 is the update's, 1 to 4 are the channels'.
    pub flag: u32,
    /// When, in clocks of the timers.
    pub at: u64,
}

/// Lines of the processor that is simulated.
pub const LINES: u32 = 52;

impl Chip {
    pub fn read(text: &str) -> Result<Self, String> {
        let mut chip = Self {
            cycles: 1,
            wake: u64::MAX,
            ..Self::default()
        };
        for (at, line) in text.lines().enumerate() {
            let said = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = said.split_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            chip.take(&words).ok_or_else(|| {
                let mut why = format!("line {}: found `{line}`, expected ", at + 1);
                let _ = write!(
                    why,
                    "memory, registers, timer, trigger, cycles, cpuid, peripheral, always, selected or alarms with its numbers"
                );
                why
            })?;
        }
        let bytes = BX_LR_OPCODE.to_le_bytes().to_vec();
        chip.memories.push(Memory {
            origin: BX_LR,
            bytes,
            writable: false,
        });
        Ok(chip)
    }

    fn take(&mut self, words: &[&str]) -> Option<()> {
        let n: Vec<Option<u32>> = words.iter().map(|word| number(word)).collect();
        match (words[0], words.len()) {
            ("memory", 4) if ["rx", "rw"].contains(&words[3]) => {
                self.add_memory(n[1]?, n[2]?, words[3] == "rw")
            }
            ("registers", 3) => self.add_memory(n[1]?, n[2]?, true),
            ("timer", 8) if n[2] == Some(16) || n[2] == Some(32) => {
                if n[3]? > 4 || n[7]? > 31 {
                    return None;
                }
                self.timers.push(Placed {
                    base: n[1]?,
                    line: n[4]?,
                    compare_line: n[5]?,
                    enable: (n[6]?, n[7]?),
                    timer: Timer::new(n[2]?, n[3]?),
                    triggers: Vec::new(),
                });
            }
            ("trigger", 4) => {
                let (slave, master) = (self.at_base(n[1]?)?, self.at_base(n[3]?)?);
                self.timers[slave].triggers.push((n[2]?, master));
            }
            ("peripheral", 3 | 4) => {
                self.add_memory(n[1]?, n[2]?, true);
                self.registers.add_copied(n[1]?, n[2]?);
                if words.len() == 4 {
                    let memory = self.memories.last_mut()?;
                    memory
                        .bytes
                        .get_mut(..4)?
                        .copy_from_slice(&n[3]?.to_le_bytes());
                }
            }
            ("always", 3) => self.registers.add_always(n[1]?, n[2]?),
            ("selected", 3) => self.registers.add_selected(n[1]?, n[2]?),
            ("alarms", 7) if n[2]? <= LINES - 4 && n[3]? > 0 && n[5]? < 32 => {
                self.alarms.push(PlacedAlarms {
                    base: n[1]?,
                    line: n[2]?,
                    reset: (n[4]?, n[5]?),
                    tick: n[6]?,
                    runs: false,
                    alarms: Alarms::new(u64::from(n[3]?), INTR),
                })
            }
            ("cycles", 2) if n[1]? > 0 => self.cycles = u64::from(n[1]?),
            ("cpuid", 2) => self.cpuid = n[1]?,
            _ => return None,
        }
        Some(())
    }

    /// Where the vectors are of a program that no file gave: at the first memory's begin.
    pub fn start(&self) -> u32 {
        self.memories.first().map_or(0, |memory| memory.origin)
    }

    fn add_memory(&mut self, origin: u32, bytes: u32, writable: bool) {
        self.memories.push(Memory {
            origin,
            bytes: vec![0; bytes as usize],
            writable,
        });
    }

    fn at_base(&self, base: u32) -> Option<usize> {
        self.timers.iter().position(|one| one.base == base)
    }

    /// The memory that holds `length` bytes at `address`, and where in it.
    pub fn memory(&mut self, address: u32, length: u32) -> Option<(&mut Memory, usize)> {
        self.memories.iter_mut().find_map(|memory| {
            let at = address.wrapping_sub(memory.origin) as usize;
            (at + length as usize <= memory.bytes.len()).then_some((memory, at))
        })
    }

    pub fn word(&mut self, address: u32) -> u32 {
        let found = self.memory(address, 4);
        found.map_or(0, |(memory, at)| {
            u32::from_le_bytes(memory.bytes[at..at + 4].try_into().unwrap())
        })
    }

    /// What is read of a register that holds nothing; None: it is none of them.
    pub fn status(&mut self, address: u32) -> Option<u32> {
        let registers = std::mem::take(&mut self.registers);
        let found = registers.status(address, |at| self.word(at));
        self.registers = registers;
        found
    }

    /// Writes a word to a register with copies, or to one of these; false: there is none.
    pub fn write_register(&mut self, address: u32, value: u32, clock: u64) -> bool {
        let Some((original, copy)) = self.registers.original(address) else {
            return false;
        };
        let word = Registers::written(self.word(original), value, copy);
        if let Some((memory, at)) = self.memory(original, 4) {
            memory.bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        self.start_alarms(clock * self.cycles);
        self.synchronise(clock);
        true
    }

    /// TIMERs whose reset begins or ends in the cycle `now` begin anew, and those without a tick stand.
    fn start_alarms(&mut self, now: u64) {
        for at in 0..self.alarms.len() {
            let one = &self.alarms[at];
            let (tick, (reset, bit)) = (one.tick, one.reset);
            let is_held = self.word(reset) >> bit & 1 != 0;
            let ticks = self.word(tick) & 1 != 0;
            let one = &mut self.alarms[at];
            if one.runs == is_held {
                one.alarms.reset(now);
            }
            one.runs = !is_held;
            one.alarms.tick(ticks, now);
        }
    }

    /// Which TIMER with alarms has registers at `address`, in one of its copies; None: there is none.
    pub fn alarms_at(&self, address: u32) -> Option<usize> {
        self.alarms
            .iter()
            .position(|one| address & !0x3fff == one.base)
    }

    /// A register of a TIMER; one that is held in reset reads as 0. None: there is none.
    pub fn read_alarms(&mut self, address: u32, clock: u64) -> Option<u32> {
        let at = self.alarms_at(address)?;
        let now = clock * self.cycles;
        self.synchronise(clock);
        let one = &mut self.alarms[at];
        let value = one.alarms.read(address & 0xfff, now)?;
        Some(if one.runs { value } else { 0 })
    }

    /// The same, for a debugger: TIMEHR stays what it is.
    pub fn peek_alarms(&mut self, address: u32, clock: u64) -> Option<u32> {
        let at = self.alarms_at(address)?;
        let latched = self.alarms[at].alarms.latched();
        let value = self.read_alarms(address, clock);
        self.alarms[at].alarms.latch(latched);
        value
    }

    /// One that is held in reset does not take what is written. The copies behind it flip, set and clear bits.
    pub fn write_alarms(&mut self, address: u32, value: u32, clock: u64) -> Option<()> {
        let at = self.alarms_at(address)?;
        let now = clock * self.cycles;
        let (offset, copy) = (address & 0xfff, address >> 12 & 3);
        self.synchronise(clock);
        let one = &mut self.alarms[at];
        let before = if copy == 0 {
            0
        } else {
            one.alarms.read(offset, now)?
        };
        if one.runs {
            let word = Registers::written(before, value, copy);
            one.alarms.write(offset, word, now)?;
            self.synchronise(clock);
        }
        Some(())
    }

    /// Which timer has a register at `address`; None: there is none.
    pub fn timer_at(&self, address: u32) -> Option<usize> {
        self.timers
            .iter()
            .position(|one| address & !0x3ff == one.base)
    }

    fn has_clock(&mut self, at: usize) -> bool {
        let (register, bit) = self.timers[at].enable;
        self.word(register) >> bit & 1 != 0
    }

    /// All timers are what they are at `clock`; those that count others' updates come behind them.
    pub fn synchronise(&mut self, clock: u64) {
        for at in 0..self.timers.len() {
            self.timers[at].timer.synchronise(clock);
            self.pass_on(at);
        }
        for at in 0..self.timers.len() {
            self.timers[at].timer.synchronise(clock);
        }
        for one in &mut self.timers {
            for (flags, at) in one.timer.take_requests() {
                let base = one.base;
                let new = (0..5).filter(|flag| flags >> flag & 1 != 0);
                self.requests
                    .extend(new.map(|flag| Request { base, flag, at }));
            }
        }
        let alarms = self.fire(clock);
        let timers = self.timers.iter().map(|one| one.timer.wake()).min();
        self.wake = timers.unwrap_or(u64::MAX).min(alarms);
        self.find_lines();
    }

    /// Alarms that are due by `clock` fire; when the next does.
    fn fire(&mut self, clock: u64) -> u64 {
        let mut next = u64::MAX;
        for one in self.alarms.iter_mut().filter(|one| one.runs) {
            let base = one.base;
            for (flag, cycle) in one.alarms.fire(clock * self.cycles) {
                let at = cycle / self.cycles;
                self.requests.push(Request { base, flag, at });
            }
            next = next.min(one.alarms.next().div_ceil(self.cycles));
        }
        next
    }

    fn pass_on(&mut self, master: usize) {
        let Some(when) = self.timers[master].timer.take_trigger() else {
            return;
        };
        for one in &mut self.timers {
            let trigger = one.timer.counts_trigger();
            if trigger.is_some_and(|ts| one.triggers.contains(&(ts, master))) {
                one.timer.trigger(when);
            }
        }
    }

    /// What the timer at `base`, which counts its clock without a prescaler, was at `at`; all are synchronised to `clock`.
    pub fn count_at(&self, base: u32, at: u64, clock: u64) -> u32 {
        if let Some(one) = self.alarms.iter().find(|one| one.base == base) {
            return one.alarms.count(at * self.cycles) as u32;
        }
        let found = self.timers.iter().find(|one| one.base == base);
        found.map_or(0, |one| {
            one.timer.read(CNT, clock).wrapping_sub((clock - at) as u32)
        })
    }

    /// A register of a timer without a clock reads as 0, and does not take what is written.
    pub fn read_timer(&mut self, at: usize, address: u32, clock: u64) -> u32 {
        self.synchronise(clock);
        let one = &self.timers[at];
        let value = one.timer.read(address - one.base, clock);
        if self.has_clock(at) { value } else { 0 }
    }

    pub fn write_timer(&mut self, at: usize, address: u32, value: u32, clock: u64) {
        self.synchronise(clock);
        if self.has_clock(at) {
            let one = &mut self.timers[at];
            one.timer.write(address - one.base, value, clock);
            self.pass_on(at);
            self.synchronise(clock);
        }
    }

    fn find_lines(&mut self) {
        (self.up, self.absent) = (0, None);
        for one in &self.timers {
            let flags = one.timer.interrupts();
            for (line, raised) in [(one.line, flags & 1), (one.compare_line, flags >> 1)] {
                if raised != 0 && line >= LINES {
                    self.absent = Some(line);
                } else if raised != 0 {
                    self.up |= 1 << line;
                }
            }
        }
        for one in self.alarms.iter_mut().filter(|one| one.runs) {
            self.up |= u64::from(one.alarms.raised()) << one.line;
        }
    }
}

fn number(word: &str) -> Option<u32> {
    match word.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

#[cfg(test)]
#[path = "chip_tests.rs"]
mod tests;
