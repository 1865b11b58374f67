// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! What the crate's processor does otherwise than the manual, mended from outside:
//!
//!  - Bytes of priorities and STIR are not stored, and bytes of the processor's own registers are read as 0.
//!  - CPS takes I for F.
//!  - LDMIA.W SP!, {..., PC} leaves the stack pointer where it was if it ends a handler.
//!  - VPUSH, VPOP, VLDM, VSTM, VLDR and VSTR of registers of 64 bits are undefined.
//!  - A handler that came into another one ends in a fault while the other's room for the registers of the FPU is unused.

use crate::chip::Chip;
use rp2350_emu::CortexM33;
use std::sync::atomic::Ordering::Relaxed;

const PRIORITY_BITS: u8 = 0xe0;
const STIR: u32 = 0xe000_ef00;

/// What an instruction loads or stores.
#[derive(Clone, Copy)]
pub struct Access {
    loads: bool,
    bytes: u32,
    address: u32,
    register: u32,
    value: u32,
}

fn long_address(base: u32, low: u32, high: u32, index: u32) -> u32 {
    let by = high & 0xff;
    if low & 0x80 != 0 {
        base.wrapping_add(high & 0xfff)
    } else if high & 0x0fc0 == 0 {
        base.wrapping_add(index << (high >> 4 & 3))
    } else if high & 0x0400 == 0 {
        base
    } else if high & 0x0200 != 0 {
        base.wrapping_add(by)
    } else {
        base.wrapping_sub(by)
    }
}

/// Whether the condition of an IT instruction, if it stands behind one, holds for what comes next.
fn is_executed(core: &CortexM33) -> bool {
    let it = u32::from(core.it_state());
    it & 15 == 0 || core.regs.condition_passed((it >> 4) as u8)
}

impl Access {
    /// The access of the instruction, if it is one of a byte or a word by LDR, LDRB, STR, STRB in a form other than by PC or SP.
    pub fn decoded(core: &CortexM33, first: u16, second: u16) -> Option<Self> {
        let (low, high) = (u32::from(first), u32::from(second));
        let reg = |number: u32| core.reg((number & 15) as usize);
        let short = |bytes: u32, loads: bool, by: u32| Access {
            loads,
            bytes,
            address: reg(low >> 3 & 7).wrapping_add(by),
            register: low & 7,
            value: reg(low & 7),
        };
        let found = match low >> 11 {
            0b01100 | 0b01101 => short(4, low >> 11 & 1 != 0, (low >> 6 & 31) * 4),
            0b01110 | 0b01111 => short(1, low >> 11 & 1 != 0, low >> 6 & 31),
            0b01010 | 0b01011 if low >> 9 & 1 == 0 => {
                let bytes = if low >> 10 & 1 != 0 { 1 } else { 4 };
                short(bytes, low >> 11 & 1 != 0, reg(low >> 6 & 7))
            }
            _ if low & 0xff20 == 0xf800 && low & 15 != 15 => Access {
                loads: low & 0x10 != 0,
                bytes: if low & 0x40 != 0 { 4 } else { 1 },
                address: long_address(reg(low), low, high, reg(high)),
                register: high >> 12,
                value: reg(high >> 12),
            },
            _ => return None,
        };
        is_executed(core).then_some(found)
    }

    /// What the crate leaves undone, once the instruction was executed: it drops such stores, and loads 0.
    pub fn complete(self, core: &mut CortexM33) {
        if self.loads {
            self.load(core);
        } else if self.bytes == 4 && self.address == STIR {
            let line = self.value & 0x1ff;
            if line < 64 {
                core.ppb.nvic_ispr[(line / 32) as usize].fetch_or(1 << (line % 32), Relaxed);
            }
        } else if self.bytes == 1 {
            self.store_priority(core);
        }
    }

    fn store_priority(self, core: &mut CortexM33) {
        let byte = self.value as u8 & PRIORITY_BITS;
        match self.address {
            0xe000_e400..=0xe000_e433 => {
                let word = &mut core.ppb.nvic_ipr[((self.address - 0xe000_e400) / 4) as usize];
                let shift = 8 * (self.address & 3);
                *word = *word & !(0xff << shift) | u32::from(byte) << shift;
            }
            0xe000_ed18..=0xe000_ed23 => {
                core.ppb.shpr[(self.address - 0xe000_ed18) as usize] = byte;
            }
            _ => {}
        }
    }

    fn load(self, core: &mut CortexM33) {
        if self.bytes == 1 && self.address >> 16 == 0xe000 {
            let word = core.ppb.read32(self.address & !3);
            let byte = word >> (8 * (self.address & 3)) & 0xff;
            core.set_reg(self.register as usize, byte);
        }
    }
}

/// CPSIE or CPSID: its effect on PRIMASK and FAULTMASK.
#[derive(Clone, Copy)]
pub struct Masking {
    primask: u32,
    faultmask: u32,
}

