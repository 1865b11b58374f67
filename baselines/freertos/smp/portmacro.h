/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS's RISC-V port, which is for one core, on the board of several (docs/guide/multi-core-board.md):
 * what its SMP kernel asks of a port beyond that. All else is the port's own header, which is found behind
 * this one.
 *
 * The variables of the port, the fetched ones and those here, are in each core's private memory, at one
 * address: the count of nested critical sections, the stack of interrupts, the task that runs. A core finds
 * its own without its number.
 *
 * A lock is two registers of the board: tickets are drawn from one, and the other has the one that is served.
 * With test-and-set two of four cores that yield all the time never got it, and all together came to fewer
 * switches. With eight cores, a core that is not the next to be served asks less often, as
 * the holder needs the registers, too; with fewer it costs more than it brings. The kernel takes the locks of
 * SMP again where the core has them already; how often is counted in private memory, so that only the first
 * time costs an access to the registers. Interrupts are masked in all calls here.
 */
#ifndef FREERTOS_SMP_PORTMACRO_H
#define FREERTOS_SMP_PORTMACRO_H

#define vTaskSwitchContext                                                                         \
    vPortSwitchContext /* it declares that without the argument which it has here */
#include_next "portmacro.h"
#undef vTaskSwitchContext

#define HRL_MSIP ((volatile uint32_t *)0x02000000u)
#define HRL_LOCK_VALUE ((volatile uint32_t *)0x40050000u)
#define HRL_LOCK_INCREMENT ((volatile uint32_t *)0x40050400u)

static inline BaseType_t xPortCoreNumber(void)
{
    BaseType_t core;

    __asm__ volatile("csrr %0, mhartid" : "=r"(core)); /* a task may go on on another one */
    return core;
}

/* Sets MIE to 0; returns what it was, as a bit of mstatus. */
static inline UBaseType_t uxPortMask(void)
{
    UBaseType_t status;

    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(status) : : "memory");
    return status & 8u;
}

static inline void vPortUnmask(UBaseType_t status)
{
    __asm__ volatile("csrs mstatus, %0" : : "r"(status) : "memory");
}

enum { HRL_TASK_LOCK, HRL_ISR_LOCK, HRL_LOCKS };
enum { HRL_PAUSE = 4 }; /* turns of a loop, for each core that is served before the next one */
extern uint32_t ulPortHeld[HRL_LOCKS];

static inline void vPortPause(uint32_t turns)
{
    for (; turns != 0; turns--) {
        __asm__ volatile("");
    }
}

static inline void vPortLock(uint32_t lock)
{
    if (ulPortHeld[lock]++ == 0) {
        uint32_t ticket = HRL_LOCK_INCREMENT[2 * lock];

        uint32_t ahead;

        while (ahead = ticket - HRL_LOCK_VALUE[2 * lock + 1], ahead != 0) {
            if (configNUMBER_OF_CORES > 4) {
                vPortPause((ahead - 1) * HRL_PAUSE);
            }
        }
    }
    __asm__ volatile("" : : : "memory");
}

static inline void vPortUnlock(uint32_t lock)
{
    __asm__ volatile("" : : : "memory");
    if (--ulPortHeld[lock] == 0) {
        (void)HRL_LOCK_INCREMENT[2 * lock + 1];
    }
}

#define portGET_CORE_ID() xPortCoreNumber()
#define portYIELD_CORE(core) (HRL_MSIP[core] = 1u)
#define portGET_TASK_LOCK(core) vPortLock(HRL_TASK_LOCK)
#define portRELEASE_TASK_LOCK(core) vPortUnlock(HRL_TASK_LOCK)
#define portGET_ISR_LOCK(core) vPortLock(HRL_ISR_LOCK)
#define portRELEASE_ISR_LOCK(core) vPortUnlock(HRL_ISR_LOCK)

/* The kernel asks for that of the core which it runs on only. */
#define portGET_CRITICAL_NESTING_COUNT(core) (xCriticalNesting)
#define portSET_CRITICAL_NESTING_COUNT(core, count) (xCriticalNesting = (count))
#define portINCREMENT_CRITICAL_NESTING_COUNT(core) (xCriticalNesting++)
#define portDECREMENT_CRITICAL_NESTING_COUNT(core) (xCriticalNesting--)

#define portSET_INTERRUPT_MASK() uxPortMask()
#define portCLEAR_INTERRUPT_MASK(status) vPortUnmask(status)

/* Critical sections are the kernel's. Interrupts are off in handlers, which do not nest. */
extern void vTaskEnterCritical(void);
extern void vTaskExitCritical(void);
extern UBaseType_t vTaskEnterCriticalFromISR(void);
extern void vTaskExitCriticalFromISR(UBaseType_t status);
#undef portENTER_CRITICAL
#undef portEXIT_CRITICAL
#define portENTER_CRITICAL() vTaskEnterCritical()
#define portEXIT_CRITICAL() vTaskExitCritical()
#define portENTER_CRITICAL_FROM_ISR() vTaskEnterCriticalFromISR()
#define portEXIT_CRITICAL_FROM_ISR(status) vTaskExitCriticalFromISR(status)

#undef portEND_SWITCHING_ISR
#define portEND_SWITCHING_ISR(required)                                                            \
    do {                                                                                           \
        if (required) {                                                                            \
            vPortSwitchContext();                                                                  \
        }                                                                                          \
    } while (0)

/* The task that runs on this core: the assembly saves and loads its registers. */
extern void *volatile pxPortCurrentTCB;
#define portTASK_SWITCH_HOOK(task) (pxPortCurrentTCB = (task))

/* What the other cores call when they are rung at the start, in place of main. */
_Noreturn void vPortStartOtherCore(void);

#endif
