/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */

/* Where the devices of ibex-cells are, for programs in assembly; docs/guide/timer-cells.md describes them. */
#define FINISHER 0x00100000
#define TRACE 0x00101000
#define CONSOLE 0x10000000
#define CELL(n) (0x40000000 + 16 * (n))
#define PRIORITY(s) (0x40010000 + 4 * (s))
#define HANDLER(s) (0x40010800 + 4 * (s))
#define ENABLE(word) (0x40011000 + 4 * (word))
#define SOURCE(cell) (64 + (cell))

/* Offsets from register zero. */
#define CLAIM -256
#define COMPLETE -252
#define RAISE -244

#define MEI 0x800      /* mie, mcause 11 */
#define MIE 8          /* mstatus */
#define MASKED 0x1880  /* mstatus: interrupts off, to be on again after mret, which goes back to M mode */

    /* What needs two instructions and a register, t0. */
    .macro store value, address
    li t0, \address
    li t1, \value
    sw t1, 0(t0)
    .endm

    .macro store_address symbol, address
    li t0, \address
    la t1, \symbol
    sw t1, 0(t0)
    .endm

    .macro finish status
    store (\status << 16 | 0x3333), FINISHER
    j .
    .endm
