/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_avr_each.inc"
#include "hrlp_avr_owes.h"
#include <avr/io.h>
/*
 * A thread that does not run has on its stack, lowest, the address at which it goes on: of the code that fetches
 * what was saved above it. So each way to another thread saves what it has to:
 *
 *     an interrupt that switches       all registers; but nothing, if it came into the idle loop
 *     hrlp_avr_give_way                all registers, as an interrupt that no hardware took
 *     hrlp_avr_wait, hrlp_avr_yield    what a function must keep: r2 to r17, r28 and r29
 *     hrlp_avr_end_job                 r28 and r29, where the compiler knows that all others are lost
 *
 * Interrupts are masked in all of this.
 */
    .macro push_address of:req
    ldi r24, lo8(gs(\of))
    ldi r25, hi8(gs(\of))
    push r24
    push r25
    .endm

/* Not 0: a switch is owed, no handler of a line runs, and no ceiling holds off threads. */
    .macro may_switch register:req
    lds \register, hrlp_avr_owes
#if HRL_BASIC_TASKS
    lds r25, hrlp_avr_lines + HRLP_AVR_LINES_FLOOR
    cpse r25, r1
    clr \register
#endif
    .endm

    .section .text.hrlp_avr_switch, "ax", @progbits
    .global hrlp_avr_wait, hrlp_avr_yield, hrlp_avr_end_job, hrlp_avr_give_way, hrlp_avr_leave, hrlp_avr_switch
    .type hrlp_avr_wait, @function
    .type hrlp_avr_yield, @function
    .type hrlp_avr_end_job, @function
    .type hrlp_avr_give_way, @function
    .type hrlp_avr_leave, @function
    .type hrlp_avr_switch, @function

/* void hrlp_avr_end_job(void), for what keeps r28 and r29 only. */
hrlp_avr_end_job:
    cli
    each push, r28, r29
    push_address end_job_goes_on
    rjmp switch_threads
end_job_goes_on:
    each pop, r29, r28
    sei
    ret
    .size hrlp_avr_end_job, . - hrlp_avr_end_job

/* void hrlp_avr_yield(void); apart, as few programs have it. */
    .section .text.hrlp_avr_yield, "ax", @progbits
hrlp_avr_yield:
    cli
    each push, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    push_address wait_goes_on
    in r24, _SFR_IO_ADDR(SPL)
    in r25, _SFR_IO_ADDR(SPH)
    ldi r30, lo8(gs(hrli_cpu_yield))
    ldi r31, hi8(gs(hrli_cpu_yield))
    jmp switch_by
    .size hrlp_avr_yield, . - hrlp_avr_yield
    .section .text.hrlp_avr_switch

/* void hrlp_avr_wait(void) */
hrlp_avr_wait:
    cli
    each push, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    push_address wait_goes_on
    rjmp switch_threads
wait_goes_on:
    each pop, r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    sei
    ret
    .size hrlp_avr_wait, . - hrlp_avr_wait

/* void hrlp_avr_give_way(void): what an interrupt's entry saves (HRLP_CPU_ENTRY). */
hrlp_avr_give_way:
    push r0
    in r0, _SFR_IO_ADDR(SREG)
    each push, r0, r1
    clr r1
    each push, r18, r19, r20, r21, r22, r23, r24, r25, r26, r27, r30, r31
#if HRL_BASIC_TASKS
    lds r24, hrlp_avr_owes
    sbrc r24, HRLP_AVR_OWES_LINES_BIT
    call take_lines_here
    may_switch r24
    cpse r24, r1
    rjmp save_rest
    rjmp fetch_all
#else
    rjmp save_rest
#endif
    .size hrlp_avr_give_way, . - hrlp_avr_give_way

/*
 * The end of a handler: back to the stack that was interrupted, and to the next thread if a switch is owed. The
 * lines of basic tasks come first, on the main stack.
 */
