/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS's RISC-V port, and what it does not have as it is for one core. Its start of the scheduler is that
 * of core 0, which has the tick.
 */
#define xPortStartScheduler xPortStartFirstCore
#include "port.c"
#undef xPortStartScheduler

void *volatile pxPortCurrentTCB;
uint32_t ulPortHeld[HRL_LOCKS];

extern void *volatile pxCurrentTCBs[]; /* the kernel's */
BaseType_t xPortStartScheduler(void);
void xPortStartFirstTask(void);
BaseType_t xPortIncrementTick(void);
void freertos_risc_v_application_interrupt_handler(void);

enum { MACHINE_SOFTWARE = 8 }; /* of mie */

static void take_first_task(void)
{
    pxPortCurrentTCB = pxCurrentTCBs[portGET_CORE_ID()];
    __asm__ volatile("csrs mie, %0" : : "r"(MACHINE_SOFTWARE));
}

BaseType_t xPortStartScheduler(void)
{
    for (BaseType_t core = 1; core < configNUMBER_OF_CORES; core++) {
        portYIELD_CORE(core);
    }
    take_first_task();
    return xPortStartFirstCore();
}

void vPortStartOtherCore(void)
{
    HRL_MSIP[portGET_CORE_ID()] = 0;
    take_first_task();
    xPortStartFirstTask();
    for (;;) { /* it does not return */
    }
}

/* What the assembly calls where it has no core's number. */
void vPortSwitchContext(void)
{
    vTaskSwitchContext(portGET_CORE_ID());
}

BaseType_t xPortIncrementTick(void)
{
    UBaseType_t status = portENTER_CRITICAL_FROM_ISR();
    BaseType_t required = xTaskIncrementTick();

    portEXIT_CRITICAL_FROM_ISR(status);
    return required;
}

/* Another core has asked this one to yield: there is no other source of interrupts beside the tick. */
void freertos_risc_v_application_interrupt_handler(void)
{
    BaseType_t core = portGET_CORE_ID();

    HRL_MSIP[core] = 0;
    vTaskSwitchContext(core);
}
