/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

/* The words of its stack that `thread` may use: above the guard, if there is one. */
static uint32_t *words_of(const struct hrl_thread *thread, hrli_number *count)
{
    uint32_t *lowest = hrlp_guard_lowest(thread->stack);
    hrli_number bytes = (hrli_number)((uintptr_t)lowest - (uintptr_t)thread->stack);

    *count = thread->stack_bytes > bytes
                 ? (thread->stack_bytes - bytes) / (hrli_number)sizeof *lowest
                 : 0; /* no stack, or all of it is guard: that faults as soon as it runs */
    return lowest;
}

void hrli_stack_paint(struct hrl_thread *thread)
{
    hrli_number count;
    uint32_t *words = words_of(thread, &count);

    for (hrli_number i = 0; i < count; i++) {
        words[i] = HRLI_STACK_PAINT;
    }
}

uint32_t hrl_thread_stack_unused(const struct hrl_thread *thread)
{
    hrli_number count;
    const uint32_t *words = words_of(thread, &count);
    hrli_number i = 0;

    while (i < count && words[i] == HRLI_STACK_PAINT) {
        i++;
    }
    return i * (uint32_t)sizeof *words;
}