hrlp_avr_leave:
#if HRL_BASIC_TASKS
    lds r24, hrlp_avr_owes
    sbrc r24, HRLP_AVR_OWES_LINES_BIT
    call hrlp_avr_lines_take
#endif
    pop r30
    pop r31
    out _SFR_IO_ADDR(SPH), r31
    out _SFR_IO_ADDR(SPL), r30
    may_switch r24
    cpse r24, r1
    rjmp hrlp_avr_switch
fetch_all:
    each pop, r31, r30, r27, r26, r25, r24, r23, r22, r21, r20, r19, r18, r1, r0
    out _SFR_IO_ADDR(SREG), r0
    pop r0
    reti
    .size hrlp_avr_leave, . - hrlp_avr_leave

/*
 * Switches at the end of a handler. Z is the stack pointer; above it lie 15 bytes, then the address that was interrupted.
 * If that is the idle loop's, behind its sleep, only that is kept: the loop has nothing in registers.
 */
hrlp_avr_switch:
    ldd r24, Z + 17
    ldd r25, Z + 16
    cpi r24, lo8(gs(hrlp_idle_slept))
    ldi r24, hi8(gs(hrlp_idle_slept))
    cpc r25, r24
    brne save_rest
    ldi r24, lo8(gs(idle_goes_on))
    ldi r25, hi8(gs(idle_goes_on))
    std Z + 15, r24
    std Z + 14, r25
    adiw r30, 13
    movw r24, r30
    rjmp switch_from
save_rest:
    each push, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    push_address rest_goes_on

/* The upcall runs on the main stack, so that a thread's stack needs no room for it. */
switch_threads:
    in r24, _SFR_IO_ADDR(SPL)
    in r25, _SFR_IO_ADDR(SPH)
switch_from:
    sts hrlp_avr_owes, r1
    ldi r30, lo8(gs(hrli_cpu_switch))
    ldi r31, hi8(gs(hrli_cpu_switch))
switch_by:
    ldi r18, lo8(hrl_link_main_stack_top - 1)
    ldi r19, hi8(hrl_link_main_stack_top - 1)
    out _SFR_IO_ADDR(SPH), r19
    out _SFR_IO_ADDR(SPL), r18
    icall
    out _SFR_IO_ADDR(SPH), r25
    out _SFR_IO_ADDR(SPL), r24
    ret
rest_goes_on:
    each pop, r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    rjmp fetch_all
idle_goes_on:
    reti
    .size hrlp_avr_switch, . - hrlp_avr_switch

#if HRL_BASIC_TASKS
/* hrlp_avr_lines_take on the main stack, where the caller may be already. Changes what a function may. */
    .type take_lines_here, @function
take_lines_here:
    in r30, _SFR_IO_ADDR(SPL)
    in r31, _SFR_IO_ADDR(SPH)
    ldi r24, hi8(hrl_link_main_stack_low)
    cpi r30, lo8(hrl_link_main_stack_low)
    cpc r31, r24
    brsh 1f
    ldi r24, lo8(hrl_link_main_stack_top - 1)
    ldi r25, hi8(hrl_link_main_stack_top - 1)
    out _SFR_IO_ADDR(SPH), r25
    out _SFR_IO_ADDR(SPL), r24
1:  push r31
    push r30
    call hrlp_avr_lines_take
    pop r30
    pop r31
    out _SFR_IO_ADDR(SPH), r31
    out _SFR_IO_ADDR(SPL), r30
    ret
    .size take_lines_here, . - take_lines_here
#endif

/* Where a prepared stack begins (cpu.c); above it the entry and its argument. */
    .section .text.hrlp_avr_begin, "ax", @progbits
    .global hrlp_avr_begin
    .type hrlp_avr_begin, @function
hrlp_avr_begin:
    each pop, r31, r30, r25, r24
    sei
    icall
    jmp hrlp_fault_handler /* threads do not return */
    .size hrlp_avr_begin, . - hrlp_avr_begin
