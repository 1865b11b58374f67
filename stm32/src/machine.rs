// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! The chip's processor: the Cortex-M33 of rp2350-emu on the chip's own bus, an instruction or an exception at a time.
//!
//! The crate leaves to its user: interrupts by level, which are raised again only when their handler has ended; time that
//! what it does otherwise than the manual (mends.rs); time that goes on while the core sleeps, and what wakes it; SysTick, whose interrupt the crate loses if it is asked in the very
//! cycle in which the count becomes 0; semihosting. The MPU's checks and lines above 51 are not there.

use crate::chip::{Chip, LINES};
use crate::mends::{
    Access, BX_LR, BX_LR_OPCODE, Masking, Reserved, UpperHalf, returns_by_pop, second_half,
};
use crate::observer::Observer;
use rp2350_emu::CortexM33;
use rp2350_emu::core::CoreBus;
use rp2350_emu::threaded::CoreAtomics;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

pub const STATUS_LIMIT: i32 = 124;
pub const STATUS_FAULT: i32 = 126;
const BKPT: u16 = 0xbe00;
const SEMIHOSTING: u16 = 0xbeab;
const CPUID: u32 = 0xe000_ed00;

const SYSTICK_ENABLE: u32 = 1 << 0;
const SYSTICK_TICKINT: u32 = 1 << 1;
const SYSTICK_COUNTFLAG: u32 = 1 << 16;
const PENDSTSET: u32 = 1 << 26;

/// What the core reaches, and what has happened there in the instruction that is executed.
pub struct Bus {
    pub chip: Chip,
    pub observer: Observer,
    atomics: Arc<CoreAtomics>,
    now: u64,
    pc: u32,
    /// Where the instruction stands that `BX_LR` completes.
    popping: u32,
    began: bool,
    faulted: bool,
    fault: u32,
    wait: u32,
    fetched: u32, // what begins
}

impl Bus {
    fn is_fetch(&self, address: u32) -> bool {
        address.wrapping_sub(self.pc) < 4
    }

    fn load(&mut self, address: u32, length: u32) -> u32 {
        if self.began && !self.is_fetch(address) {
            self.observer.loads(address);
        }
        if is_device(address)
            && let Some(word) = self.chip.status(address & !3)
        {
            return word >> (8 * (address & 3));
        }
        if let Some((memory, at)) = self.chip.memory(address, length) {
            let bytes = &memory.bytes[at..at + length as usize];
            return bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        if let Some(at) = self.chip.timer_at(address) {
            let clock = self.now / self.chip.cycles;
            return self.chip.read_timer(at, address & !3, clock) >> (8 * (address & 3));
        }
        let clock = self.now / self.chip.cycles;
        if let Some(word) = self.chip.read_alarms(address & !3, clock) {
            return word >> (8 * (address & 3));
        }
        self.fail(address);
        0
    }

    fn store(&mut self, address: u32, length: u32, value: u32) {
        if self.began {
            self.observer.stores(address, value);
        }
        let clock = self.now / self.chip.cycles;
        if is_device(address)
            && length == 4
            && (self.chip.write_register(address, value, clock)
                || self.chip.write_alarms(address, value, clock).is_some())
        {
            return;
        }
        if let Some((memory, at)) = self
            .chip
            .memory(address, length)
            .filter(|(m, _)| m.writable)
        {
            memory.bytes[at..at + length as usize]
                .copy_from_slice(&value.to_le_bytes()[..length as usize]);
        } else if let (Some(at), true) = (self.chip.timer_at(address), length > 1) {
            let clock = self.now / self.chip.cycles;
            self.chip.write_timer(at, address & !3, value, clock);
        } else {
            self.fail(address);
        }
    }

    fn halfword(&mut self, address: u32) -> u16 {
        let found = self.chip.memory(address, 2);
        found.map_or(0, |(memory, at)| {
            u16::from_le_bytes([memory.bytes[at], memory.bytes[at + 1]])
        })
    }

    /// The string at `address`, up to a zero.
    fn text(&mut self, address: u32) -> Vec<u8> {
        let mut text = Vec::new();
        let mut byte = self.load(address, 1) as u8;
        while byte != 0 && !self.faulted {
            text.push(byte);
            byte = self.load(address + text.len() as u32, 1) as u8;
        }
        text
    }

    fn fail(&mut self, address: u32) {
        (self.faulted, self.fault) = (true, address);
    }
}

impl CoreBus for Bus {
    fn read8(&mut self, address: u32, _: u8) -> u8 {
        self.load(address, 1) as u8
    }
    fn read16(&mut self, address: u32, _: u8) -> u16 {
        let value = self.load(address, 2) as u16;
        if self.began && address == self.pc.wrapping_add(2) {
            second_half(self.halfword(self.pc), value)
        } else {
            value
        }
    }
    fn read32(&mut self, address: u32, _: u8) -> u32 {
        self.load(address, 4)
    }
    fn write8(&mut self, address: u32, value: u8, _: u8) {
        self.store(address, 1, u32::from(value));
    }
    fn write16(&mut self, address: u32, value: u16, _: u8) {
        self.store(address, 2, u32::from(value));
    }
    fn write32(&mut self, address: u32, value: u32, _: u8) {
        self.store(address, 4, value);
    }

