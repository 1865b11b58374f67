/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_avr_lines.h"
/*
 * The vector table under FreeRTOS, in the place of ports/avr/vectors/vectors.S: a handler is entered at once, and saves
 * what it changes by itself. An interrupt without a handler ends the program.
 */
#define VECTOR(name, ...) jmp name##_Handler_entry $
#define OR_NONE(name, ...)                                                                         \
    .weak name##_Handler_entry $                                                                   \
    name##_Handler_entry: $

    .section .vectors, "ax", @progbits
    .global hrlp_vectors
    .type hrlp_vectors, @function
hrlp_vectors:
    jmp hrlp_reset
    HRLP_AVR_LINES(VECTOR)
    .size hrlp_vectors, . - hrlp_vectors

    .section .text.baseline_no_handler, "ax", @progbits
    .type baseline_no_handler, @function
baseline_no_handler:
    HRLP_AVR_LINES(OR_NONE)
    jmp hrlp_fault_handler
    .size baseline_no_handler, . - baseline_no_handler
