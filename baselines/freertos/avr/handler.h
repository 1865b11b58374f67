/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASELINE_AVR_HANDLER_H
#define BASELINE_AVR_HANDLER_H

/*
 * The handler of a cell is what its vector jumps to; the compiler saves what it changes. As in FreeRTOS's own programs
 * for AVR, one that has woken a task ends with a yield, which switches as a task's does: the handler returns when the
 * interrupted task has its turn again.
 */
#define BASELINE_ENTRY_OF(handler) handler##_entry
#define BASELINE_ENTRY(handler) BASELINE_ENTRY_OF(handler)
#define BASELINE_HANDLER(handler)                                                                  \
    __attribute__((signal, used)) void BASELINE_ENTRY(handler)(void);                              \
    __attribute__((signal, used)) void BASELINE_ENTRY(handler)(void)
#define BASELINE_YIELD(switches)                                                                   \
    do {                                                                                           \
        if ((switches) != pdFALSE) {                                                               \
            portYIELD();                                                                           \
        }                                                                                          \
    } while (0)

#endif
