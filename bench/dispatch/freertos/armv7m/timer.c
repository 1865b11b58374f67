/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_timer.h"
#include "FreeRTOS.h"

/* CMSDK timer 0 (Cortex-M System Design Kit, Technical Reference Manual, 4.4), interrupt 8. */
#define TIMER ((volatile uint32_t *)0x40000000u)
#define NVIC_ENABLE (*(volatile uint32_t *)0xE000E100u)
#define NVIC_PRIORITY ((volatile uint8_t *)0xE000E400u)
enum { LINE = 8, CONTROL = 0, VALUE, RELOAD, CLEAR, ENABLE_AND_INTERRUPT = 9 };

void bench_timer_start(uint32_t counts)
{
    NVIC_PRIORITY[LINE] = configMAX_SYSCALL_INTERRUPT_PRIORITY;
    NVIC_ENABLE = 1u << LINE;
    TIMER[RELOAD] = counts - 1;
    TIMER[VALUE] = counts - 1;
    TIMER[CONTROL] = ENABLE_AND_INTERRUPT;
}

void TIMER0_Handler(void);
void TIMER0_Handler(void)
{
    TIMER[CLEAR] = 1;
    bench_timer_expired();
}
