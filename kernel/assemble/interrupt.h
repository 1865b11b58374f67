/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_INTERRUPT_H
#define HRLI_INTERRUPT_H

#include <hrl/interrupt.h>
#include <stddef.h>

/*
 * Interrupts that a description has. At file scope, without a semicolon: what is attached to the line of
 * number `interrupt`; it runs hrl_gen_body_<body>, so that the handler is watched from outside as a job is,
 * and does then what the line holds behind that.
 */
#define HRLI_INTERRUPT(interrupt, body) HRLI_INTERRUPT_AND(interrupt, body, ;)
#define HRLI_INTERRUPT_AND(interrupt, body, ...)                                                   \
    void hrl_gen_body_##body(void);                                                                \
    static void hrl_gen_interrupt_##interrupt(void *argument)                                      \
    {                                                                                              \
        (void)argument;                                                                            \
        hrl_gen_body_##body();                                                                     \
        __VA_ARGS__                                                                                \
    }

/* In start-up code: attaches it to `line`, and lets that through at `priority` (hrl/interrupt.h). */
#define HRLI_ATTACH(interrupt, line, priority)                                                     \
    hrl_interrupt_attach(line, hrl_gen_interrupt_##interrupt, NULL);                               \
    (void)hrl_interrupt_enable(line, priority);

#endif