impl Masking {
    pub fn decoded(core: &CortexM33, first: u16) -> Option<Self> {
        let mask = u32::from(first >> 4 & 1);
        (first & 0xffe8 == 0xb660).then(|| Self {
            primask: if first & 2 != 0 {
                mask
            } else {
                core.regs.primask
            },
            faultmask: if first & 1 != 0 {
                mask
            } else {
                core.regs.faultmask
            },
        })
    }

    pub fn complete(self, core: &mut CortexM33) {
        (core.regs.primask, core.regs.faultmask) = (self.primask, self.faultmask);
    }
}

/// LDMIA.W SP!, {..., PC} that ends a handler: the registers are loaded here, and BX LR at `BX_LR` does the rest.
pub fn returns_by_pop(core: &mut CortexM33, chip: &mut Chip, first: u16, second: u16) -> bool {
    if first != 0xe8bd || second >> 15 == 0 || core.regs.ipsr() == 0 {
        return false;
    }
    let base = core.reg(13);
    let last = base.wrapping_add(4 * (second.count_ones() - 1));
    let target = chip.word(last);
    if target < 0xffff_ff00 {
        return false;
    }
    let listed = (0..15).filter(|number| second >> number & 1 != 0);
    for (at, number) in listed.enumerate() {
        core.set_reg(number, chip.word(base.wrapping_add(4 * at as u32)));
    }
    core.set_reg(14, target);
    core.set_reg(13, last.wrapping_add(4));
    core.regs.set_pc(BX_LR);
    true
}

/// Where the chip has nothing: an instruction BX LR.
pub const BX_LR: u32 = 0x1ffe_0000;
pub const BX_LR_OPCODE: u16 = 0x4770;

const FPCCR_LSPACT: u32 = 1 << 0;
const NO_FPU_FRAME: u32 = 1 << 4;

/// The room for the FPU's registers that an outer handler has reserved, kept from the crate while an inner one ends: it takes
/// it for the inner one's, the return of which says that it has none.
pub struct Reserved;

impl Reserved {
    /// Some if the instruction ends such a handler.
    pub fn hidden(core: &mut CortexM33, chip: &mut Chip, first: u16, second: u16) -> Option<Self> {
        if core.ppb.fpccr & FPCCR_LSPACT == 0 || core.regs.ipsr() == 0 {
            return None;
        }
        let top = core.reg(13);
        let target = if first & 0xff87 == 0x4700 {
            core.reg((first >> 3 & 15) as usize)
        } else if first & 0xff00 == 0xbd00 {
            chip.word(top.wrapping_add(4 * (first & 0xff).count_ones()))
        } else if (first, second) == (0xf85d, 0xfb04) {
            chip.word(top)
        } else {
            return None;
        };
        if target < 0xffff_ff00 || target & NO_FPU_FRAME == 0 {
            return None;
        }
        core.ppb.fpccr &= !FPCCR_LSPACT;
        Some(Self)
    }

    /// The outer handler's again, once the instruction was executed.
    pub fn show(self, core: &mut CortexM33) {
        core.ppb.fpccr |= FPCCR_LSPACT;
    }
}

fn moves_doubles(first: u16, second: u16) -> bool {
    first & 0xfe40 == 0xec00 && second & 0x0f00 == 0x0b00
}

fn moves_one(first: u16) -> bool {
    first & 0x0120 == 0x0100
}

/// The second half of an instruction whose first one is `first`, of which the crate knows the form for registers of 32 bits.
/// D8 to D15 at once are S16 to S31 in the same order. Of a single register that form moves the lower half (UpperHalf).
pub fn second_half(first: u16, second: u16) -> u16 {
    let is_several = first & 0x0180 == 0x0080 || first & 0x01a0 == 0x0120;
    let is_known = moves_one(first) || (is_several && second & 1 == 0);
    if moves_doubles(first, second) && is_known {
        second & !0x0100
    } else {
        second
    }
}

/// The upper half of what VLDR or VSTR moves if its register has 64 bits.
#[derive(Clone, Copy)]
pub struct UpperHalf {
    pub loads: bool,
    pub address: u32,
    register: usize,
}

impl UpperHalf {
    pub fn decoded(core: &CortexM33, first: u16, second: u16) -> Option<Self> {
        if !moves_doubles(first, second) || !moves_one(first) {
            return None;
        }
        let by = u32::from(second & 0xff) << 2;
        let base = match first & 15 {
            15 => core.regs.pc().wrapping_add(4) & !3,
            number => core.reg(number.into()),
        };
        let lower = if first & 0x80 != 0 {
            base.wrapping_add(by)
        } else {
            base.wrapping_sub(by)
        };
        let found = Self {
            loads: first & 0x10 != 0,
            address: lower.wrapping_add(4),
            register: 2 * usize::from(second >> 12) + 1,
        };
        is_executed(core).then_some(found)
    }

    pub fn value(self, core: &CortexM33) -> u32 {
        core.regs.s[self.register].to_bits()
    }

    pub fn set(self, core: &mut CortexM33, value: u32) {
        core.regs.s[self.register] = f32::from_bits(value);
    }
}
