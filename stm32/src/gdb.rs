// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! A gdb server for the chip, by the crate gdbstub: what a debug probe's server shows of a real one.
//!
//! One debugger at a time. Until the first lets the processor run, it stands at its reset; it goes on when a debugger leaves,
//! and stands again when the next one comes. All memory can be written, flash too, and breakpoints are the hardware's, so
//! that they change none; a BKPT stops, too, if it is none of semihosting. `monitor reset halt` resets the chip and keeps
//! its memory. As probe-rs does, it tells gdb of flash and RAM alone, so that gdb erases flash before it writes there, and
//! must be told to look elsewhere.

use crate::chip::Chip;
use crate::machine::{End, Machine, is_device};
use crate::observer::Observer;
use gdbstub::arch::{Arch, Registers};
use gdbstub::common::Signal;
use gdbstub::conn::{Connection, ConnectionExt};
use gdbstub::stub::run_blocking::{BlockingEventLoop, Event, WaitForStopReasonError};
use gdbstub::stub::{DisconnectReason, GdbStub, SingleThreadStopReason};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::singlethread::{
    SingleThreadBase, SingleThreadResume, SingleThreadResumeOps, SingleThreadSingleStep,
    SingleThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, SwBreakpoint, SwBreakpointOps,
};
use gdbstub::target::ext::flash::{Flash, FlashOps};
use gdbstub::target::ext::memory_map::{MemoryMap, MemoryMapOps};
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::{Target, TargetError, TargetResult};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener, TcpStream};

/// Between two looks for a debugger, where nothing runs.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(10);
/// Steps between two looks for what the debugger sends.
const STEPS: u32 = 50_000;
/// Of flash: what is erased at once.
const BLOCK: u32 = 0x400;
const ERASED: u8 = 0xff;
const WORDS: usize = 17;
const PC: usize = 15;

/// r0 to r12, sp, lr, pc and xPSR.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words([u32; WORDS]);

impl Registers for Words {
    type ProgramCounter = u32;

    fn pc(&self) -> u32 {
        self.0[PC]
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        for byte in self.0.iter().flat_map(|word| word.to_le_bytes()) {
            write_byte(Some(byte));
        }
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        let (words, rest) = bytes.as_chunks::<4>();
        if words.len() < WORDS || !rest.is_empty() {
            return Err(());
        }
        for (word, read) in self.0.iter_mut().zip(words) {
            *word = u32::from_le_bytes(*read);
        }
        Ok(())
    }
}

/// The registers that gdb knows of Armv7-M and Armv8-M, by the names of its documentation.
const REGISTERS: &str = r#"<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd">
<target version="1.0"><architecture>arm</architecture><feature name="org.gnu.gdb.arm.m-profile">
<reg name="r0" bitsize="32"/><reg name="r1" bitsize="32"/><reg name="r2" bitsize="32"/><reg name="r3" bitsize="32"/>
<reg name="r4" bitsize="32"/><reg name="r5" bitsize="32"/><reg name="r6" bitsize="32"/><reg name="r7" bitsize="32"/>
<reg name="r8" bitsize="32"/><reg name="r9" bitsize="32"/><reg name="r10" bitsize="32"/><reg name="r11" bitsize="32"/>
<reg name="r12" bitsize="32"/><reg name="sp" bitsize="32" type="data_ptr"/><reg name="lr" bitsize="32"/>
<reg name="pc" bitsize="32" type="code_ptr"/><reg name="xpsr" bitsize="32" regnum="25"/></feature></target>"#;

pub struct CortexM;

impl Arch for CortexM {
    type Usize = u32;
    type Registers = Words;
    type BreakpointKind = usize;
    type RegId = ();

    fn target_description_xml() -> Option<&'static str> {
        Some(REGISTERS)
    }
}

/// The machine in the hands of a debugger.
struct Debugged {
    machine: Machine,
    /// The file of the chip, by which a reset makes its devices anew.
    chip: String,
    stops: Vec<u32>,
    once: bool,
    limit: u64,
    end: Option<End>,
}

enum Stopped {
    Stepped,
    At,
    Ended,
}

impl Debugged {
    /// Runs until something is to be told, or for STEPS.
    fn go(&mut self) -> Option<Stopped> {
        for _ in 0..STEPS {
            self.end = self.machine.step();
            if self.end.is_none() && self.machine.now() >= self.limit {
                self.end = Some(self.machine.over(self.limit));
            }
            if self.end.is_some() {
                return Some(Stopped::Ended);
            }
            if self.once {
                return Some(Stopped::Stepped);
            }
            if self.stops.contains(&self.machine.pc()) || self.machine.stands_at_bkpt() {
                return Some(Stopped::At);
            }
        }
        None
    }

