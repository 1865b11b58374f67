/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

void hrli_stack_paint(struct hrl_thread *thread)
{
    uint32_t *words = thread->stack;

    for (uint32_t i = 0; i < thread->stack_bytes / sizeof *words; i++) {
        words[i] = HRLI_STACK_PAINT;
    }
}

uint32_t hrl_thread_stack_unused(const struct hrl_thread *thread)
{
    const uint32_t *words = thread->stack;
    uint32_t i = 0;

    while (i < thread->stack_bytes / sizeof *words && words[i] == HRLI_STACK_PAINT) {
        i++;
    }
    return i * (uint32_t)sizeof *words;
}
