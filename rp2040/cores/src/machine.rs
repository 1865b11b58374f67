// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! Both cores, an instruction or an exception at a time: always of the core that is further behind, so that accesses happen
//! in the order of time. Each has its own cycles, which are counted here (cycles.rs).
//!
//! The crate leaves to its user, or does otherwise than the manuals: an interrupt never interrupts a handler there, lines that
//! stay up come again at once, and SysTick wakes nothing.

use crate::bus::{Bus, Launch};
use crate::cycles;
use rp2040_emu::core::{CoreBus, CortexM0Plus};
use std::io::Write;

pub const STATUS_LIMIT: i32 = 124;
pub const STATUS_FAULT: i32 = 126;
const SEMIHOSTING: u16 = 0xbeab;
const VECTORS: u32 = 0x1000_0100; // behind the second stage of the boot
const PENDSV: u32 = 1 << 28;
const SYSTICK: u32 = 1 << 26;
const HARD_FAULT: u32 = 3;

/// How a run has ended.
pub struct End {
    pub status: i32,
    pub why: String,
}

impl End {
    fn fault(why: String) -> Self {
        let status = STATUS_FAULT;
        Self { status, why }
    }
}

/// Is told what a core does, and when.
pub trait Observer {
    fn begins(&mut self, core: usize, pc: u32, now: u64);
    fn enters(&mut self, core: usize, exception: u32, now: u64);
}

pub struct Machine {
    cores: [CortexM0Plus; 2],
    pub bus: Bus,
    times: [u64; 2],
}

impl Machine {
    /// Core 0 as the second stage of the boot leaves it, and core 1 in the boot ROM.
    pub fn new(bus: Bus) -> Self {
        let mut machine = Self {
            cores: [CortexM0Plus::with_id(0), CortexM0Plus::with_id(1)],
            bus,
            times: [0; 2],
        };
        let (stack, entry) = (machine.bus.word(VECTORS), machine.bus.word(VECTORS + 4));
        machine.begin(0, VECTORS, stack, entry);
        machine
    }

    fn begin(&mut self, core: usize, vectors: u32, stack: u32, entry: u32) {
        self.bus.ppb_mut(core).vtor = vectors;
        let one = &mut self.cores[core];
        one.reset_control_for_launch();
        one.regs.msp = stack;
        one.regs.sync_sp_from_banked();
        one.regs.set_pc(entry & !1);
    }

    pub fn run(&mut self, limit: u64, observer: &mut impl Observer) -> End {
        loop {
            let core = self.behind();
            if self.times[core] >= limit {
                let why = format!("{limit} cycles are over");
                return End {
                    status: STATUS_LIMIT,
                    why,
                };
            }
            if let Some(end) = self.step(core, observer) {
                return end;
            }
        }
    }

    /// The core whose turn it is: of those that run, the one that is further behind.
    fn behind(&mut self) -> usize {
        match self.bus.launch {
            Launch::Off | Launch::Waits { .. } => 0,
            Launch::Begins {
                vectors,
                stack,
                entry,
            } => {
                self.begin(1, vectors, stack, entry);
                self.times[1] = self.times[0];
                self.bus.launch = Launch::Runs;
                0
            }
            Launch::Runs => usize::from(self.times[1] < self.times[0]),
        }
    }

    fn step(&mut self, core: usize, observer: &mut impl Observer) -> Option<End> {
        let now = self.times[core];
        (self.bus.active, self.bus.now) = (core, now);
        if self.bus.systick[core].advance(now) {
            self.bus.ppb_mut(core).icsr |= SYSTICK;
        }
        self.bus.raise(now);
        if self.sleeps(core) {
            return self.sleep(core, now);
        }
        let pc = self.cores[core].regs.pc();
        let (first, second) = (self.bus.halfword(pc), self.bus.halfword(pc.wrapping_add(2)));
        if first == SEMIHOSTING {
            return self.semihosting(core, pc);
        }
        let before = self.cores[core].regs.ipsr();
        let active = self.hide_active(core);
        self.bus.begin();
        self.cores[core].step(&mut self.bus);
        self.bus.ppb_mut(core).active |= active;
        let seen = self.bus.seen;
        let mut took = seen.waits + seen.entered * cycles::ENTRY + seen.left * cycles::RETURN;
        if seen.executed {
            let length = if first >> 11 == 0b11110 { 4 } else { 2 };
            let goes_on = pc.wrapping_add(length) == self.cores[core].regs.pc();
            took += cycles::instruction(first, second, seen.left > 0 || !goes_on);
            observer.begins(core, pc, now);
        }
        if seen.left > 0 {
            self.bus.end_of(core, before);
        }
        self.times[core] += took.max(1);
        let ipsr = self.cores[core].regs.ipsr();
        if seen.entered > 0 {
            observer.enters(core, ipsr, self.times[core]);
        }
        (self.cores[core].is_halted() && ipsr == HARD_FAULT && before == HARD_FAULT).then(|| {
            let why = format!("locked up at 0x{pc:08x}: a fault in the handler of faults");
            End::fault(why)
        })
    }

