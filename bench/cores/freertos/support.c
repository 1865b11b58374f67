/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"

enum { STACK_WORDS = 256, THREADS = 2, IDLE = THREADS };

_Noreturn void hrlp_idle_loop(void);

/*
 * Of each core: its threads', then its idle task's. The linker script has the stacks of core 0; a core's are
 * a step on.
 */
extern StackType_t bench_stacks[][STACK_WORDS];
extern const char bench_stacks_step[]; /* an absolute symbol: its address is the number of bytes */
static StaticTask_t blocks[BENCH_CORES][THREADS + 1];

static StackType_t *stack_of(unsigned core, unsigned number)
{
    return (StackType_t *)((uintptr_t)bench_stacks[number] + core * (uintptr_t)bench_stacks_step);
}

void bench_thread(unsigned core, unsigned number, TaskFunction_t entry)
{
#if HRL_CORES > 1 && HRL_AFFINITY /* the kernel has the call only then */
    (void)xTaskCreateStaticAffinitySet(entry, "thread", STACK_WORDS, NULL, 1,
                                       stack_of(core, number), &blocks[core][number], 1u << core);
#else
    (void)xTaskCreateStatic(entry, "thread", STACK_WORDS, NULL, 1, stack_of(core, number),
                            &blocks[core][number]);
#endif
}

/* The idle tasks, and the loop that all kernels share. */
static void give_idle(unsigned core, StaticTask_t **block, StackType_t **stack,
                      configSTACK_DEPTH_TYPE *words)
{
    *block = &blocks[core][IDLE];
    *stack = stack_of(core, IDLE);
    *words = STACK_WORDS;
}

void vApplicationGetIdleTaskMemory(StaticTask_t **block, StackType_t **stack,
                                   configSTACK_DEPTH_TYPE *words)
{
    give_idle(0, block, stack, words);
}

void vApplicationIdleHook(void)
{
    hrlp_idle_loop();
}

#if HRL_CORES > 1 /* the kernel declares it only then */
void vApplicationGetPassiveIdleTaskMemory(StaticTask_t **block, StackType_t **stack,
                                          configSTACK_DEPTH_TYPE *words, BaseType_t index)
{
    give_idle((unsigned)index + 1, block, stack, words);
}

void vApplicationPassiveIdleHook(void)
{
    hrlp_idle_loop();
}
#endif
