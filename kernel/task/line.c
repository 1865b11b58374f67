/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "line.h"
#include "ending.h"
#include "hrlp_irq.h"
#include "overrun.h"

uint32_t hrli_line_activate(const struct hrl_basic *task)
{
    const struct hrl_line *line = task->line;
    uint32_t bit = hrli_line_bit(task->rank);

    if (line->words != NULL) {
        if ((hrli_line_ready(line->words) & bit) != 0) {
            task->counts[HRLI_BASIC_WAITING]++;
            return 0;
        }
        hrli_line_release(line->words, bit);
    }
    return 1u << line->number;
}

/* The task is ready no longer, unless another activation waits. Context: interrupts masked. */
static void end_job(const struct hrl_line *line, const struct hrl_basic *task)
{
    if (task->limit > 1u && task->counts[HRLI_BASIC_WAITING] != 0) {
        task->counts[HRLI_BASIC_WAITING]--;
    } else {
        line->words->done ^= hrli_line_bit(task->rank);
    }
}

/* The caller ends before whom it chains to begins, so that this one may activate that one. */
bool hrli_line_run_one(const struct hrl_line *line)
{
    const struct hrl_resource *held = HRL_CHECKS ? hrli_resource_held : NULL;
    uint32_t ready = hrli_line_ready(line->words);
    const struct hrl_basic *chained = NULL;
    const struct hrl_basic *task;

    if (ready == 0) {
        return false;
    }
    line->words->current = 31u - hrlp_cpu_highest_bit(ready);
    task = line->tasks[line->words->current];
    if (task->may_end) {
        chained = hrli_ending_run(task);
    } else {
        task->body();
    }
    if (chained == NULL) {
        hrli_resource_check_end(held);
        (void)hrlp_irq_lock();
        end_job(line, task);
    } else {
        end_job(line, task);
        hrlp_line_raise(hrli_line_activate(chained));
    }
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
    hrlp_line_settle();
    return true;
}

void hrli_line_run(const struct hrl_line *line)
{
    while (hrli_line_run_one(line)) {
    }
}