    /// An instruction begins; 0xfffffffe and 0xfffffffd say that an exception is entered or left.
    fn set_active_pc(&mut self, pc: u32, _: u8) {
        self.fetched = pc;
        self.began = pc < 0xffff_fff0;
        if self.began {
            self.pc = pc;
            let seen = if pc == BX_LR { self.popping } else { pc };
            self.observer.begins(seen, self.now);
        }
    }

    fn bus_fault(&self, _: u8) -> bool {
        self.faulted
    }
    fn bus_fault_addr(&self, _: u8) -> u32 {
        self.fault
    }
    fn clear_bus_fault(&mut self, _: u8) {
        self.faulted = false;
    }
    fn set_burst_mode(&mut self, _: bool) {}
    fn add_extra_wait_states(&mut self, n: u32) {
        self.wait += n;
    }
    fn take_extra_wait_states(&mut self) -> u32 {
        std::mem::take(&mut self.wait)
    }
    fn extra_wait_states(&self) -> u32 {
        self.wait
    }
    fn reset_extra_wait_states(&mut self) {
        self.wait = 0;
    }
    fn atomics(&self) -> &Arc<CoreAtomics> {
        &self.atomics
    }
    /// As if every instruction followed the one before it. For those that do not, the crate charges a cycle where the
    /// RP2350's banks of memory would: a quarter of all branches, by where the linker puts code. This chip has no banks.
    fn last_fetch_addr(&self) -> u32 {
        self.fetched.wrapping_sub(2)
    }
    fn set_last_fetch_addr(&mut self, _: u32) {}

    // There are no pins and no trace.
    fn gpio_read_out(&self) -> u32 {
        0
    }
    fn gpio_write_out(&mut self, _: u32) {}
    fn gpio_set_out(&mut self, _: u32) {}
    fn gpio_clear_out(&mut self, _: u32) {}
    fn gpio_xor_out(&mut self, _: u32) {}
    fn gpio_read_oe(&self) -> u32 {
        0
    }
    fn gpio_write_oe(&mut self, _: u32) {}
    fn gpio_set_oe(&mut self, _: u32) {}
    fn gpio_clear_oe(&mut self, _: u32) {}
    fn gpio_xor_oe(&mut self, _: u32) {}
    fn gpio_read_in(&self) -> u32 {
        0
    }
    fn mmio_trace_enabled(&self) -> bool {
        false
    }
    fn emit_mmio_trace(&mut self, _: char, _: u32, _: u32, _: u32, _: u8) {}
}

/// How a run has ended.
pub struct End {
    pub status: i32,
    pub why: String,
}

pub struct Machine {
    core: CortexM33,
    pub bus: Bus,
    slept: u64,
}

impl Machine {
    /// The core as reset leaves it: stack and entry from the vectors at `vectors`.
    pub fn new(chip: Chip, observer: Observer, vectors: u32) -> Self {
        let atomics = Arc::new(CoreAtomics::default());
        let (now, pc, fault, wait, fetched) = (0, 0, 0, 0, 0);
        let (began, faulted) = (false, false);
        let shared = Arc::clone(&atomics);
        let mut bus = Bus {
            chip,
            observer,
            atomics: shared,
            now,
            pc,
            popping: 0,
            began,
            faulted,
            fault,
            wait,
            fetched,
        };
        let mut core = CortexM33::new(0, atomics);
        core.ppb.vtor = vectors;
        core.regs.msp = bus.load(vectors, 4);
        core.regs.set_pc(bus.load(vectors + 4, 4) & !1);
        core.regs.sync_sp_from_banked();
        core.wake();
        bus.faulted = false;
        Self {
            core,
            bus,
            slept: 0,
        }
    }

