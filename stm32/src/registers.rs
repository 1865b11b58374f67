// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! Registers of an RP2350 that start its clocks: they hold what is written, by aliases too, and say at once that all is done.
//!
//! Each peripheral has three copies of its registers behind it: what is written there is taken for bits to flip, to set and
//! to clear (RP2350 Datasheet, 2.1.3).

const COPIES: u32 = 0x3000;

#[derive(Default)]
pub struct Registers {
    /// Origin and bytes of what has copies.
    copied: Vec<(u32, u32)>,
    /// What an address always reads as.
    always: Vec<(u32, u32)>,
    /// An address that says which of the sources is in use that the register, the second, chooses by its two lowest bits.
    selected: Vec<(u32, u32)>,
}

impl Registers {
    pub fn add_copied(&mut self, origin: u32, bytes: u32) {
        self.copied.push((origin, bytes));
    }

    pub fn add_always(&mut self, address: u32, value: u32) {
        self.always.push((address, value));
    }

    pub fn add_selected(&mut self, address: u32, by: u32) {
        self.selected.push((address, by));
    }

    /// The register itself, if `address` is one of a peripheral with copies, and which of them it is in: 0 is the register.
    pub fn original(&self, address: u32) -> Option<(u32, u32)> {
        let original = address & !COPIES;
        let known = |&&(origin, bytes): &&(u32, u32)| original.wrapping_sub(origin) < bytes;
        self.copied
            .iter()
            .find(known)
            .map(|_| (original, address >> 12 & 3))
    }

    /// What the register at `address` says, if it holds nothing; `word` reads the others.
    pub fn status(&self, address: u32, word: impl FnOnce(u32) -> u32) -> Option<u32> {
        if let Some((_, value)) = self.always.iter().find(|one| one.0 == address) {
            return Some(*value);
        }
        let found = self.selected.iter().find(|one| one.0 == address)?;
        Some(1 << (word(found.1) & 3))
    }

    /// What a register holds then.
    pub fn written(before: u32, value: u32, copy: u32) -> u32 {
        match copy {
            0 => value,
            1 => before ^ value,
            2 => before | value,
            _ => before & !value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_flip_set_and_clear() {
        let mut registers = Registers::default();
        registers.add_copied(0x4002_0000, 12);
        assert_eq!(registers.original(0x4002_2004), Some((0x4002_0004, 2)));
        assert_eq!(registers.original(0x4002_000c), None);
        assert_eq!(registers.original(0x4003_0000), None);
        let all: Vec<u32> = (0..4)
            .map(|copy| Registers::written(0b1100, 0b1010, copy))
            .collect();
        assert_eq!(all, [0b1010, 0b0110, 0b1110, 0b0100]);
    }

    #[test]
    fn sources_are_in_use_at_once() {
        let mut registers = Registers::default();
        registers.add_always(8, 0xffff_ffff);
        registers.add_selected(0x38, 0x30);
        assert_eq!(registers.status(8, |_| 0), Some(0xffff_ffff));
        assert_eq!(registers.status(0x38, |at| at - 0x2e), Some(4));
        assert_eq!(registers.status(0x30, |_| 0), None);
    }
}
