/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ibex's vectors for FreeRTOS on the board of several cores, and from reset to main. Each slot goes to the
 * entry that FreeRTOS's port has for it. All cores begin here. Those beside core 0 then sleep until it rings
 * them by MSIP.
 */
    .equ MACHINE_SOFTWARE, 8 /* of mie and mip */

    .section .vectors, "ax", %progbits
    .global Cell_Handler0_entry
    .option push
    .option norvc
    j freertos_risc_v_exception_handler
    .rept 6
    j freertos_risc_v_interrupt_handler
    .endr
Cell_Handler0_entry: /* the tick: it is counted in the place of the first cell's interrupts */
    j freertos_risc_v_mtimer_interrupt_handler
    .rept 24
    j freertos_risc_v_interrupt_handler
    .endr
    .option pop
    .global freertos_reset
freertos_reset: /* where the core begins, 0x80 behind the vectors */
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, freertos_stack_top
    la a0, freertos_own_start
    la a1, freertos_own_end
    call zero
    csrr a0, mhartid
    bnez a0, wait
    la a0, freertos_shared_start
    la a1, freertos_shared_end
    call zero
    call main
3:  j 3b

wait:
    li a0, MACHINE_SOFTWARE
    csrs mie, a0
1:  wfi
    csrr a1, mip
    and a1, a1, a0
    beqz a1, 1b
    call vPortStartOtherCore

zero: /* the words from a0 up to a1 */
    bgeu a0, a1, 2f
    sw zero, 0(a0)
    addi a0, a0, 4
    j zero
2:  ret
