/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include <hrl/hooks.h>
#include <stdint.h>

/* Threads run on the process stack, handlers on the main stack. */
enum { HARDWARE_FRAME_WORDS = 8 };

void *hrlp_cpu_stack_prepare(void *stack, size_t bytes, void (*entry)(void *), void *argument)
{
    uint32_t *frame = (uint32_t *)((uintptr_t)stack + bytes) - HARDWARE_FRAME_WORDS;

    frame[0] = (uint32_t)(uintptr_t)argument;    /* r0 */
    frame[5] = 0;                                /* lr: to return is a fault */
    frame[6] = (uint32_t)(uintptr_t)entry & ~1u; /* pc */
    frame[7] = 0x01000000u;                      /* xPSR: Thumb state */
    return hrlp_cortex_m_push_saved(frame);
}

/* In an object of its own (idle.S): what runs there is not kernel overhead. */
_Noreturn void hrlp_idle_loop(void);

/* NULL unless the application defines it. */
__attribute__((weak)) void hrl_idle_hook(void);

static _Noreturn void hrlp_idle(void)
{
    while (hrl_idle_hook != NULL) {
        hrl_idle_hook();
    }
    hrlp_idle_loop();
}

_Noreturn void hrlp_cpu_idle(void)
{
    __asm__ volatile(".syntax unified\n\tmovs r0, #0\n\t" HRLP_CORTEX_M_UNMASK
                     :
                     :
                     : "r0", "memory");
    hrlp_idle();
}

_Noreturn void hrlp_cpu_become_idle(void *stack, size_t bytes)
{
    __asm__ volatile(".syntax unified\n\tmsr psp, %0\n\t"
                     "movs r0, #2\n\t"
                     "msr control, r0\n\t"
                     "isb\n\t"
                     "movs r0, #0\n\t" HRLP_CORTEX_M_UNMASK "bx %1"
                     :
                     : "r"((uintptr_t)stack + bytes), "r"(hrlp_idle)
                     : "r0", "memory");
    __builtin_unreachable();
}
