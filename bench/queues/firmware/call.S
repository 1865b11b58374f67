/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_call_<operation>(a, b, function): calls function(a, b) and returns what it returns. From
 * bench_<operation>_from up to bench_<operation>_to, not included, is what is measured: the call, the
 * function and its return. Loading the arguments is not.
 */
    .syntax unified
    .thumb
    .text

    .macro measured operation
    .global bench_call_\operation
    .global bench_\operation\()_from
    .global bench_\operation\()_to
    .thumb_func
    .type bench_call_\operation, %function
bench_call_\operation:
    push {r4, lr}
bench_\operation\()_from:
    blx r2
bench_\operation\()_to:
    pop {r4, pc}
    .size bench_call_\operation, . - bench_call_\operation
    .endm

    measured insert
    measured first
    measured pop
