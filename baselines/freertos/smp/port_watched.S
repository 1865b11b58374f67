/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The port's assembly, and what a measurement has to know of it: which of its symbols are functions. Those
 * three load a task's registers. No instruction is another one for it.
 */
#include "port_cores.S"

    .macro function name
    .section .text.\name
    .type \name, %function
    .size \name, . - \name
    .endm
    function freertos_risc_v_exception_handler
    function freertos_risc_v_interrupt_handler
    function freertos_risc_v_mtimer_interrupt_handler
