/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Several cores: core 0 wakes the others by MSIP. Each stores to shared memory and loads from it, all at once. Each
 * takes ROUNDS tickets of one lock and, holding it, counts in shared memory, notes that the turn was its own, and
 * notes if the clock is not later than when the holder before read it; then counts under a lock of test-and-set. It
 * raises a source at the next core, and waits for that of the core before it, for its quantum cell and, core 1, for a
 * shared cell; then raises it again. The last core makes errors. Core 0 checks all of it, reading the others' private
 * memory, and ends with status 0, or the number of what is wrong. What each has waited for memory and for locks is
 * traced.
 */
#include "cores.inc"

#define ROUNDS 16

/* Registers of locks. */
#define NEXT 0
#define SERVING 4
#define TEST 8

/* Private memory. */
#define RANG 0x100    /* how often the core before has raised its source here */
#define QUANTUM 0x104 /* the quantum cell's interrupts */
#define CELL3 0x108   /* and the shared cell's */
#define FAULTS 0x10c
#define RINGS 5 /* the source that cores raise */

/* Shared memory. */
#define COUNT 0
#define LAST 4
#define LATE 8
#define TESTED 12
#define TURNS 64 /* of each core, a word */
#define OWN 128  /* so, too */

    .macro on_interrupt name, offset
\name:
    sw t1, -8(sp)
    li t0, PRIVATE
    lw t1, \offset(t0)
    addi t1, t1, 1
    sw t1, \offset(t0)
    sw zero, COMPLETE(zero)
    lw t1, -8(sp)
    lw t0, -4(sp)
    mret
    .endm

    .macro await offset, times=1
    li t1, \times
1:  lw t0, \offset(s3)
    bne t0, t1, 1b
    .endm

    /* Raises the source at the next core; a1 is the address of its RAISE_AT. */
    .macro ring
    li t1, 1 << RINGS
    sw t1, 0(a1)
    .endm

    .macro check left, right, status
    beq \left, \right, 1f
    finish \status
1:
    .endm

    .text
    .option norvc
vectors:
    j on_exception
    .rept 10
    j lost
    .endr
entry:
    sw t0, -4(sp)
    lw t0, CLAIM(zero)
    jr t0
    .option rvc

    .org 0x80
    .globl _start
_start:
    csrr s0, mhartid
    li sp, PRIVATE + 0x10000
    li s1, LOCKS
    li s2, SHARED
    li s3, PRIVATE
    li s4, WAITS
    lw s5, 12(s4) /* the number of cores */
    la t0, vectors
    csrw mtvec, t0
    store_address rings, HANDLER(RINGS)
    store 3, PRIORITY(RINGS)
    store 1 << RINGS, ENABLE(0)
    store_address on_quantum, HANDLER(SOURCE(CELLS))
    store 4, PRIORITY(SOURCE(CELLS))
    store 1 << (SOURCE(CELLS) % 32), ENABLE(SOURCE(CELLS) / 32)
    li s6, MSIP(0)
    bnez s0, sleeps

    li t0, 1 /* core 0 wakes the others: all at once but for the loop */
    mv t1, s6
    li t2, 0
wakes:
    addi t1, t1, 4
    addi t2, t2, 1
    sw t0, 0(t1)
    addi t3, t2, 1
    bne t3, s5, wakes
    j awake

sleeps:
    csrwi mie, 8
    wfi
    slli t0, s0, 2
    add t0, t0, s6
    sw zero, 0(t0)

awake:
    li t0, MEI
    csrw mie, t0
    csrsi mstatus, MIE

    /* Shared memory, all cores at once. */
    slli s8, s0, 2
    add s8, s8, s2
    .rept 16
    sw s0, OWN(s8)
    lw t0, OWN(s8)
    .endr
    check t0, s0, 11

    /* Tickets. */
    li s7, ROUNDS
ticket:
    lw s9, NEXT+INCREMENT(s1)
spin:
    lw t0, SERVING+VALUE(s1)
    bne t0, s9, spin
    lw t0, COUNT(s2)
    addi t0, t0, 1
    sw t0, COUNT(s2)
    lw t1, TURNS(s8)
    addi t1, t1, 1
    sw t1, TURNS(s8)
    lw t2, LAST(s2)
    lw t3, TIME_LOW(zero)
    sw t3, LAST(s2)
    bltu t2, t3, 1f
    lw t0, LATE(s2)
    addi t0, t0, 1
    sw t0, LATE(s2)
1:  lw zero, SERVING+INCREMENT(s1)
    addi s7, s7, -1
    bnez s7, ticket

    /* Test and set. */
    li s7, ROUNDS
