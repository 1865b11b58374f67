/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"

/*
 * Two devices of QEMU's virt machine that raise a line when asked: the 16550, which is empty, and the Goldfish
 * clock, whose alarm has passed.
 */
#define UART_INTERRUPT_ENABLE (*(volatile uint8_t *)0x10000001u)
#define UART_WHEN_EMPTY 2u
#define RTC ((volatile uint32_t *)0x00101000u)
enum { RTC_ALARM_LOW = 2, RTC_ALARM_HIGH, RTC_INTERRUPT_ENABLED, RTC_CLEAR_INTERRUPT = 7 };

static void uart_raise(unsigned i)
{
    (void)i;
    UART_INTERRUPT_ENABLE = UART_WHEN_EMPTY;
}

static void uart_quiet(unsigned i)
{
    (void)i;
    UART_INTERRUPT_ENABLE = 0;
}

static void rtc_raise(unsigned i)
{
    (void)i;
    RTC[RTC_INTERRUPT_ENABLED] = 1;
    RTC[RTC_ALARM_HIGH] = 0;
    RTC[RTC_ALARM_LOW] = 1;
}

static void rtc_quiet(unsigned i)
{
    (void)i;
    RTC[RTC_CLEAR_INTERRUPT] = 1;
}

const struct conform_line conform_lines[2] = {
    {10, uart_raise, uart_quiet},
    {11, rtc_raise, rtc_quiet},
};