    /// Cycles since reset.
    pub fn now(&self) -> u64 {
        self.core.cycles() + self.slept
    }

    /// Runs up to cycle `limit`.
    pub fn run(&mut self, limit: u64) -> End {
        loop {
            if let Some(end) = self.step() {
                return end;
            }
            if self.now() >= limit {
                return self.over(limit);
            }
        }
    }

    /// The end of a run that took too long.
    pub fn over(&self, limit: u64) -> End {
        let why = format!(
            "not finished after {limit} cycles, at 0x{:08x}",
            self.bus.pc
        );
        End {
            status: STATUS_LIMIT,
            why,
        }
    }

    /// The instruction that is executed next.
    pub fn pc(&self) -> u32 {
        self.core.regs.pc()
    }

    /// Whether that is a BKPT, at which a processor stops that is debugged; those of semihosting are executed.
    pub fn stands_at_bkpt(&mut self) -> bool {
        let opcode = self.bus.halfword(self.pc());
        opcode & 0xff00 == BKPT && opcode != SEMIHOSTING
    }

    /// r0 to r12, the stack pointer in use, lr, pc and xPSR.
    pub fn registers(&self) -> [u32; 17] {
        let regs = &self.core.regs;
        std::array::from_fn(|at| match at {
            15 => regs.pc(),
            16 => regs.xpsr,
            _ => self.core.reg(at),
        })
    }

    pub fn set_registers(&mut self, words: &[u32; 17]) {
        for (at, word) in words[..15].iter().enumerate() {
            self.core.set_reg(at, *word);
        }
        self.core.regs.set_pc(words[15] & !1);
        self.core.regs.xpsr = words[16];
        self.core.regs.sync_sp_to_banked();
    }

    /// Whether there is something at `address` that a debugger can read and write.
    pub fn has(&mut self, address: u32) -> bool {
        is_own(address)
            || self.bus.chip.memory(address, 1).is_some()
            || self.bus.chip.timer_at(address).is_some()
            || self
                .bus
                .chip
                .peek_alarms(address & !3, self.now() / self.bus.chip.cycles)
                .is_some()
            || self.bus.chip.status(address & !3).is_some()
    }

    /// A byte as a debugger reads it, which changes nothing.
    pub fn peek(&mut self, address: u32) -> u8 {
        let shift = 8 * (address & 3);
        if address & !3 == CPUID && self.bus.chip.cpuid != 0 {
            (self.bus.chip.cpuid >> shift) as u8
        } else if is_own(address) {
            (self.core.ppb.read32(address & !3) >> shift) as u8
        } else {
            let clock = self.now() / self.bus.chip.cycles;
            let alarms = self.bus.chip.peek_alarms(address & !3, clock);
            alarms.map_or_else(
                || self.bus.load(address, 1) as u8,
                |word| (word >> shift) as u8,
            )
        }
    }

