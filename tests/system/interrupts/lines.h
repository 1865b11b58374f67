/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LINES_H
#define LINES_H

#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>
#include <string.h>

/* The board's console and its end. */
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);

/*
 * Raises and silences LINE_A and LINE_B: by software, or on QEMU's RISC-V machine by the UART, which is empty, and by
 * the clock's alarm, which has passed.
 */
#define UART_INTERRUPT_ENABLE (*(volatile uint8_t *)0x10000001u)
#define RTC ((volatile uint32_t *)0x00101000u)

static inline void raise_a(void)
{
    if (hrl_interrupt_raise(LINE_A) == HRL_UNSUPPORTED) {
        UART_INTERRUPT_ENABLE = 2;
    }
}

static inline void raise_b(void)
{
    if (hrl_interrupt_raise(LINE_B) == HRL_UNSUPPORTED) {
        RTC[4] = 1;
        RTC[3] = 0;
        RTC[2] = 1;
    }
}

/* Nothing where software raised it. To be called while the line is disabled, or in its handler. */
static inline void silence(uint32_t line)
{
    if (LINE_A == 10u && line == LINE_A) {
        UART_INTERRUPT_ENABLE = 0;
    } else if (LINE_A == 10u) {
        RTC[7] = 1;
    }
}

#endif
