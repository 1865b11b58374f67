/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS's port as it is built (cmake/firmware/freertos_chip.cmake), and entries of handlers made of its macros. */
#include BASELINE_PORT_SOURCE
#include "notify/notify.h"

/*
 * Entries come in two parts, as that of the port's tick: whatever switches back to an interrupted task ends with `ret`, here
 * to the `reti` that enables interrupts again.
 */
#define ENTRY_OF(handler) handler##_entry
#define ENTRY(handler) ENTRY_OF(handler)
#define SWITCH_OF(handler) handler##_switch
#define SWITCH(handler) SWITCH_OF(handler)
#define ENTRY_TO(handler)                                                                          \
    void handler(void);                                                                            \
    void SWITCH(handler)(void);                                                                    \
    __attribute__((naked, used)) void SWITCH(handler)(void)                                        \
    {                                                                                              \
        portSAVE_CONTEXT();                                                                        \
        handler();                                                                                 \
        portRESTORE_CONTEXT();                                                                     \
        __asm__ volatile("ret");                                                                   \
    }                                                                                              \
    void ENTRY(handler)(void);                                                                     \
    __attribute__((naked, used)) void ENTRY(handler)(void)                                         \
    {                                                                                              \
        SWITCH(handler)();                                                                         \
        __asm__ volatile("reti");                                                                  \
    }

ENTRY_TO(HRL_GEN_CELL_HANDLER)
ENTRY_TO(HRL_GEN_CLOCK_HANDLER)