    /// What a debugger writes: memory, flash too, byte by byte; registers by whole words alone.
    pub fn poke(&mut self, address: u32, data: &[u8]) {
        for (at, byte) in data.iter().enumerate() {
            let to = address.wrapping_add(at as u32);
            if let Some((memory, at)) = self.bus.chip.memory(to, 1) {
                memory.bytes[at] = *byte;
            }
        }
        if let ([a, b, c, d], 0) = (data, address & 3) {
            let word = u32::from_le_bytes([*a, *b, *c, *d]);
            if is_own(address) {
                self.core.ppb.write32(address, word);
            } else if is_device(address) && self.has(address) {
                self.bus.store(address, 4, word);
            }
        }
        self.core.invalidate_decode_cache_all();
    }

    pub fn step(&mut self) -> Option<End> {
        let now = self.now();
        self.bus.now = now;
        self.core.ppb.update_latest_cycles(now); // of DWT_CYCCNT
        if now / self.bus.chip.cycles >= self.bus.chip.wake {
            self.bus.chip.synchronise(now / self.bus.chip.cycles);
        }
        self.tell_requests(now);
        self.advance_systick(now);
        if let Some(line) = self.bus.chip.absent {
            let why = format!(
                "interrupt line {line}: the simulated processor has lines 0 to {}",
                LINES - 1
            );
            return Some(End {
                status: STATUS_FAULT,
                why,
            });
        }
        if self.bus.chip.up != 0 {
            self.raise();
        }
        if self.core.is_halted() && self.wakes() {
            self.core.wake();
        }
        if self.core.is_halted() {
            return self.sleep(now);
        }
        let pc = self.core.regs.pc();
        let mut opcode = self.bus.halfword(pc);
        if opcode == SEMIHOSTING {
            return self.semihosting(pc);
        }
        let second = self.bus.halfword(pc + 2);
        if returns_by_pop(&mut self.core, &mut self.bus.chip, opcode, second) {
            self.bus.popping = pc;
            opcode = BX_LR_OPCODE;
        }
        let reserved = Reserved::hidden(&mut self.core, &mut self.bus.chip, opcode, second);
        let access = Access::decoded(&self.core, opcode, second);
        let masking = Masking::decoded(&self.core, opcode);
        let upper = UpperHalf::decoded(&self.core, opcode, second);
        let before = self.core.cycles();
        self.bus.began = false;
        self.core.step(&mut self.bus);
        if let Some(reserved) = reserved {
            reserved.show(&mut self.core);
        }
        let mut cycles = self.core.cycles() - before;
        if self.bus.observer.begun() {
            if let Some(access) = access {
                access.complete(&mut self.core);
            }
            if let Some(masking) = masking {
                masking.complete(&mut self.core);
            }
            if let Some(upper) = upper {
                self.move_upper_half(upper);
                cycles += 1;
            }
            self.bus.observer.ends(cycles);
        } else {
            self.bus.observer.entered(self.core.regs.pc(), cycles);
        }
        self.bus.observer.over().map(|status| End {
            status,
            why: String::new(),
        })
    }

    /// The rest of a VLDR or VSTR, which takes a cycle more.
    fn move_upper_half(&mut self, upper: UpperHalf) {
        if upper.loads {
            let value = self.bus.load(upper.address, 4);
            upper.set(&mut self.core, value);
        } else {
            self.bus.store(upper.address, 4, upper.value(&self.core));
        }
        self.slept += 1;
    }

    /// What has begun to interrupt since the last instruction began, to the observer.
    fn tell_requests(&mut self, now: u64) {
        if self.bus.chip.requests.is_empty() {
            return;
        }
        let (base, cycles) = (self.bus.observer.clock() & !0x3ff, self.bus.chip.cycles);
        self.bus.chip.synchronise(now / cycles);
        for one in std::mem::take(&mut self.bus.chip.requests) {
            let count = self.bus.chip.count_at(base, one.at, now / cycles);
            self.bus
                .observer
                .requested(one.at * cycles, one.base | one.flag, count);
        }
    }

