/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include <hrl/hooks.h>
#include <stdint.h>

/*
 * Threads run on their own stacks, handlers on the main stack. hrlp_rv32_frame.inc says what a thread
 * that does not run has on its stack.
 */
enum { SAVED_BYTES = 48, TRAP_FRAME_BYTES = 80, STACK_ALIGNMENT = 16 };

void *hrlp_cpu_stack_prepare(void *stack, size_t bytes, void (*entry)(void *), void *argument)
{
    uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)(STACK_ALIGNMENT - 1);
    uint32_t *frame = (uint32_t *)(top - TRAP_FRAME_BYTES);

    frame[0] = (uint32_t)(uintptr_t)entry;
#ifdef HRLP_RV32_FRAME_RESUME /* as not every frame has it */
    frame[HRLP_RV32_FRAME_RESUME] = (uint32_t)(uintptr_t)hrlp_rv32_begin;
#endif
    frame[HRLP_RV32_FRAME_RA] = 0; /* to return is a fault */
    frame[HRLP_RV32_FRAME_WORD(0)] = (uint32_t)(uintptr_t)argument;
    return (char *)frame - SAVED_BYTES;
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
    __asm__ volatile("csrs mstatus, %0" : : "r"(HRLP_RV32_MIE) : "memory");
    hrlp_idle();
}

_Noreturn void hrlp_cpu_become_idle(void *stack, size_t bytes)
{
    uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)(STACK_ALIGNMENT - 1);

    hrlp_rv32_start_dispatch();
    __asm__ volatile("mv sp, %0\n\t"
                     "csrs mstatus, %1\n\t"
                     "jr %2"
                     :
                     : "r"(top), "r"(HRLP_RV32_MIE), "r"(hrlp_idle)
                     : "memory");
    __builtin_unreachable();
}