test:
    lw t0, TEST+SET(s1)
    bnez t0, test
    lw t0, TESTED(s2)
    addi t0, t0, 1
    sw t0, TESTED(s2)
    sw zero, TEST+VALUE(s1)
    addi s7, s7, -1
    bnez s7, test

    /* Software interrupts, round the cores. */
    addi t0, s0, 1
    bltu t0, s5, 1f
    li t0, 0
1:  slli t0, t0, 2
    li a1, RAISE_AT(0)
    add a1, a1, t0
    ring
    await RANG

    /* The quantum cell. */
    li t0, CELL(CELLS)
    li t1, 50
    sw t1, 4(t0)
    li t1, 7 /* one-shot */
    sw t1, 8(t0)
    await QUANTUM

    /* A shared cell. */
    li t0, 1
    bne s0, t0, 2f
    store_address on_cell, HANDLER(SOURCE(3))
    store 5, PRIORITY(SOURCE(3))
    store 1 << 3, ENABLE(2)
    store 1, ROUTE(3)
    store 50, CELL(3)+4
    store 7, CELL(3)+8
    await CELL3
2:

    /* Once more. */
    ring
    await RANG, 2

    /* Errors. */
    addi t0, s5, -1
    bne s0, t0, 3f
    .option norvc
    li t0, CODE
    sw zero, 0(t0)        /* code is read-only */
    li t0, 0x20000000
    lw t1, 0(t0)          /* nothing is there */
    li t0, ROUTE(0)
    sw s5, 0(t0)          /* no such core */
    sw zero, INCREMENT(s1)
    sb zero, VALUE(s1)
    li t0, LOCKS + 0x400
    lw t1, 0(t0)          /* behind the windows */
    li t0, 0x02004000
    slli t1, s0, 3
    add t0, t0, t1
    lw t1, 0(t0)          /* its own MTIMECMP is no error */
    lw t1, -8(t0)         /* that of another core is */
    sw zero, 0(s4)        /* a count of waits */
    .option rvc
3:

    /* What it has waited; then it is done, and core 0 finds the source pending. */
    li t0, TRACE
    lw t1, 0(s4)
    lw t2, 8(s4)
    sw t1, 0(t0)
    sw t2, 0(t0)
    beqz s0, checks
    li t0, 1 << 8
    sll t0, t0, s0
    li t1, RAISE_AT(0)
    sw t0, 0(t1)
    csrci mstatus, MIE
idle:
    wfi
    j idle
idle_end:

checks:
    li t1, 1 << 8
    sll t1, t1, s5
    addi t1, t1, -512 /* bits 9 to 8 + cores - 1 */
1:  lw t0, RAISE(zero)
    bne t0, t1, 1b
    li t0, ROUNDS
    mul t0, t0, s5
    lw t1, COUNT(s2)
    check t1, t0, 1
    lw t1, TESTED(s2)
    check t1, t0, 2
    lw t1, NEXT+VALUE(s1)
    check t1, t0, 3
    lw t1, SERVING+VALUE(s1)
    check t1, t0, 4
    lw t1, LATE(s2)
    check t1, zero, 5
    li t2, 0 /* a core */
each:
    li t0, ROUNDS
    slli t1, t2, 2
    add t1, t1, s2
    lw t1, TURNS(t1)
    check t1, t0, 6
    slli t3, t2, 20
    li t4, NUMBERED
    add t3, t3, t4
    li t0, 2
    lw t1, RANG(t3)
    check t1, t0, 7
    li t0, 1
    lw t1, QUANTUM(t3)
    check t1, t0, 8
    lw t1, CELL3(t3)
    addi t4, t2, -1
    seqz t4, t4
    check t1, t4, 9
    lw t1, FAULTS(t3)
    addi t4, t2, 1
    sub t4, t4, s5
    seqz t4, t4
    slli t4, t4, 3 /* eight of the last core */
    check t1, t4, 10
    addi t2, t2, 1
    bne t2, s5, each
    li t0, CONSOLE
    addi t1, s5, '0'
    sb t1, 0(t0)
    li t1, '\n'
    sb t1, 0(t0)
    finish 0

on_exception: /* goes on behind the instruction, of four bytes */
    sw t0, -4(sp)
    sw t1, -8(sp)
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    lw t1, FAULTS(s3)
    addi t1, t1, 1
    sw t1, FAULTS(s3)
    lw t1, -8(sp)
    lw t0, -4(sp)
    mret

on_interrupt rings, RANG
on_interrupt on_quantum, QUANTUM
on_interrupt on_cell, CELL3

lost:
    finish 99
program_end:
