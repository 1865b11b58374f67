/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of a small firmware for an ATmega128 in assembly: vectors, each of four bytes, and no start-up code, so that every
 * cycle since reset can be counted by hand. HANDLER(n, label) comes in ascending order of n before BEGIN, where execution goes on after
 * JMP, in cycle 3.
 */
#define __SFR_OFFSET 0 /* names of registers are those of IN and OUT */
#include <avr/io.h>

#define CONSOLE 0xe0
#define EXIT 0xe1
#define MARK 0xe2

#define COMPARE_1A 12 /* the vectors' numbers */
#define COMPARE_1B 13
#define OVERFLOW_1 14
#define EXTERNAL_4 5

.text
.global vectors
vectors:
    jmp     begin

.macro HANDLER number, label
    .org    4 * \number
    jmp     \label
.endm

.macro BEGIN
    .org    0x8c
.global begin
begin:
.endm

.macro SET register, value /* two cycles, three from 64 on */
    ldi     r16, \value
    .if \register < 64
    out     \register, r16
    .else
    sts     \register, r16
    .endif
.endm

/* A 16-bit register of timer 1: the high byte first. Four cycles. */
.macro SET16 register, value
    ldi     r16, hi8(\value)
    out     \register + 1, r16
    ldi     r16, lo8(\value)
    out     \register, r16
.endm

.macro FINISH status
    ldi     r16, \status
    sts     EXIT, r16
.endm
