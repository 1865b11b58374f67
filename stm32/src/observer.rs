// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! What a run is watched by: the front end of watch/ in watcher.c, or nothing.

use std::ffi::{CString, c_char, c_int};

unsafe extern "C" {
    fn watcher_configure(path: *const c_char, why: *mut c_char, size: usize) -> bool;
    fn watcher_begins(pc: u32, now: u64);
    fn watcher_loads(address: u32);
    fn watcher_stores(address: u32, value: u32);
    fn watcher_ends(cycles: u64);
    fn watcher_entered(pc: u32, cycles: u64);
    fn watcher_slept(cycles: u64, now: u64);
    fn watcher_sleeps_until(now: u64) -> u64;
    fn watcher_over() -> c_int;
    fn watcher_clock() -> u64;
    fn watcher_requested(cycles: u64, source: u32, count: u32);
}

#[derive(Default)]
pub struct Observer {
    watches: bool,
    begun: bool,
}

impl Observer {
    /// Watches as the file at `path` says (watch/watch.h). One in a process: the state is watcher.c's.
    pub fn configured(path: &str) -> Result<Self, String> {
        let mut why = [0u8; 512];
        let name = CString::new(path).map_err(|_| "a path with a zero byte".to_string())?;
        // SAFETY: both buffers outlive the call, and the size is that of `why`.
        let fine = unsafe { watcher_configure(name.as_ptr(), why.as_mut_ptr().cast(), why.len()) };
        let text = String::from_utf8_lossy(&why);
        if fine {
            Ok(Self {
                watches: true,
                begun: false,
            })
        } else {
            Err(text.split('\0').next().unwrap_or_default().to_string())
        }
    }

    // SAFETY, of all below: the functions take and return numbers alone, after watcher_configure(), on one thread.

    pub fn begins(&mut self, pc: u32, now: u64) {
        self.begun = true;
        if self.watches {
            unsafe { watcher_begins(pc, now) }
        }
    }

    pub fn loads(&mut self, address: u32) {
        if self.watches {
            unsafe { watcher_loads(address) }
        }
    }

    pub fn stores(&mut self, address: u32, value: u32) {
        if self.watches {
            unsafe { watcher_stores(address, value) }
        }
    }

    /// Whether an instruction has begun since it was asked.
    pub fn begun(&mut self) -> bool {
        std::mem::take(&mut self.begun)
    }

    pub fn ends(&mut self, cycles: u64) {
        if self.watches {
            unsafe { watcher_ends(cycles) }
        }
    }

    pub fn entered(&mut self, pc: u32, cycles: u64) {
        if self.watches {
            unsafe { watcher_entered(pc, cycles) }
        }
    }

    pub fn slept(&mut self, cycles: u64, now: u64) {
        if self.watches {
            unsafe { watcher_slept(cycles, now) }
        }
    }

    /// A register of the clock's, if the watch writes down what is requested.
    pub fn clock(&self) -> u32 {
        if self.watches {
            unsafe { watcher_clock() as u32 }
        } else {
            0
        }
    }

    /// In that cycle `source`, the base of a timer and the number of a flag, has requested its interrupt.
    pub fn requested(&mut self, cycle: u64, source: u32, count: u32) {
        if self.watches {
            unsafe { watcher_requested(cycle, source, count) }
        }
    }

    pub fn sleeps_until(&self, now: u64) -> u64 {
        if self.watches {
            unsafe { watcher_sleeps_until(now) }
        } else {
            u64::MAX
        }
    }

    /// The status with which the watch ends the run, if it does.
    pub fn over(&self) -> Option<i32> {
        match if self.watches {
            unsafe { watcher_over() }
        } else {
            0
        } {
            0 => None,
            1 => Some(0),
            _ => Some(125),
        }
    }
}
