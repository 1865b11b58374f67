/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASELINE_AVR_HANDLER_H
#define BASELINE_AVR_HANDLER_H

/*
 * The handler of a cell is called by its entry (port_notify.c), which has saved the interrupted task as a switch does,
 * and goes on with the task that is current then: as FreeRTOS's own tick, and cheaper than a handler that the
 * compiler saves registers for and that yields at its end.
 */
#define BASELINE_HANDLER(handler)                                                                  \
    void handler(void);                                                                            \
    void handler(void)
#define BASELINE_YIELD(switches)                                                                   \
    do {                                                                                           \
        if ((switches) != pdFALSE) {                                                               \
            vTaskSwitchContext();                                                                  \
        }                                                                                          \
    } while (0)

#endif
