// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! What both cores reach: memory, SIO with its mailboxes and spinlocks, TIMER, and of resets, clocks and PLLs as much as
//! says that they are ready (RP2040 Datasheet). Of other devices behind the bridges there is memory that keeps what is
//! written. An access to anything else is a fault. Cores do not wait for one another.

use crate::cycles;
use crate::systick::{CYCLES_A_COUNT, SysTick};
use crate::timer::Timer;
use rp2040_emu::bus::ppb::Ppb;
use rp2040_emu::core::{CoreBus, Nvic};
use std::collections::{HashMap, VecDeque};

const FLASH: u32 = 0x1000_0000;
const RAM: u32 = 0x2000_0000;
const FLASH_BYTES: usize = 2 << 20;
const RAM_BYTES: usize = 0x42000;
const RESETS: u32 = 0x4000_c000;
const RESET_TIMER: u32 = 1 << 21;
const TIMER: u32 = 0x4005_4000;
const TIMER_INTR: u32 = 0x34;
const PSM_FORCE_OFF: u32 = 0x4001_0004;
const CORE_1: u32 = 1 << 16;
const SIO: u32 = 0xd000_0000;
const SPINLOCKS: u32 = 0x100;
const MAILBOX_WORDS: usize = 8;
const MAILBOX_LINE: usize = 15; // of core 0; core 1's is the next

/// A mailbox's state: overwritten, and read while it was empty.
const WRITTEN_OVER: u32 = 1 << 2;
const READ_EMPTY: u32 = 1 << 3;

/// What core 1 does by itself before a program of ours runs there: the boot ROM's part of the launch (2.8.2).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Launch {
    Off,
    Waits {
        heard: usize,
        words: [u32; 6],
    },
    Begins {
        vectors: u32,
        stack: u32,
        entry: u32,
    },
    Runs,
}

pub const UNLAUNCHED: Launch = Launch::Waits {
    heard: 0,
    words: [0; 6],
};

/// Of what is executed: cycles of its accesses; exceptions that were entered and left; whether there was an instruction.
#[derive(Clone, Copy, Default)]
pub struct Seen {
    pub waits: u64,
    pub entered: u64,
    pub left: u64,
    pub executed: bool,
}

pub struct Bus {
    pub flash: Vec<u8>,
    pub ram: Vec<u8>,
    pub timer: Timer,
    pub systick: [SysTick; 2],
    pub launch: Launch,
    /// The core that executes, and the cycle in which its instruction begins.
    pub active: usize,
    pub now: u64,
    pub seen: Seen,
    pc: u32, // of the instruction
    ppb: [Ppb; 2],
    nvic: [Nvic; 2],
    events: [bool; 2],
    waiting: [bool; 2],
    words: HashMap<u32, u32>, // of registers that are no more than memory
    mail: [VecDeque<u32>; 2], // to each core
    mail_errors: [u32; 2],
    locks: u32, // taken
    levels: u32,
    in_hardware: bool, // an exception is entered or left
    fault: Option<u32>,
}

impl Bus {
    pub fn new() -> Self {
        Self {
            flash: vec![0; FLASH_BYTES],
            ram: vec![0; RAM_BYTES],
            timer: Timer::new(CYCLES_A_COUNT, TIMER_INTR),
            systick: Default::default(),
            launch: UNLAUNCHED,
            active: 0,
            now: 0,
            seen: Seen::default(),
            pc: 0,
            ppb: [Ppb::new(), Ppb::new()],
            nvic: [Nvic::new(), Nvic::new()],
            events: [false; 2],
            waiting: [false; 2],
            words: HashMap::new(),
            mail: Default::default(),
            mail_errors: [0, READ_EMPTY], // by core 1's boot ROM
            locks: 0,
            levels: 0,
            in_hardware: false,
            fault: None,
        }
    }

    /// Interrupt lines that have risen since the last call become pending in both controllers (Armv6-M, B3.4.1).
    pub fn raise(&mut self, now: u64) {
        let mut levels = self.timer.lines(now);
        for core in 0..2 {
            if !self.mail[core].is_empty() || self.mail_errors[core] != 0 {
                levels |= 1 << (MAILBOX_LINE + core);
            }
        }
        let risen = levels & !self.levels;
        self.levels = levels;
        for nvic in &mut self.nvic {
            nvic.pending |= risen;
        }
    }

    /// The handler of a line has ended on `core`, where it is pending anew if it is up.
    pub fn end_of(&mut self, core: usize, exception: u32) {
        if exception >= 16 {
            self.nvic[core].pending |= self.levels & 1 << (exception - 16);
        }
    }

    /// Of what comes nothing was seen yet.
    pub fn begin(&mut self) {
        self.seen = Seen::default();
    }

    pub fn is_waiting(&self, core: usize) -> bool {
        self.waiting[core]
    }

