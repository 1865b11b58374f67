/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cortex_m_line.h"
#include "cortex_m_memory.h"
#include "hrlp_fault.h"
#include "hrlp_irq.h"
#include "hrlp_lines_controller.h"
#include "hrlp_start_controller.h"
#include <stdint.h>

/*
 * From reset to main: vector table, initialised data, zeroed data. The names in the table are weak;
 * a definition of one takes the exception.
 */
extern uint32_t hrl_link_main_stack_top[];

int main(void);
void Reset_Handler(void);

#if HRL_CORES == 1 /* several cores have one that finds each its stack */
__attribute__((cold)) _Noreturn void Reset_Handler(void)
{
    hrlp_cortex_m_prepare_memory();
    hrlp_cortex_m_prepare();
    (void)main();
    for (;;) {
    }
}
#endif

HRLP_CORTEX_M_OR_FAULT void NMI_Handler(void);
HRLP_CORTEX_M_OR_FAULT void HardFault_Handler(void);
HRLP_CORTEX_M_OR_FAULT void MemManage_Handler(void);
HRLP_CORTEX_M_OR_FAULT void BusFault_Handler(void);
HRLP_CORTEX_M_OR_FAULT void UsageFault_Handler(void);
HRLP_CORTEX_M_OR_FAULT void SVC_Handler(void);
HRLP_CORTEX_M_OR_FAULT void DebugMon_Handler(void);
HRLP_CORTEX_M_OR_FAULT void PendSV_Handler(void);
HRLP_CORTEX_M_OR_FAULT void SysTick_Handler(void);

/* The rows of the architecture's table; HRLP_CORTEX_M_LINES names those of the chip (hrlp_lines_controller.h). */
/* clang-format off */
#define OR_LINE(name) __attribute__((weak, alias("hrlp_cortex_m_line"))) void name##_Handler(void);
#define VECTOR(name) name##_Handler,

HRLP_CORTEX_M_LINES(OR_LINE)

typedef void (*vector)(void);

#if HRL_TRACE /* as then what records interrupts comes before each handler (trace/exception.S of the port) */
#include "hrlp_ring_vectors_controller.h"
void hrlp_ring_exception(void);
void hrlp_ring_returns(void);
void hrlp_ring_ends(void);
#define AT(name) hrlp_ring_exception
#define SYSTICK HRLP_RING_SYSTICK
#define RECORDED(name) hrlp_ring_exception,

const vector hrlp_cortex_m_handlers[16 + HRLP_IRQ_LINES] = {
    hrlp_ring_returns, hrlp_ring_ends, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    SVC_Handler, 0, 0, PendSV_Handler, SysTick_Handler,
    HRLP_CORTEX_M_LINES(VECTOR)
};
#else
#define AT(name) name##_Handler
#define SYSTICK SysTick_Handler
#define RECORDED VECTOR
#endif

__attribute__((section(".vectors"), used)) static const vector vectors[16 + HRLP_IRQ_LINES] = {
    (vector)(uintptr_t)hrl_link_main_stack_top, Reset_Handler, NMI_Handler, HardFault_Handler,
    MemManage_Handler, BusFault_Handler, UsageFault_Handler, 0,
    0, 0, 0, AT(SVC),
    DebugMon_Handler, 0, AT(PendSV), SYSTICK,
    HRLP_CORTEX_M_LINES(RECORDED)
};
/* clang-format on */