    fn reset(&mut self) -> Result<(), String> {
        let mut chip = Chip::read(&self.chip)?;
        for (to, from) in chip
            .memories
            .iter_mut()
            .zip(&self.machine.bus.chip.memories)
        {
            to.bytes.copy_from_slice(&from.bytes);
        }
        let vectors = chip.start();
        self.machine = Machine::new(chip, Observer::default(), vectors);
        self.end = None;
        Ok(())
    }

    fn reached(&mut self, addresses: &[u32]) -> TargetResult<(), Self> {
        let all = addresses.iter().all(|one| self.machine.has(*one));
        if all {
            Ok(())
        } else {
            Err(TargetError::NonFatal)
        }
    }
}

impl Target for Debugged {
    type Arch = CortexM;
    type Error = &'static str;

    fn base_ops(&mut self) -> BaseOps<'_, Self::Arch, Self::Error> {
        BaseOps::SingleThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_memory_map(&mut self) -> Option<MemoryMapOps<'_, Self>> {
        Some(self)
    }

    fn support_flash_operations(&mut self) -> Option<FlashOps<'_, Self>> {
        Some(self)
    }
}

/// Flash and RAM of `chip`, as gdb's documentation has it.
fn memory_map(chip: &Chip) -> String {
    let regions = chip.memories.iter().filter(|one| !is_device(one.origin));
    let lines = regions.map(|one| {
        let (kind, block) = if one.writable {
            ("ram", String::new())
        } else {
            let block = format!("<property name=\"blocksize\">{BLOCK:#x}</property>");
            ("flash", block)
        };
        let (start, length) = (one.origin, one.bytes.len());
        format!(
            "<memory type=\"{kind}\" start=\"{start:#x}\" length=\"{length:#x}\">{block}</memory>"
        )
    });
    let all: String = lines.collect();
    format!("<?xml version=\"1.0\"?><memory-map>{all}</memory-map>")
}

impl MemoryMap for Debugged {
    fn memory_map_xml(
        &self,
        offset: u64,
        length: usize,
        buf: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let map = memory_map(&self.machine.bus.chip);
        let from = map.as_bytes().get(offset as usize..).unwrap_or_default();
        let count = from.len().min(length).min(buf.len());
        buf[..count].copy_from_slice(&from[..count]);
        Ok(count)
    }
}

impl Flash for Debugged {
    fn flash_erase(&mut self, start: u32, length: u32) -> TargetResult<(), Self> {
        self.write_addrs(start, &vec![ERASED; length as usize])
    }

    fn flash_write(&mut self, start: u32, data: &[u8]) -> TargetResult<(), Self> {
        self.write_addrs(start, data)
    }

    fn flash_done(&mut self) -> TargetResult<(), Self> {
        Ok(())
    }
}

impl MonitorCmd for Debugged {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), Self::Error> {
        let said = match command {
            b"reset halt" => self.reset().err().unwrap_or_default(),
            _ => "`monitor reset halt` is known\n".to_string(),
        };
        out.write_raw(said.as_bytes());
        Ok(())
    }
}

impl SingleThreadBase for Debugged {
    fn read_registers(&mut self, words: &mut Words) -> TargetResult<(), Self> {
        words.0 = self.machine.registers();
        Ok(())
    }

    fn write_registers(&mut self, words: &Words) -> TargetResult<(), Self> {
        self.machine.set_registers(&words.0);
        Ok(())
    }

    fn read_addrs(&mut self, start: u32, data: &mut [u8]) -> TargetResult<usize, Self> {
        self.reached(&[start])?;
        let mut read = 0;
        for (at, byte) in data.iter_mut().enumerate() {
            let address = start.wrapping_add(at as u32);
            if !self.machine.has(address) {
                break;
            }
            *byte = self.machine.peek(address);
            read = at + 1;
        }
        Ok(read)
    }

    fn write_addrs(&mut self, start: u32, data: &[u8]) -> TargetResult<(), Self> {
        let last = start.wrapping_add(data.len().saturating_sub(1) as u32);
        self.reached(&[start, last])?;
        self.machine.poke(start, data);
        Ok(())
    }

