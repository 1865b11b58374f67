/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "line.h"
#include "ending.h"
#include "hrlp_irq.h"
#include "line_state.h"

uint32_t hrli_line_activate(const struct hrl_basic *task)
{
    HRLP_CONST struct hrl_line *line = hrli_line_of(task);
    uint32_t bit = hrli_line_bit(HRLP_CONST_AT(task)->rank);

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
    return HRLP_CONST_AT(task)->limit > 1u && HRLP_CONST_AT(task)->counts[HRLI_BASIC_WAITING] != 0;
}

/*
 * Ends a job of `task`: the task is ready no longer, unless another activation waits. This leaves
 * the word `done` to hrli_line_serve, which may have called the catch-up task that calls this.
 * Context: interrupts masked.
 */
static void end_job(HRLP_CONST struct hrl_line *line, const struct hrl_basic *task)
{
    if (waits(task)) {
        HRLP_CONST_AT(task)->counts[HRLI_BASIC_WAITING]--;
    } else {
        line->words->released ^= hrli_line_bit(HRLP_CONST_AT(task)->rank);
    }
}

/*
 * Runs the job of the first task of `ready`. That task ends before the task that it chains to
 * begins, so that the second may activate the first.
 */
static void run_first(HRLP_CONST struct hrl_line *line, uint32_t ready)
{
    const struct hrl_resource *held = HRL_CHECKS ? hrli_resource_held : NULL;
    uint32_t rank = 31u - hrlp_cpu_highest_bit(ready);
    const struct hrl_basic *task = hrli_line_task(line, rank);
    const struct hrl_basic *chained = NULL;

    line->words->current = rank;
    if (HRLP_CONST_AT(task)->may_end) {
        chained = hrli_ending_run(task);
    } else {
        HRLP_CONST_AT(task)->body();
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

bool hrli_line_run_one(HRLP_CONST struct hrl_line *line)
{
    uint32_t ready = hrli_line_ready(line->words);

    if (ready == 0) {
        return false;
    }
    run_first(line, ready);
    return true;
}

void hrli_line_run(HRLP_CONST struct hrl_line *line)
{
    while (hrli_line_run_one(line)) {
    }
}

/* Makes `task` ready if a job of it waits and hrli_line_serve has ended the one before it. */
static void wake(const struct hrl_basic *task)
{
    uint32_t bit = hrli_line_bit(HRLP_CONST_AT(task)->rank);
    struct hrli_line_words *words = hrli_line_of(task)->words;

    (void)hrlp_irq_lock();
    if (waits(task) && (hrli_line_ready(words) & bit) == 0) {
        HRLP_CONST_AT(task)->counts[HRLI_BASIC_WAITING]--;
        hrli_line_release(words, bit);
    }
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
}

/*
 * Goes on until no task is ready, as then no job waits either. A job that begins to wait by then
 * requests the other catch-up task, which comes next and finds nothing, or a job that this one has
 * just missed.
 */
void hrli_line_catch_up(HRLP_CONST struct hrl_line *line)
{
    uint32_t ready;

    for (uint32_t rank = 2; rank < line->count; rank++) {
        wake(hrli_line_task(line, rank));
    }
    while ((ready = hrli_line_ready(line->words) & ~HRLI_LINE_CATCH_UP) != 0) {
        run_first(line, ready);
    }
}
