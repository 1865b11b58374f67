/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_timer.h"

/* Timer cell 0 and the interrupt controller of ibex-cells (docs/guide/timer-cells.md). */
#define CELL ((volatile uint32_t *)0x40000000u)
#define PRIORITY ((volatile uint32_t *)0x40010000u)
#define ENABLE ((volatile uint32_t *)0x40011000u)
#define CLAIM (*(volatile uint32_t *)0xFFFFFF00u)
#define COMPLETE (*(volatile uint32_t *)0xFFFFFF04u)
enum { SOURCE = 64, COUNT = 0, COMPARE, CONTROL, PERIODIC = 3 };

void bench_timer_start(uint32_t counts)
{
    PRIORITY[SOURCE] = 1;
    ENABLE[SOURCE / 32] = 1u << (SOURCE % 32);
    CELL[COMPARE] = counts;
    CELL[COUNT] = 0;
    CELL[CONTROL] = PERIODIC;
}

/* What the port calls for interrupts that are not the tick's; the only one here is the cell's. */
void freertos_risc_v_application_interrupt_handler(void);
void freertos_risc_v_application_interrupt_handler(void)
{
    (void)CLAIM;
    COMPLETE = 0;
    bench_timer_expired();
}
