/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <avr/io.h>
/*
 * Keeps for a report (fault.c) from where it was called, and the stack pointer before the call, which is in
 * r30 and r31 then, and goes on with the arguments that it has, on the main stack.
 */
    .macro keep
    cli
    clr r1
    pop r31
    pop r30 /* the return address, in words */
    lsl r30
    rol r31
    sts hrlp_fault_registers, r30
    sts hrlp_fault_registers + 1, r31
    in r30, _SFR_IO_ADDR(SPL)
    in r31, _SFR_IO_ADDR(SPH)
    sts hrlp_fault_registers + 4, r30
    sts hrlp_fault_registers + 5, r31
    ldi r30, lo8(hrl_link_main_stack_top - 1)
    ldi r31, hi8(hrl_link_main_stack_top - 1)
    out _SFR_IO_ADDR(SPH), r31
    out _SFR_IO_ADDR(SPL), r30
    .endm

    .section .text.hrlp_fault_handler, "ax", @progbits
    .global hrlp_fault_handler
    .weak hrl_assert_hook
    .type hrlp_fault_handler, @function
    .type hrl_assert_hook, @function
/* Where main and threads come to if they return, by a jump. */
hrlp_fault_handler:
    rcall 1f
1:  keep
    jmp hrlp_avr_report_return
    .size hrlp_fault_handler, . - hrlp_fault_handler
/* Of the kernel, with texts in flash. */
    .global hrlp_avr_stop
    .type hrlp_avr_stop, @function
hrlp_avr_stop:
    keep
    jmp hrlp_avr_report_text
    .size hrlp_avr_stop, . - hrlp_avr_stop
hrl_assert_hook:
    lds r30, hrlp_avr_is_kept
    cpse r30, r1
    jmp hrlp_avr_report_promise
    keep
    jmp hrlp_avr_report_promise
    .size hrl_assert_hook, . - hrl_assert_hook
