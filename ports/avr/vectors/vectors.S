/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_avr_lines.h"
/*
 * The vector table: reset, then a jump for each interrupt, to the entry of the handler that is defined by the
 * interrupt's name (HRLP_CPU_ENTRY), or to a call below: hrlp_avr_line knows the interrupt by the return address.
 */
#define VECTOR(name, ...) jmp name##_Handler_entry $
#define OR_LINE(name, ...)                                                                         \
    .weak name##_Handler_entry $                                                                   \
    .type name##_Handler_entry, @function $                                                        \
    name##_Handler_entry: rcall hrlp_avr_line $

    .section .vectors, "ax", @progbits
    .global hrlp_vectors
    .type hrlp_vectors, @function
hrlp_vectors:
    jmp hrlp_reset
    HRLP_AVR_LINES(VECTOR)
    .size hrlp_vectors, . - hrlp_vectors

    .section .text.hrlp_avr_line, "ax", @progbits
    .global hrlp_avr_first_line
    .type hrlp_avr_first_line, @function
hrlp_avr_first_line:
    HRLP_AVR_LINES(OR_LINE)

/*
 * As HRLP_CPU_ENTRY, but r0 and the status register take the place of the call's return address, of which the lower
 * byte is one more than the number of the vector, counted from hrlp_avr_first_line.
 */
    .type hrlp_avr_line, @function
hrlp_avr_line:
    push r30
    push r31
    in r30, _SFR_IO_ADDR(SPL)
    in r31, _SFR_IO_ADDR(SPH)
    push r24
    ldd r24, Z + 4
    std Z + 4, r0
    in r0, _SFR_IO_ADDR(SREG)
    std Z + 3, r0
    mov r0, r24
    pop r24
    pop r31
    pop r30
    push r1
    .irp register, r18, r19, r20, r21, r22, r23, r24, r25, r26, r27, r30, r31
    push \register
    .endr
    clr r1
    mov r24, r0
    ldi r25, lo8(gs(hrlp_avr_first_line))
    sub r24, r25
    clr r25
#if !HRL_WITHOUT_THREADS
    in r30, _SFR_IO_ADDR(SPL)
    in r31, _SFR_IO_ADDR(SPH)
#if HRL_BASIC_TASKS
    ldi r18, hi8(hrl_link_main_stack_low)
    cpi r30, lo8(hrl_link_main_stack_low)
    cpc r31, r18
    brsh 1f
#endif
    ldi r18, lo8(hrl_link_main_stack_top - 1)
    ldi r19, hi8(hrl_link_main_stack_top - 1)
    out _SFR_IO_ADDR(SPH), r19
    out _SFR_IO_ADDR(SPL), r18
1:  push r31
    push r30
#endif
    call hrli_interrupt_taken
    jmp hrlp_avr_leave
    .size hrlp_avr_first_line, . - hrlp_avr_first_line
