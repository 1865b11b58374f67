/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ibex's vectors for FreeRTOS, and from reset to main. The core is always vectored: each slot goes to the entry
 * that FreeRTOS's port has for it, which is faster than its common entry that asks mcause.
 */
    .section .vectors, "ax", %progbits
    .option push
    .option norvc
    j freertos_risc_v_exception_handler
    .rept 6
    j freertos_risc_v_interrupt_handler
    .endr
    j freertos_risc_v_mtimer_interrupt_handler
    .rept 24
    j freertos_risc_v_interrupt_handler
    .endr
    .option pop
    .global bench_reset
bench_reset: /* where the core begins, 0x80 behind the vectors */
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, bench_stack_top
    la a0, bench_bss_start
    la a1, bench_bss_end
1:  bgeu a0, a1, 2f
    sw zero, 0(a0)
    addi a0, a0, 4
    j 1b
2:  call main
3:  j 3b
