/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include <stdint.h>

/*
 * Console and exit of QEMU's virt machine: a 16550 UART, and the test device, to which a word says
 * how it ended.
 */
#define UART_TRANSMIT (*(volatile uint8_t *)0x10000000u)
#define UART_LINE_STATUS (*(volatile uint8_t *)0x10000005u)
#define UART_TRANSMIT_EMPTY (1u << 5)
#define TEST_DEVICE (*(volatile uint32_t *)0x00100000u)
#define TEST_DEVICE_PASS 0x5555u
#define TEST_DEVICE_FAIL 0x3333u /* the status in the upper half */

void hrlp_cpu_print(const char *text)
{
    for (; *text != '\0'; text++) {
        while ((UART_LINE_STATUS & UART_TRANSMIT_EMPTY) == 0) {
        }
        UART_TRANSMIT = (uint8_t)*text;
    }
}

_Noreturn void hrlp_cpu_halt(int status)
{
    TEST_DEVICE = status == 0 ? TEST_DEVICE_PASS : (uint32_t)status << 16 | TEST_DEVICE_FAIL;
    for (;;) {
    }
}
