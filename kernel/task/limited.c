/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "limited.h"
#include "hrlp_irq.h"
#include "line_words.h"
#include <stddef.h>

/* The bits of all tasks of a line, but for bells. */
static uint32_t all_of(const struct hrl_line *line)
{
    uint32_t bells = line->tasks[0] == NULL ? HRLI_LINE_BELLS : 0;

    return ~(UINT32_MAX >> (line->count - 1) >> 1) & ~bells;
}

void hrli_limited_end(const struct hrl_basic *task)
{
    const struct hrl_line *line = task->line;
    struct hrli_line_ends *ends = (struct hrli_line_ends *)line->words;
    uint32_t ended = hrli_line_bit(task->rank);
    hrlp_irq_state state = hrlp_irq_lock();

    if (ends != NULL) {
        ended |= ends->ended;
        ends->ended = ended;
    }
    if (ended == all_of(line)) {
        hrl_gen_alive &= ~(1u << line->number);
    }
    hrlp_irq_unlock(state);
}
