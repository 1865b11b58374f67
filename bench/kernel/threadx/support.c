/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_run.h"
#include "hrlp_upcalls.h"
#include "tx_api.h"
/* needs the above */
#include "tx_initialize.h"

/* What ThreadX's Cortex-M port wants from the application: the tick, priorities of exceptions, the start. */
#undef main

enum { CPU_HZ = 25000000, RELOAD = CPU_HZ / TX_TIMER_TICKS_PER_SECOND - 1 };
#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SHPR2 (*(volatile uint32_t *)0xE000ED1Cu)
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)

void SysTick_Handler(void);
VOID _tx_timer_interrupt(VOID);

/* PendSV, which switches threads, has the lowest priority, SysTick one above it. */
VOID _tx_initialize_low_level(VOID)
{
    __asm__ volatile("cpsid i" : : : "memory");
    SHPR2 = 0xFF000000u;
    SHPR3 = 0x40FF0000u;
    SYST_RVR = RELOAD;
    SYST_CSR = 7;
}

void SysTick_Handler(void)
{
    _tx_timer_interrupt();
}

VOID tx_application_define(VOID *first_unused_memory)
{
    (void)first_unused_memory;
    (void)bench_main();
}

const char *hrli_cpu_current_name(void)
{
    TX_THREAD *thread = tx_thread_identify();

    return thread == TX_NULL ? "start-up" : thread->tx_thread_name;
}

int main(void)
{
    tx_kernel_enter();
}
