/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_upcalls.h"
#include <stdint.h>

/*
 * Threads run on the process stack, handlers on the main stack. A thread that does not run has r4-r11
 * on its stack below the frame that the hardware pushed.
 */
enum { HARDWARE_FRAME_WORDS = 8, SAVED_WORDS = 8 };

static void thread_returned(void)
{
    hrlp_cpu_print("a thread's entry function returned\n");
    hrlp_cpu_halt(1);
}

void *hrlp_cpu_stack_prepare(void *stack, size_t bytes, void (*entry)(void *), void *argument)
{
    uint32_t *frame = (uint32_t *)((uintptr_t)stack + bytes) - HARDWARE_FRAME_WORDS;

    frame[0] = (uint32_t)(uintptr_t)argument;        /* r0 */
    frame[5] = (uint32_t)(uintptr_t)thread_returned; /* lr */
    frame[6] = (uint32_t)(uintptr_t)entry & ~1u;     /* pc */
    frame[7] = 0x01000000u;                          /* xPSR: Thumb state */
    return frame - SAVED_WORDS;
}

#define SWITCH(choose)                                                                             \
    "mrs r0, psp\n\t"                                                                              \
    "stmdb r0!, {r4-r11}\n\t"                                                                      \
    "push {r3, lr}\n\t"                                                                            \
    "bl " choose "\n\t"                                                                            \
    "pop {r3, lr}\n\t"                                                                             \
    "ldmia r0!, {r4-r11}\n\t"                                                                      \
    "msr psp, r0\n\t"                                                                              \
    "bx lr"

/* The switch: lowest priority, so it runs when all handlers are done and all releases are in. */
__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__ volatile(SWITCH("hrli_cpu_switch"));
}

__attribute__((naked)) void SVC_Handler(void)
{
    __asm__ volatile(SWITCH("hrli_cpu_yield"));
}

/* In an object of its own (idle.S): what runs there is not kernel overhead. */
_Noreturn void hrlp_idle_loop(void);

_Noreturn void hrlp_cpu_become_idle(void *stack, size_t bytes)
{
    __asm__ volatile("msr psp, %0\n\t"
                     "movs r0, #2\n\t"
                     "msr control, r0\n\t"
                     "isb\n\t"
                     "movs r0, #0\n\t"
                     "msr basepri, r0\n\t"
                     "b hrlp_idle_loop"
                     :
                     : "r"((uintptr_t)stack + bytes)
                     : "r0", "memory");
    __builtin_unreachable();
}
