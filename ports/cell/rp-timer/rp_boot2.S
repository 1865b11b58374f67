/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second stage of the RP2040's boot (RP2040 Datasheet, 2.8.1.3). The boot ROM copies these 256 bytes from flash
 * into RAM, checks the last four, a CRC-32 of the others (polynomial 04C11DB7, from all ones, not reflected), and calls
 * it. It lets code be executed from flash, by the read command 03 that all flash chips know, and goes on to the reset
 * handler of the vector table behind it.
 *
 * The checksum is that of the code here: tests/system/test_pico.py says what it has to be.
 */
#if defined(__ARM_ARCH_6M__)
    .syntax unified
    .thumb
    .section .boot2, "a", %progbits
    .balign 4
boot2:
    ldr r3, ssi
    movs r0, #0
    str r0, [r3, #0x08]     /* SSIENR: off, as it is to be set */
    movs r0, #4
    str r0, [r3, #0x14]     /* BAUDR: 125 MHz / 4 */
    ldr r0, control
    str r0, [r3, #0x00]     /* CTRLR0 */
    ldr r0, command
    ldr r1, command_at
    str r0, [r1]            /* SPI_CTRLR0 */
    movs r0, #0
    str r0, [r3, #0x04]     /* CTRLR1: one word for each address */
    movs r0, #1
    str r0, [r3, #0x08]
    ldr r0, vectors
    ldr r1, vtor
    str r0, [r1]
    ldmia r0!, {r1, r2}
    msr msp, r1
    bx r2

    .balign 4
ssi: .word 0x18000000
control: .word 0x001F0300    /* 32 bits a word, command and address out, data in: EEPROM read */
command: .word 0x03000218    /* 03, of 8 bits, then 24 bits of address, all on one line */
command_at: .word 0x180000F4
vectors: .word 0x10000100
vtor: .word 0xE000ED08
    .org boot2 + 252
    .word 0xAA5949FB
#endif
