/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "line.h"
#include "ending.h"
#include "hrlp_irq.h"
#include "line_state.h"

uint32_t hrli_line_activate(const struct hrl_basic *task)
{
    const struct hrl_line *line = task->line;
    uint32_t bit = hrli_line_bit(task->rank);

    if (line->words != NULL) {
        if ((hrli_line_ready(line->words) & bit) != 0) {
            hrli_line_wait(task);
            return 0;
        }
        hrli_line_release(line->words, bit);
    }
    return (uint32_t)1 << line->number;
}

static bool waits(const struct hrl_basic *task)
{
    return task->limit > 1u && task->counts[HRLI_BASIC_WAITING] != 0;
}

/*
 * Ends a job of `task`: the task is ready no longer, unless another activation waits. This leaves
 * the word `done` to hrli_line_serve, which may have called the catch-up task that calls this.
 * Context: interrupts masked.
 */
static void end_job(const struct hrl_line *line, const struct hrl_basic *task)
{
    if (waits(task)) {
        task->counts[HRLI_BASIC_WAITING]--;
    } else {
        line->words->released ^= hrli_line_bit(task->rank);
    }
}

/*
 * Runs the job of the first task of `ready`. That task ends before the task that it chains to
 * begins, so that the second may activate the first.
 */
static void run_first(const struct hrl_line *line, uint32_t ready)
{
    const struct hrl_resource *held = HRL_CHECKS ? hrli_resource_held : NULL;
    uint32_t rank = 31u - hrlp_cpu_highest_bit(ready);
    const struct hrl_basic *task = line->tasks[rank];
    const struct hrl_basic *chained = NULL;

    line->words->current = rank;
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
}

bool hrli_line_run_one(const struct hrl_line *line)
{
    uint32_t ready = hrli_line_ready(line->words);

    if (ready == 0) {
        return false;
    }
    run_first(line, ready);
    return true;
}

void hrli_line_run(const struct hrl_line *line)
{
    while (hrli_line_run_one(line)) {
    }
}

/* Makes `task` ready if a job of it waits and hrli_line_serve has ended the one before it. */
static void wake(const struct hrl_basic *task)
{
    uint32_t bit = hrli_line_bit(task->rank);
    struct hrli_line_words *words = task->line->words;

    (void)hrlp_irq_lock();
    if (waits(task) && (hrli_line_ready(words) & bit) == 0) {
        task->counts[HRLI_BASIC_WAITING]--;
        hrli_line_release(words, bit);
    }
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
}

/*
 * Goes on until no task is ready, as then no job waits either. A job that begins to wait by then
 * requests the other catch-up task, which comes next and finds nothing, or a job that this one has
 * just missed.
 */
void hrli_line_catch_up(const struct hrl_line *line)
{
    uint32_t ready;

    for (uint32_t rank = 2; rank < line->count; rank++) {
        wake(line->tasks[rank]);
    }
    while ((ready = hrli_line_ready(line->words) & ~HRLI_LINE_CATCH_UP) != 0) {
        run_first(line, ready);
    }
}
