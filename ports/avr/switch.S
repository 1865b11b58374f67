/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <avr/io.h>
/*
 * The switch is a call: it saves the registers that a function must keep, r2 to r17, r28 and r29, behind the
 * return address, and goes on where the next thread has called it. What an interrupt has to save besides is
 * saved by its entry (HRLP_CPU_ENTRY), and by hrlp_avr_give_way, which is an interrupt that no hardware took.
 * Interrupts are masked in all of this.
 */
    .macro each what:req, registers:vararg
    .irp register, \registers
    \what \register
    .endr
    .endm

/* void hrlp_avr_yield(void) */
    .section .text.hrlp_avr_switch, "ax", @progbits
    .global hrlp_avr_yield, hrlp_avr_switch
    .type hrlp_avr_yield, @function
    .type hrlp_avr_switch, @function
hrlp_avr_yield:
    cli
    ldi r30, lo8(gs(hrli_cpu_yield))
    ldi r31, hi8(gs(hrli_cpu_yield))
    rjmp hrlp_avr_switch_by
    .size hrlp_avr_yield, . - hrlp_avr_yield

/* The upcall runs on the main stack, so that a thread's stack needs no room for it. */
hrlp_avr_switch:
    sts hrlp_avr_owes_switch, r1
    ldi r30, lo8(gs(hrli_cpu_switch))
    ldi r31, hi8(gs(hrli_cpu_switch))
hrlp_avr_switch_by:
    each push, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    in r24, _SFR_IO_ADDR(SPL)
    in r25, _SFR_IO_ADDR(SPH)
    ldi r18, lo8(hrl_link_main_stack_top - 1)
    ldi r19, hi8(hrl_link_main_stack_top - 1)
    out _SFR_IO_ADDR(SPH), r19
    out _SFR_IO_ADDR(SPL), r18
    icall
    out _SFR_IO_ADDR(SPH), r25
    out _SFR_IO_ADDR(SPL), r24
    each pop, r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .size hrlp_avr_switch, . - hrlp_avr_switch

/* The end of a handler: back to the stack that was interrupted, and to the next thread if a switch is owed. */
    .section .text.hrlp_avr_leave, "ax", @progbits
    .global hrlp_avr_leave
    .type hrlp_avr_leave, @function
hrlp_avr_leave:
    pop r30
    pop r31
    out _SFR_IO_ADDR(SPH), r31
    out _SFR_IO_ADDR(SPL), r30
    lds r24, hrlp_avr_owes_switch
    cpse r24, r1
    call hrlp_avr_switch
    each pop, r31, r30, r27, r26, r25, r24, r23, r22, r21, r20, r19, r18, r1, r0
    out _SFR_IO_ADDR(SREG), r0
    pop r0
    reti
    .size hrlp_avr_leave, . - hrlp_avr_leave

/* void hrlp_avr_give_way(void) */
    .section .text.hrlp_avr_give_way, "ax", @progbits
    .global hrlp_avr_give_way
    .type hrlp_avr_give_way, @function
hrlp_avr_give_way:
    push r0
    in r0, _SFR_IO_ADDR(SREG)
    each push, r0, r1
    clr r1
    each push, r18, r19, r20, r21, r22, r23, r24, r25, r26, r27, r30, r31
    call hrlp_avr_switch
    each pop, r31, r30, r27, r26, r25, r24, r23, r22, r21, r20, r19, r18, r1, r0
    out _SFR_IO_ADDR(SREG), r0
    pop r0
    sei
    ret
    .size hrlp_avr_give_way, . - hrlp_avr_give_way

/* Where a prepared stack begins (cpu.c): entry in r4, argument in r2. */
    .section .text.hrlp_avr_begin, "ax", @progbits
    .global hrlp_avr_begin
    .type hrlp_avr_begin, @function
hrlp_avr_begin:
    movw r24, r2
    movw r30, r4
    sei
    icall
    jmp hrlp_fault_handler /* threads do not return */
    .size hrlp_avr_begin, . - hrlp_avr_begin