    fn priority(&self, core: usize, exception: u32) -> i16 {
        match exception {
            0..16 => self.bus.ppb(core).exception_priority(exception as u16),
            line => i16::from(self.bus.nvic(core).get_priority((line - 16) as u8)),
        }
    }

    /// The priority of the most urgent exception that is pending and enabled.
    fn pending(&self, core: usize) -> Option<i16> {
        let icsr = self.bus.ppb(core).icsr;
        let own = [(PENDSV, 14), (SYSTICK, 15)];
        let own = own.iter().filter(|(bit, _)| icsr & bit != 0);
        let lines = self.bus.nvic(core).highest_priority_pending();
        own.map(|&(_, exception)| self.priority(core, exception))
            .chain(lines.map(|(_, priority)| i16::from(priority)))
            .min()
    }

    /// The crate takes an interrupt only where none is active. So where the pending one is more urgent, what is active is
    /// taken away for the step in which it is entered.
    fn hide_active(&mut self, core: usize) -> u64 {
        let active = self.bus.ppb(core).active;
        if active == 0 || self.cores[core].regs.primask & 1 != 0 {
            return 0;
        }
        let running = (0..64)
            .filter(|bit| active & 1 << bit != 0)
            .map(|bit| self.priority(core, bit))
            .min();
        if self.pending(core) >= running || self.pending(core).is_none() {
            return 0;
        }
        self.bus.ppb_mut(core).active = 0;
        active
    }

    /// Whether `core` waits in WFI or WFE; what wakes it has been looked for.
    fn sleeps(&mut self, core: usize) -> bool {
        let wakes = self.pending(core).is_some();
        if self.bus.is_waiting(core) && (wakes || self.bus.consume_event_flag(core)) {
            self.bus.set_wfe_waiting(core, false);
        }
        if self.cores[core].is_halted() && wakes {
            self.cores[core].wake();
        }
        self.cores[core].is_halted() || self.bus.is_waiting(core)
    }

    /// Time goes on to what may wake `core`.
    fn sleep(&mut self, core: usize, now: u64) -> Option<End> {
        let other = 1 - core;
        let runs = core == 1 || self.bus.launch == Launch::Runs;
        let awake = runs && !self.cores[other].is_halted() && !self.bus.is_waiting(other);
        let mut until = self.bus.timer.next().min(self.bus.systick[core].next(now));
        if awake {
            until = until.min(self.times[other] + 1);
        } else if runs {
            until = until.min(self.bus.systick[other].next(self.times[other]));
        }
        if until == u64::MAX {
            let pc = self.cores[core].regs.pc();
            return Some(End::fault(format!(
                "core {core} sleeps at 0x{pc:08x}, and nothing wakes it"
            )));
        }
        self.times[core] = until.max(now + 1);
        None
    }

    /// BKPT 0xAB: the console, and the end.
    fn semihosting(&mut self, core: usize, pc: u32) -> Option<End> {
        let (operation, argument) = (self.cores[core].reg(0), self.cores[core].reg(1));
        self.cores[core].regs.set_pc(pc.wrapping_add(2));
        self.times[core] += 1;
        let status = match operation {
            0x03 => {
                let text = [self.bus.word(argument) as u8];
                return write(&text);
            }
            0x04 => {
                let text = self.bus.text(argument);
                return write(&text);
            }
            0x18 => i32::from(argument != 0x20026),
            0x20 => self.bus.word(argument + 4) as i32,
            _ => {
                let why = format!("semihosting operation 0x{operation:x}, which is not there");
                return Some(End::fault(why));
            }
        };
        let why = String::new();
        Some(End { status, why })
    }
}