    fn support_resume(&mut self) -> Option<SingleThreadResumeOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadResume for Debugged {
    fn resume(&mut self, _: Option<Signal>) -> Result<(), Self::Error> {
        self.once = false;
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<SingleThreadSingleStepOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadSingleStep for Debugged {
    fn step(&mut self, _: Option<Signal>) -> Result<(), Self::Error> {
        self.once = true;
        Ok(())
    }
}

impl Breakpoints for Debugged {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for Debugged {
    fn add_sw_breakpoint(&mut self, address: u32, kind: usize) -> TargetResult<bool, Self> {
        self.add_hw_breakpoint(address, kind)
    }

    fn remove_sw_breakpoint(&mut self, address: u32, kind: usize) -> TargetResult<bool, Self> {
        self.remove_hw_breakpoint(address, kind)
    }
}

impl HwBreakpoint for Debugged {
    fn add_hw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        self.stops.push(address);
        Ok(true)
    }

    fn remove_hw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        let found = self.stops.iter().position(|one| *one == address);
        if let Some(at) = found {
            self.stops.swap_remove(at);
        }
        Ok(found.is_some())
    }
}

enum Loop {}

type Wait = WaitForStopReasonError<&'static str, std::io::Error>;

impl BlockingEventLoop for Loop {
    type Target = Debugged;
    type Connection = TcpStream;
    type StopReason = SingleThreadStopReason<u32>;

    fn wait_for_stop_reason(
        target: &mut Debugged,
        connection: &mut TcpStream,
    ) -> Result<Event<Self::StopReason>, Wait> {
        loop {
            if ConnectionExt::peek(connection).map_or(true, |byte| byte.is_some()) {
                let byte = ConnectionExt::read(connection).map_err(Wait::Connection)?;
                return Ok(Event::IncomingData(byte));
            }
            let Some(stopped) = target.go() else {
                continue;
            };
            return Ok(Event::TargetStopped(match stopped {
                Stopped::Stepped => SingleThreadStopReason::DoneStep,
                Stopped::At => SingleThreadStopReason::HwBreak(()),
                Stopped::Ended => {
                    let status = target.end.as_ref().map_or(0, |end| end.status);
                    SingleThreadStopReason::Exited(status as u8)
                }
            }));
        }
    }

    fn on_interrupt(_: &mut Debugged) -> Result<Option<Self::StopReason>, &'static str> {
        Ok(Some(SingleThreadStopReason::Signal(Signal::SIGINT)))
    }
}

/// Runs without a debugger until the next one comes, or to the end.
fn undisturbed(target: &mut Debugged, listener: &TcpListener) -> Result<Option<TcpStream>, String> {
    listener
        .set_nonblocking(true)
        .map_err(|error| format!("the port: {error}"))?;
    target.once = false;
    target.stops.clear();
    loop {
        match listener.accept() {
            Ok((connection, _)) => return Ok(Some(connection)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(format!("the port: {error}")),
        }
        if target.machine.now() >= target.limit {
            return Ok(None);
        }
        if target.end.is_some() {
            std::thread::sleep(PAUSE); // the program has ended, and the next may be loaded
        } else {
            target.go();
        }
    }
}

/// Serves debuggers at `port` of this machine, until one kills the program, or it is at cycle `limit`.
/// `chip` is the text of the chip's file.
pub fn serve(machine: Machine, chip: String, port: u16, limit: u64) -> Result<End, String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| format!("port {port}: {error}"))?;
    let at = listener.local_addr().map_or(port, |found| found.port());
    eprintln!("horolog-stm32: Listening on port {at} for gdb connections");
    let mut target = Debugged {
        machine,
        chip,
        stops: Vec::new(),
        once: false,
        limit,
        end: None,
    };
    let mut next = listener
        .accept()
        .map(|(connection, _)| connection)
        .map_err(|error| format!("port {port}: {error}"))?;
    loop {
        let begun = next.set_nonblocking(false);
        begun
            .and(next.on_session_start())
            .map_err(|error| format!("the debugger: {error}"))?;
        match GdbStub::new(next).run_blocking::<Loop>(&mut target) {
            Ok(DisconnectReason::Disconnect | DisconnectReason::TargetExited(_)) => {}
            Ok(_) => break,
            Err(error) if error.is_connection_error() => {} // it is gone
            Err(error) => return Err(format!("the debugger: {error}")),
        }
        match undisturbed(&mut target, &listener)? {
            Some(connection) => next = connection,
            None => break,
        }
    }
    Ok(target.end.unwrap_or(End {
        status: 0,
        why: String::new(),
    }))
}
