// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! Runs a firmware of an STM32, or of one core of an RP2350, to its end, and ends with its status. Its console is standard output. Runs are the same, bit
//! by bit, whenever they are repeated.
//!
//!   --chip FILE     memory, timers and lines (chip.rs)
//!   --elf FILE      the program
//!   --gdb PORT      a gdb server at that port of this machine, in place of a run; 0: any, which is said. --elf may be missing
//!   --cycles N      gives up then
//!   --watch FILE    what to count, as watch/watch.h says; the end of the watch is the end, with status 0
//!
//! Exit status: the program's own; 124 if --cycles were over; 125 if the arguments or a file are wrong; 126 if the program
//! has done what it cannot.

mod chip;
mod gdb;
mod machine;
mod mends;
mod observer;
mod registers;
mod timer;
#[path = "../../rp2040/cores/src/timer.rs"]
mod timer_rp;

use chip::Chip;
use elf::ElfBytes;
use elf::abi::PT_LOAD;
use elf::endian::LittleEndian;
use machine::{End, Machine};
use observer::Observer;

const STATUS_WRONG: i32 = 125;

#[derive(Default)]
struct Options {
    chip: String,
    elf: Option<String>,
    gdb: Option<u16>,
    watch: Option<String>,
    cycles: Option<u64>,
}

fn options() -> Result<Options, String> {
    let mut found = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        match word.as_str() {
            "--chip" => found.chip = value,
            "--elf" => found.elf = Some(value),
            "--gdb" => {
                let port = value
                    .parse()
                    .map_err(|_| format!("--gdb {value} is no port: 0 to 65535"))?;
                found.gdb = Some(port);
            }
            "--watch" => found.watch = Some(value),
            "--cycles" => {
                let number = value
                    .parse()
                    .map_err(|_| format!("--cycles {value} is no number"))?;
                found.cycles = Some(number);
            }
            _ => {
                return Err(format!(
                    "{word}: --chip, --elf, --gdb, --watch and --cycles are known"
                ));
            }
        }
    }
    if found.chip.is_empty() || (found.elf.is_none() && found.gdb.is_none()) {
        return Err("--chip and --elf are needed, or --chip and --gdb".to_string());
    }
    Ok(found)
}

/// Loads the program; the address of its first segment is that of the vectors.
fn load(chip: &mut Chip, path: &str) -> Result<u32, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let file = ElfBytes::<LittleEndian>::minimal_parse(&bytes)
        .map_err(|error| format!("{path}: {error}"))?;
    let segments = file.segments().ok_or(format!("{path}: no program"))?;
    let mut vectors = None;
    for segment in segments
        .iter()
        .filter(|one| one.p_type == PT_LOAD && one.p_filesz > 0)
    {
        let data = file
            .segment_data(&segment)
            .map_err(|error| format!("{path}: {error}"))?;
        let address = segment.p_paddr as u32;
        let (memory, at) = chip
            .memory(address, data.len() as u32)
            .ok_or(format!("{path}: the chip has no memory at 0x{address:08x}"))?;
        memory.bytes[at..at + data.len()].copy_from_slice(data);
        vectors = vectors.min(Some(address)).or(Some(address));
    }
    vectors.ok_or(format!("{path}: nothing to load"))
}

fn machine(options: &Options, text: &str) -> Result<Machine, String> {
    let mut chip = Chip::read(text).map_err(|why| format!("{}: {why}", options.chip))?;
    let vectors = match &options.elf {
        Some(path) => load(&mut chip, path)?,
        None => chip.start(), // which a debugger fills
    };
    let observer = match &options.watch {
        Some(path) => Observer::configured(path)?,
        None => Observer::default(),
    };
    Ok(Machine::new(chip, observer, vectors))
}

fn run(options: &Options) -> Result<End, String> {
    let text = std::fs::read_to_string(&options.chip)
        .map_err(|error| format!("{}: {error}", options.chip))?;
    let mut machine = machine(options, &text)?;
    let cycles = options.cycles.unwrap_or(u64::MAX);
    match options.gdb {
        Some(port) => gdb::serve(machine, text, port, cycles),
        None => Ok(machine.run(cycles)),
    }
}

fn main() {
    let status = match options().and_then(|found| run(&found)) {
        Ok(end) => {
            if !end.why.is_empty() {
                eprintln!("horolog-stm32: {}", end.why);
            }
            end.status
        }
        Err(why) => {
            eprintln!("horolog-stm32: {why}");
            STATUS_WRONG
        }
    };
    std::process::exit(status);
}
