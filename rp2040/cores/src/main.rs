// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! Runs a firmware on both cores of an RP2040 to its end, and ends with its status. Its console is standard output. Runs are
//! the same, bit by bit, whenever they are repeated.
//!
//!   --elf FILE           the program
//!   --cycles N           gives up then
//!   --mark ADDRESS       writes down when a core begins to execute what is there; repeated
//!   --events CORE:FILE   where (marks.rs); repeated
//!
//! Exit status: the program's own; 124 if --cycles were over; 125 if the arguments or a file are wrong; 126 if the program
//! has done what it cannot.

mod bus;
mod cycles;
mod machine;
mod marks;
mod systick;
mod timer;

use bus::Bus;
use elf::ElfBytes;
use elf::abi::PT_LOAD;
use elf::endian::LittleEndian;
use machine::{End, Machine};
use marks::Marks;

const STATUS_WRONG: i32 = 125;
const FLASH: u64 = 0x1000_0000;

#[derive(Default)]
struct Options {
    elf: String,
    cycles: Option<u64>,
    marks: Marks,
}

fn number(word: &str, value: &str) -> Result<u64, String> {
    let parsed = match value.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => value.parse(),
    };
    parsed.map_err(|_| format!("{word} {value} is no number"))
}

fn options() -> Result<Options, String> {
    let mut found = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        match word.as_str() {
            "--elf" => found.elf = value,
            "--cycles" => found.cycles = Some(number(&word, &value)?),
            "--mark" => {
                let address = number(&word, &value)?;
                found.marks.addresses.insert(address as u32);
            }
            "--events" => match value.split_once(':') {
                Some(("0", path)) => found.marks.write_to(0, path)?,
                Some(("1", path)) => found.marks.write_to(1, path)?,
                _ => return Err(format!("--events {value} is not 0:FILE or 1:FILE")),
            },
            _ => {
                return Err(format!(
                    "{word}: --elf, --cycles, --mark and --events are known"
                ));
            }
        }
    }
    if found.elf.is_empty() {
        return Err("--elf is needed".to_string());
    }
    Ok(found)
}

fn load(bus: &mut Bus, path: &str) -> Result<(), String> {
    let wrong = |why: String| format!("{path}: {why}");
    let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let file = ElfBytes::<LittleEndian>::minimal_parse(&bytes)
        .map_err(|error| wrong(error.to_string()))?;
    let segments = file.segments().ok_or(wrong("no program".to_string()))?;
    for segment in segments
        .iter()
        .filter(|one| one.p_type == PT_LOAD && one.p_filesz > 0)
    {
        let data = file
            .segment_data(&segment)
            .map_err(|error| wrong(error.to_string()))?;
        let at = segment.p_paddr.wrapping_sub(FLASH) as usize;
        let to = bus.flash.get_mut(at..at.saturating_add(data.len()));
        let Some(to) = to else {
            return Err(wrong(format!(
                "has bytes for 0x{:08x}, which is not in flash",
                segment.p_paddr
            )));
        };
        to.copy_from_slice(data);
    }
    Ok(())
}

fn run(mut options: Options) -> Result<End, String> {
    let mut bus = Bus::new();
    load(&mut bus, &options.elf)?;
    let cycles = options.cycles.unwrap_or(u64::MAX);
    let end = Machine::new(bus).run(cycles, &mut options.marks);
    options.marks.end()?;
    Ok(end)
}

fn main() {
    let status = match options().and_then(run) {
        Ok(end) => {
            if !end.why.is_empty() {
                eprintln!("horolog-rp2040: {}", end.why);
            }
            end.status
        }
        Err(why) => {
            eprintln!("horolog-rp2040: {why}");
            STATUS_WRONG
        }
    };
    std::process::exit(status);
}
