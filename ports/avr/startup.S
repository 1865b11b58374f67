/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <avr/io.h>
/*
 * From reset to main: stack, initialised data, which lie in flash behind the code, zeroed data. `sleep` is to
 * stop the core only (idle mode, which the reset value of the mode bits is).
 *
 * Why there was a reset stands in a register of flags, which stay set until they are cleared. Without any the
 * program has come to address 0 by itself: a jump through a NULL pointer, or a return from a broken stack.
 */
#ifdef MCUCSR /* its older name */
#define CAUSE MCUCSR
#else
#define CAUSE MCUSR
#endif
#ifdef SMCR /* where sleep has a register of its own */
#define SLEEP_CONTROL SMCR
#else
#define SLEEP_CONTROL MCUCR
#endif

    .section .text.hrlp_reset, "ax", @progbits
    .global hrlp_reset
    .type hrlp_reset, @function
hrlp_reset:
    clr r1
    out _SFR_IO_ADDR(SREG), r1
    ldi r16, lo8(hrl_link_main_stack_top - 1)
    out _SFR_IO_ADDR(SPL), r16
    ldi r16, hi8(hrl_link_main_stack_top - 1)
    out _SFR_IO_ADDR(SPH), r16
    ldi r16, 1 << SE
    out _SFR_IO_ADDR(SLEEP_CONTROL), r16
    ldi r26, lo8(hrl_link_data_start)
    ldi r27, hi8(hrl_link_data_start)
    ldi r30, lo8(hrl_link_data_load)
    ldi r31, hi8(hrl_link_data_load)
    ldi r17, hi8(hrl_link_data_end)
#ifdef RAMPZ /* the second half of the flash, where it has one */
    ldi r16, hh8(hrl_link_data_load)
    out _SFR_IO_ADDR(RAMPZ), r16
#endif
    rjmp 2f
1:
#ifdef RAMPZ
    elpm r0, Z+
#else
    lpm r0, Z+
#endif
    st X+, r0
2:  cpi r26, lo8(hrl_link_data_end)
    cpc r27, r17
    brne 1b
    ldi r17, hi8(hrl_link_bss_end)
    rjmp 4f
3:  st X+, r1
4:  cpi r26, lo8(hrl_link_bss_end)
    cpc r27, r17
    brne 3b
    in r24, _SFR_IO_ADDR(CAUSE)
    sts hrlp_avr_reset_cause, r24
    out _SFR_IO_ADDR(CAUSE), r1
    call main
    jmp hrlp_fault_handler
    .size hrlp_reset, . - hrlp_reset

    .section .bss.hrlp_avr_reset_cause, "aw", @nobits
    .global hrlp_avr_reset_cause
    .type hrlp_avr_reset_cause, @object
hrlp_avr_reset_cause:
    .skip 1
    .size hrlp_avr_reset_cause, 1