    fn advance_systick(&mut self, now: u64) {
        let ppb = &mut self.core.ppb;
        let counted = ppb.syst_cvr != 0;
        ppb.systick_advance(now);
        if counted && ppb.syst_cvr == 0 && ppb.syst_csr & SYSTICK_ENABLE != 0 {
            ppb.syst_csr |= SYSTICK_COUNTFLAG;
            ppb.icsr |= if ppb.syst_csr & SYSTICK_TICKINT != 0 {
                PENDSTSET
            } else {
                0
            };
        }
    }

    /// When SysTick's count becomes 0 next.
    fn systick_event(&self, now: u64) -> u64 {
        let ppb = &self.core.ppb;
        if ppb.syst_csr & SYSTICK_ENABLE == 0 || ppb.syst_csr & SYSTICK_TICKINT == 0 {
            return u64::MAX;
        }
        now + u64::from(if ppb.syst_cvr == 0 {
            ppb.syst_rvr + 1
        } else {
            ppb.syst_cvr
        })
    }

    /// Lines that are up and whose handlers do not run are pending.
    fn raise(&mut self) {
        let up = self.bus.chip.up;
        let ppb = &self.core.ppb;
        let active = u64::from(ppb.nvic_iabr[0].load(Relaxed))
            | u64::from(ppb.nvic_iabr[1].load(Relaxed)) << 32;
        let mut new = up & !active & !self.pending();
        while new != 0 {
            self.bus.atomics.assert_irq(0, new.trailing_zeros());
            new &= new - 1;
        }
    }

    fn pending(&self) -> u64 {
        let ppb = &self.core.ppb;
        u64::from(ppb.nvic_ispr[0].load(Relaxed)) | u64::from(ppb.nvic_ispr[1].load(Relaxed)) << 32
    }

    fn wakes(&self) -> bool {
        let pending = self.pending() | self.bus.atomics.irq_pending_load(0);
        self.core.ppb.any_pending_enabled(pending) || self.core.ppb.icsr & (7 << 28 | 1 << 26) != 0
    }

    /// WFI: time goes on to the next event of a timer, or to what the observer waits for.
    fn sleep(&mut self, now: u64) -> Option<End> {
        if self.core.regs.ipsr() == 3 {
            let why = format!(
                "locked up at 0x{:08x}: a fault in the handler of faults",
                self.bus.pc
            );
            return Some(End {
                status: STATUS_FAULT,
                why,
            });
        }
        let event = self.bus.chip.wake.saturating_mul(self.bus.chip.cycles);
        let until = event
            .min(self.systick_event(now))
            .min(self.bus.observer.sleeps_until(now));
        if until == u64::MAX {
            let why = format!("sleeps at 0x{:08x}, and nothing wakes it", self.bus.pc);
            return Some(End {
                status: STATUS_FAULT,
                why,
            });
        }
        let cycles = until.saturating_sub(now).max(1);
        self.slept += cycles;
        self.bus.observer.slept(cycles, now + cycles);
        self.bus.observer.over().map(|status| End {
            status,
            why: String::new(),
        })
    }

    /// BKPT 0xAB: the console, and the end.
    fn semihosting(&mut self, pc: u32) -> Option<End> {
        let (operation, argument) = (self.core.reg(0), self.core.reg(1));
        self.core.regs.set_pc(pc.wrapping_add(2));
        let status = match operation {
            0x03 => return write(&[self.bus.load(argument, 1) as u8]),
            0x04 => {
                let text = self.bus.text(argument);
                return write(&text);
            }
            0x18 => i32::from(argument != 0x20026),
            0x20 => self.bus.load(argument + 4, 4) as i32,
            _ => {
                let why = format!("semihosting operation 0x{operation:x}, which is not there");
                return Some(End {
                    status: STATUS_FAULT,
                    why,
                });
            }
        };
        Some(End {
            status,
            why: String::new(),
        })
    }
}

/// Where the architecture has the chip's devices.
pub fn is_device(address: u32) -> bool {
    address >> 28 == 4
}

/// The processor's own registers: DWT, SysTick, NVIC, SCB.
fn is_own(address: u32) -> bool {
    address >> 20 == 0xe00
}

fn write(text: &[u8]) -> Option<End> {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text).and_then(|()| out.flush());
    None
}
