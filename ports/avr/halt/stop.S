/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * REPORT halt: what the kernel would say of a broken promise is in flash, and is not told.
 */
    .section .text.hrlp_avr_stop, "ax", @progbits
    .global hrlp_avr_stop
    .type hrlp_avr_stop, @function
hrlp_avr_stop:
    clr r1
    mov r24, r1
    mov r25, r1
    mov r22, r1
    mov r23, r1
    jmp hrl_assert_hook
    .size hrlp_avr_stop, . - hrlp_avr_stop
