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

use crate::mends::{BX_LR, BX_LR_OPCODE};
use crate::timer::{CNT, Timer};
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

#[derive(Default)]
pub struct Chip {
    pub memories: Vec<Memory>,
    pub timers: Vec<Placed>,
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
                    "memory, registers, timer, trigger or cycles with its numbers"
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
        self.wake = self
            .timers
            .iter()
            .map(|one| one.timer.wake())
            .min()
            .unwrap_or(u64::MAX);
        self.find_lines();
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
    }
}

fn number(word: &str) -> Option<u32> {
    match word.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}