fn write(text: &[u8]) -> Option<End> {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text).and_then(|()| out.flush());
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;
    impl Observer for Nothing {
        fn begins(&mut self, _: usize, _: u32, _: u64) {}
        fn enters(&mut self, _: usize, _: u32, _: u64) {}
    }

    /// A program of halfwords behind the vectors, which all point at their own words of `code`.
    fn machine(handlers: &[(usize, u32)], code: &[(u32, &[u16])]) -> Machine {
        let mut bus = Bus::new();
        let mut put = |address: u32, bytes: &[u8]| {
            let at = (address - 0x1000_0000) as usize;
            bus.flash[at..at + bytes.len()].copy_from_slice(bytes);
        };
        put(VECTORS, &0x2004_0000u32.to_le_bytes());
        for &(exception, address) in handlers {
            put(VECTORS + 4 * exception as u32, &(address | 1).to_le_bytes());
        }
        for &(address, halfwords) in code {
            for (number, halfword) in halfwords.iter().enumerate() {
                put(address + 2 * number as u32, &halfword.to_le_bytes());
            }
        }
        Machine::new(bus)
    }

    const MAIN: u32 = 0x1000_1000;
    const FIRST: u32 = 0x1000_2000;
    const SECOND: u32 = 0x1000_3000;
    const HERE: u16 = 0xe7fe; // b .

    #[test]
    fn a_more_urgent_interrupt_interrupts_a_handler() {
        let mut machine = machine(
            &[(1, MAIN), (16, FIRST), (17, SECOND)],
            &[(MAIN, &[HERE]), (FIRST, &[HERE]), (SECOND, &[0x4770])],
        );
        let nvic = machine.bus.nvic_mut(0);
        nvic.enabled = 3;
        nvic.priority[0] = 0x40;
        nvic.pending = 1;
        machine.step(0, &mut Nothing);
        assert_eq!(machine.cores[0].regs.pc(), FIRST);
        assert_eq!(machine.times[0], cycles::ENTRY);
        machine.bus.nvic_mut(0).pending = 2;
        machine.step(0, &mut Nothing);
        assert_eq!(machine.cores[0].regs.pc(), SECOND);
        machine.step(0, &mut Nothing);
        assert_eq!(machine.cores[0].regs.pc(), FIRST);
        assert_eq!(machine.cores[0].regs.ipsr(), 16);
        assert_eq!(machine.times[0], 2 * cycles::ENTRY + 2 + cycles::RETURN);
    }

    #[test]
    fn an_interrupt_as_urgent_waits_for_the_handler() {
        let mut machine = machine(
            &[(1, MAIN), (16, FIRST), (17, SECOND)],
            &[
                (MAIN, &[HERE]),
                (FIRST, &[0x46c0, 0x4770]),
                (SECOND, &[HERE]),
            ],
        );
        machine.bus.nvic_mut(0).enabled = 3;
        machine.bus.nvic_mut(0).pending = 3;
        machine.step(0, &mut Nothing);
        machine.step(0, &mut Nothing);
        assert_eq!(machine.cores[0].regs.pc(), FIRST + 2);
        machine.step(0, &mut Nothing);
        assert_eq!(machine.cores[0].regs.pc(), SECOND);
    }

    #[test]
    fn a_sleeping_core_wakes_at_an_alarm() {
        let mut machine = machine(
            &[(1, MAIN), (16, FIRST)],
            &[(MAIN, &[0xbf30, HERE]), (FIRST, &[0xbeab])],
        );
        machine.bus.timer.write(0x38, 1, 0);
        machine.bus.timer.write(0x10, 3, 0);
        machine.bus.nvic_mut(0).enabled = 1;
        machine.cores[0].set_reg(0, 0x18);
        machine.cores[0].set_reg(1, 0x20026);
        let end = machine.run(10_000, &mut Nothing);
        assert_eq!(end.status, 0);
        assert_eq!(machine.times[0], 3 * 125 + cycles::ENTRY + 1);
    }
}
