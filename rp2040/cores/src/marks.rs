// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! Writes down when a core begins to execute what is behind an address, and when it has taken an interrupt: a line
//! `<cycle> mark <address>` or `<cycle> trap <exception>` each, a file a core.

use crate::machine::Observer;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};

#[derive(Default)]
pub struct Marks {
    pub addresses: HashSet<u32>,
    files: [Option<BufWriter<File>>; 2],
}

impl Marks {
    pub fn write_to(&mut self, core: usize, path: &str) -> Result<(), String> {
        let file = File::create(path).map_err(|error| format!("{path}: {error}"))?;
        self.files[core] = Some(BufWriter::new(file));
        Ok(())
    }

    fn line(&mut self, core: usize, text: std::fmt::Arguments) {
        if let Some(file) = &mut self.files[core] {
            let _ = file.write_fmt(text);
        }
    }

    /// What is written may be wrong only now.
    pub fn end(&mut self) -> Result<(), String> {
        for file in self.files.iter_mut().flatten() {
            file.flush().map_err(|error| format!("events: {error}"))?;
        }
        Ok(())
    }
}

impl Observer for Marks {
    fn begins(&mut self, core: usize, pc: u32, now: u64) {
        if self.addresses.contains(&pc) {
            self.line(core, format_args!("{now} mark {pc:x}\n"));
        }
    }

    fn enters(&mut self, core: usize, exception: u32, now: u64) {
        self.line(core, format_args!("{now} trap {exception}\n"));
    }
}
