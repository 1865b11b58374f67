// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! What instructions take: the Cortex-M0+ Technical Reference Manual (DDI 0484C, 3.3) for the RP2040's core, which
//! multiplies in a cycle and has a port for single-cycle I/O; behind the bridge to APB a read takes three cycles on the bus
//! and a write four (RP2040 Datasheet, 2.1.3), in place of memory's one. The crate's own figures are others: of taken
//! branches, among more.

/// From an interrupt to the first instruction of its handler, without wait states.
pub const ENTRY: u64 = 15;
/// Of an exception's return, beside the instruction that returns: eight words and a branch.
pub const RETURN: u64 = 10;

/// What the accesses of an instruction add to it.
pub fn access(address: u32, stores: bool) -> u64 {
    match (address >> 28, stores) {
        (0xd, _) => 0,
        (0x4, false) => 3,
        (0x4, true) => 4,
        _ => 1,
    }
}

/// Of an instruction, without its data accesses; `taken`: the next one is not behind it.
pub fn instruction(first: u16, second: u16, taken: bool) -> u64 {
    match first >> 11 {
        0b11100 => 2,                                                     // B
        0b11110 if second & 0xd000 == 0xd000 => 3,                        // BL
        0b11110 => 3,                                                     // MRS, MSR, DSB, DMB, ISB
        0b11010 | 0b11011 => 1 + u64::from(taken),                        // B<c>
        0b10111 if first & 0xff00 == 0xbd00 => 3,                         // POP with PC
        0b10111 if first & 0xffcf == 0xbf00 && first & 0x30 >= 0x20 => 2, // WFE, WFI
        0b01000 => 1 + u64::from(taken), // BX, BLX, ADD and MOV to PC
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_the_manual() {
        let told = [
            (0x46c0, 0, false, 1),      // nop
            (0xe7fe, 0, true, 2),       // b .
            (0xd0fe, 0, true, 2),       // beq ., taken
            (0xd0fe, 0, false, 1),      // and not
            (0x4770, 0, true, 2),       // bx lr
            (0x4798, 0, true, 2),       // blx r3
            (0x469f, 0, true, 2),       // mov pc, r3
            (0x4680, 0, false, 1),      // mov r8, r0
            (0xf000, 0xf800, true, 3),  // bl
            (0xf3ef, 0x8010, false, 3), // mrs r0, primask
            (0xf3bf, 0x8f5f, false, 3), // dmb
            (0xbf30, 0, false, 2),      // wfi
            (0xbf40, 0, false, 1),      // sev
            (0x4348, 0, false, 1),      // muls
        ];
        for (first, second, taken, cycles) in told {
            assert_eq!(instruction(first, second, taken), cycles, "{first:04x}");
        }
    }

    #[test]
    fn accesses_by_where_they_go() {
        assert_eq!(access(0x2000_0000, false), 1);
        assert_eq!(access(0xd000_0000, true), 0);
        assert_eq!(access(0x4005_4028, false), 3);
        assert_eq!(access(0x4005_4010, true), 4);
    }
}