    /// The bytes at `address`, where there is memory.
    fn memory(&mut self, address: u32, length: usize) -> Option<&mut [u8]> {
        let (bytes, from) = if address >= RAM {
            (&mut self.ram, RAM)
        } else {
            (&mut self.flash, FLASH)
        };
        let at = address.checked_sub(from)? as usize;
        bytes.get_mut(at..at.checked_add(length)?)
    }

    pub fn halfword(&mut self, address: u32) -> u16 {
        self.memory(address, 2)
            .map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub fn word(&mut self, address: u32) -> u32 {
        self.memory(address, 4).map_or(0, |bytes| {
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        })
    }

    /// The string at `address`, up to a zero.
    pub fn text(&mut self, mut address: u32) -> Vec<u8> {
        let mut text = Vec::new();
        while let Some(&mut [byte]) = self.memory(address, 1) {
            if byte == 0 {
                break;
            }
            text.push(byte);
            address += 1;
        }
        text
    }

    fn load(&mut self, address: u32, length: usize) -> u32 {
        if address.wrapping_sub(self.pc) >= 4 && !self.in_hardware {
            self.seen.waits += cycles::access(address, false);
        }
        if !(address as usize).is_multiple_of(length) {
            self.fault = Some(address);
            return 0;
        }
        if let Some(bytes) = self.memory(address, length) {
            return bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        let read = self.register(address & !3);
        if read.is_none() {
            self.fault = Some(address);
        }
        read.unwrap_or(0) >> (8 * (address & 3))
    }

    fn store(&mut self, address: u32, length: usize, value: u32) {
        if !self.in_hardware {
            self.seen.waits += cycles::access(address, true);
        }
        if !(address as usize).is_multiple_of(length) {
            self.fault = Some(address);
        } else if address >= RAM && self.memory(address, length).is_some() {
            let bytes = value.to_le_bytes();
            if let Some(to) = self.memory(address, length) {
                to.copy_from_slice(&bytes[..length]);
            }
        } else if length != 4 || self.set_register(address, value).is_none() {
            self.fault = Some(address); // narrow stores reach registers on silicon, with the byte repeated: not here
        }
    }

    fn register(&mut self, address: u32) -> Option<u32> {
        let (core, now) = (self.active, self.now);
        match address >> 28 {
            0xd => self.sio(address - SIO),
            0xe => match address & 0xffff {
                0xe010..=0xe01c => self.systick[core].read(address & 0xff),
                0xe100 | 0xe180 => Some(self.nvic[core].enabled),
                0xe200 | 0xe280 => Some(self.nvic[core].pending),
                offset @ 0xe400..=0xe41c => {
                    let first = (offset - 0xe400) as usize;
                    let bytes = &self.nvic[core].priority[first..first + 4];
                    Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
                }
                0xed00..=0xed3c => Some(self.ppb[core].read32(address)),
                _ => None,
            },
            0x4 if address & !0x3fff == TIMER & !0x3fff => self.timer.read(address & 0xfff, now),
            0x4 => {
                let word = |at: u32| self.words.get(&at).copied().unwrap_or(0);
                Some(match address & !0x3000 {
                    0x4000_c008 => !word(RESETS), // RESET_DONE
                    0x4000_8038 | 0x4000_8044 => 1 << (word((address & !0x3000) - 8) & 3), // SELECTED
                    0x4002_4004 => 1 << 31, // XOSC: stable
                    0x4002_8000 | 0x4002_c000 => word(address & !0x3000) | 1 << 31, // a PLL: locked
                    at => word(at),
                })
            }
            0x1 if address == 0x1800_0028 => Some(1 << 2), // SSI: idle
            0x1 => Some(0),
            _ => None,
        }
    }

    fn set_register(&mut self, address: u32, value: u32) -> Option<()> {
        let (core, now) = (self.active, self.now);
        match address >> 28 {
            0xd => self.set_sio(address - SIO, value),
            0xe => {
                let nvic = &mut self.nvic[core];
                match address & 0xffff {
                    0xe010..=0xe01c => return self.systick[core].write(address & 0xff, value),
                    0xe100 => nvic.enabled |= value,
                    0xe180 => nvic.enabled &= !value,
                    0xe200 => nvic.pending |= value,
                    0xe280 => nvic.pending &= !value | self.levels,
                    offset @ 0xe400..=0xe41c => {
                        let first = (offset - 0xe400) as usize;
                        for (line, byte) in (first..first + 4).zip(value.to_le_bytes()) {
                            nvic.priority[line] = byte & 0xc0;
                        }
                    }
                    0xed08 => self.ppb[core].write32(address, value & !0xff), // VTOR: RP2040 has no bits below
                    0xed00..=0xed3c => self.ppb[core].write32(address, value),
                    _ => return None,
                }
                Some(())
            }
            0x4 => {
                let at = address & !0x3000;
                let old = if at & !0x3fff == TIMER & !0x3fff {
                    self.timer.read(at & 0xfff, now).unwrap_or(0) // some can be written only
                } else {
                    self.words.get(&at).copied().unwrap_or(0)
                };
                let new = match address & 0x3000 {
                    0x1000 => old ^ value,
                    0x2000 => old | value,
                    0x3000 => old & !value,
                    _ => value,
                };
                if at & !0x3fff == TIMER & !0x3fff {
                    return self.timer.write(at & 0xfff, new, now);
                }
                self.words.insert(at, new);
                if at == RESETS && new & RESET_TIMER != 0 {
                    self.timer.reset(now);
                }
                if at == PSM_FORCE_OFF && (old ^ new) & CORE_1 != 0 {
                    self.reset_core_1(new & CORE_1 == 0);
                }
                Some(())
            }
            0x1 => Some(()),
            _ => None,
        }
    }

    fn sio(&mut self, offset: u32) -> Option<u32> {
        let core = self.active;
        match offset {
            0x00 => Some(core as u32),
            0x50 => {
                let room = self.mail[1 - core].len() < MAILBOX_WORDS;
                let has = u32::from(!self.mail[core].is_empty());
                Some(has | u32::from(room) << 1 | self.mail_errors[core])
            }
            0x58 => {
                let word = self.mail[core].pop_front();
                self.mail_errors[core] |= if word.is_none() { READ_EMPTY } else { 0 };
                Some(word.unwrap_or(0))
            }
            0x5c => Some(self.locks),
            SPINLOCKS..=0x17c => {
                let bit = 1 << ((offset - SPINLOCKS) / 4);
                let free = self.locks & bit == 0;
                self.locks |= bit;
                Some(if free { bit } else { 0 })
            }
            _ => None,
        }
    }

    fn set_sio(&mut self, offset: u32, value: u32) -> Option<()> {
        let core = self.active;
        match offset {
            0x50 => {
                self.mail_errors[core] &= if value & (WRITTEN_OVER | READ_EMPTY) != 0 {
                    0
                } else {
                    !0
                }
            }
            0x54 if core == 0 && matches!(self.launch, Launch::Waits { .. }) => self.hear(value),
            0x54 if self.mail[1 - core].len() < MAILBOX_WORDS => {
                self.mail[1 - core].push_back(value)
            }
            0x54 => self.mail_errors[core] |= WRITTEN_OVER,
            SPINLOCKS..=0x17c => self.locks &= !(1 << ((offset - SPINLOCKS) / 4)),
            _ => return None,
        }
        Some(())
    }

    /// Core 1 and what is its own are reset; where it then runs, its boot ROM says 0, drops what was sent before, and reads
    /// its mailbox once while that is empty. What is core 0's stays.
    fn reset_core_1(&mut self, runs: bool) {
        self.launch = if runs { UNLAUNCHED } else { Launch::Off };
        self.nvic[1] = Nvic::new();
        self.ppb[1] = Ppb::new();
        self.systick[1] = SysTick::default();
        (self.events[1], self.waiting[1]) = (false, false);
        if runs {
            self.mail[0].push_back(0);
            self.mail[1].clear();
            self.mail_errors[1] |= READ_EMPTY;
        }
    }

    /// Core 1's boot ROM echoes what it is told, and begins anew with what does not go on.
    fn hear(&mut self, word: u32) {
        if let Launch::Waits {
            mut heard,
            mut words,
        } = self.launch
        {
            let goes_on = match heard {
                0 | 1 => word == 0,
                2 => word == 1,
                _ => true,
            };
            words[heard] = word;
            heard = match (goes_on, word) {
                (true, _) => heard + 1,
                (false, 0) => heard.min(2), // one 0 more
                _ => 0,
            };
            self.mail[0].push_back(word);
            self.launch = if heard == 6 {
                let [_, _, _, vectors, stack, entry] = words;
                Launch::Begins {
                    vectors,
                    stack,
                    entry,
                }
            } else {
                Launch::Waits { heard, words }
            };
        }
    }
}

impl CoreBus for Bus {
    fn read8(&mut self, address: u32) -> u8 {
        self.load(address, 1) as u8
    }
    fn read16(&mut self, address: u32) -> u16 {
        self.load(address, 2) as u16
    }
    fn read32(&mut self, address: u32) -> u32 {
        self.load(address, 4)
    }
    fn write8(&mut self, address: u32, value: u8) {
        self.store(address, 1, u32::from(value));
    }
    fn write16(&mut self, address: u32, value: u16) {
        self.store(address, 2, u32::from(value));
    }
    fn write32(&mut self, address: u32, value: u32) {
        self.store(address, 4, value);
    }

    /// An instruction begins; 0xfffffffe and 0xfffffffd say that an exception is entered or left.
    fn set_active_pc(&mut self, pc: u32) {
        match pc {
            0xffff_fffe => self.seen.entered += 1,
            0xffff_fffd => self.seen.left += 1,
            _ => (self.pc, self.seen.executed) = (pc, true),
        }
        self.in_hardware = pc >= 0xffff_fff0;
    }

    fn bus_fault(&self) -> bool {
        self.fault.is_some()
    }
    fn bus_fault_addr(&self) -> u32 {
        self.fault.unwrap_or(0)
    }
    fn clear_bus_fault(&mut self) {
        self.fault = None;
    }
    fn ppb(&self, core: usize) -> &Ppb {
        &self.ppb[core]
    }
    fn ppb_mut(&mut self, core: usize) -> &mut Ppb {
        &mut self.ppb[core]
    }
    fn nvic(&self, core: usize) -> &Nvic {
        &self.nvic[core]
    }
    fn nvic_mut(&mut self, core: usize) -> &mut Nvic {
        &mut self.nvic[core]
    }
    fn active_core(&self) -> usize {
        self.active
    }
    fn event_flag(&self, core: usize) -> bool {
        self.events[core]
    }
    fn consume_event_flag(&mut self, core: usize) -> bool {
        std::mem::take(&mut self.events[core])
    }
    fn set_wfe_waiting(&mut self, core: usize, waits: bool) {
        self.waiting[core] = waits;
    }
    fn signal_sev(&mut self) {
        self.events = [true; 2];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAILBOX_WRITE: u32 = SIO + 0x54;
    const MAILBOX_READ: u32 = SIO + 0x58;

    #[test]
    fn a_spinlock_goes_to_one_core() {
        let mut bus = Bus::new();
        assert_eq!(bus.read32(SIO + 0x108), 4);
        bus.active = 1;
        assert_eq!(bus.read32(SIO + 0x108), 0);
        bus.write32(SIO + 0x108, 0);
        assert_eq!(bus.read32(SIO + 0x108), 4);
    }

    #[test]
    fn core_1_begins_where_it_is_told() {
        let mut bus = Bus::new();
        for word in [5, 0, 0, 0, 1, 0x2000_0100, 0x2000_2000, 0x1000_0201] {
            bus.write32(MAILBOX_WRITE, word);
            assert_eq!(bus.read32(MAILBOX_READ), word);
        }
        let (vectors, stack, entry) = (0x2000_0100, 0x2000_2000, 0x1000_0201);
        assert!(
            bus.launch
                == Launch::Begins {
                    vectors,
                    stack,
                    entry
                }
        );
    }

    #[test]
    fn mail_raises_the_line_of_its_core() {
        let mut bus = Bus::new();
        bus.launch = Launch::Runs;
        bus.write32(MAILBOX_WRITE, 9);
        bus.raise(1);
        assert_eq!(bus.nvic(1).pending, 1 << 16);
        bus.active = 1;
        assert_eq!(bus.read32(MAILBOX_READ), 9);
        assert_eq!(bus.read32(SIO + 0x50), READ_EMPTY | 2);
    }

    #[test]
    fn a_reset_of_core_1_leaves_an_error_that_raises_its_line() {
        let mut bus = Bus::new();
        bus.launch = Launch::Runs;
        bus.write32(MAILBOX_WRITE, 9);
        bus.write32(PSM_FORCE_OFF + 0x2000, CORE_1);
        assert!(bus.launch == Launch::Off);
        bus.write32(PSM_FORCE_OFF + 0x3000, CORE_1);
        assert!(bus.launch == UNLAUNCHED);
        bus.raise(1);
        assert_eq!(bus.nvic(1).pending >> 16, 1);
        assert_eq!(bus.read32(MAILBOX_READ), 0);
        bus.active = 1;
        assert_eq!(bus.read32(SIO + 0x50), READ_EMPTY | 2);
        bus.write32(SIO + 0x50, READ_EMPTY);
        assert_eq!(bus.read32(SIO + 0x50), 2);
    }

    #[test]
    fn aliases_of_registers_change_bits() {
        let mut bus = Bus::new();
        bus.write32(RESETS, 0x30);
        bus.write32(RESETS + 0x2000, 0x3);
        bus.write32(RESETS + 0x3000, 0x10);
        assert_eq!(bus.read32(RESETS), 0x23);
        assert_eq!(bus.read32(RESETS + 8), !0x23);
    }

    #[test]
    fn what_is_not_there_is_a_fault() {
        let mut bus = Bus::new();
        bus.read32(0x3000_0000);
        assert!(bus.bus_fault());
        bus.clear_bus_fault();
        bus.write32(FLASH, 1);
        assert!(!bus.bus_fault() && bus.word(FLASH) == 0); // the flash's window takes no stores, and says nothing
    }
}
