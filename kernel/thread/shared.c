/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"
#include <hrl/hooks.h>
#include <hrl/time.h>

/* One release of a shared thread: when it was, and when the next one is. */
struct round {
    hrl_counts due, next;
};

static struct round this_round(HRLP_CONST struct hrli_shared *shared)
{
    const struct hrli_waiter *waiter = &shared->thread->waiter;
    struct hrli_period period = waiter->period;
    hrl_counts due = (hrl_counts)waiter->high << 32 | waiter->node.key;

    return (struct round){due, due + hrli_period_advance(&period, 0)};
}

/* The present instant, but not before `earliest`: an instant may be served a little early. */
static hrl_counts now_or_later(hrl_counts earliest)
{
    hrl_counts now = hrl_now();

    return now > earliest ? now : earliest;
}

/* Notes the end of a job, if it is late. The stamps tell it exactly, the clock how late it is. */
static void note_end(HRLP_CONST struct hrli_shared *shared, struct hrli_shared_jobs *jobs,
                     struct round round)
{
    uint32_t span = (uint32_t)(round.next - round.due);

    if (hrl_now() >= round.next + span || hrli_shared_is_late(shared, (hrl_stamp)round.due, span)) {
        jobs->ended = now_or_later(round.next);
    }
}

/* The hook finds the task's name as that of the thread. */
static void overrun(HRLP_CONST struct hrli_shared *shared, uint32_t at, hrl_counts due)
{
    struct hrl_thread *thread = &shared->thread->thread;
    HRLP_CONST char *name = thread->name;

    shared->jobs[at].overruns++;
    shared->thread->overruns++;
    thread->name = shared->tasks[at].name;
    hrl_overrun_hook(thread, (hrl_stamp)due);
    thread->name = name;
}

/* The tasks from number `at` on. */
static void run_from(HRLP_CONST struct hrli_shared *shared, uint32_t at, struct round round)
{
    for (; at < shared->count; at++) {
        if (shared->jobs[at].ended >= round.due) {
            overrun(shared, at, round.due);
        } else {
            shared->tasks[at].body();
            note_end(shared, &shared->jobs[at], round);
        }
    }
}

void hrli_shared_end_late(HRLP_CONST struct hrli_shared *shared, uint32_t at)
{
    struct round round = this_round(shared);

    note_end(shared, &shared->jobs[at], round);
    run_from(shared, at + 1, round);
}

/* Whether a job was noted that ended at or after `due`. */
static bool is_noted(HRLP_CONST struct hrli_shared *shared, hrl_counts due)
{
    for (uint32_t at = 0; at < shared->count; at++) {
        if (shared->jobs[at].ended >= due) {
            return true;
        }
    }
    return false;
}

/*
 * The loop of jobs notes after each job, except the last, whether it ended late. So if the wait found that the
 * thread is late and no job is noted for this release, then the last job was late, and is noted here.
 */
void hrli_shared_run_slowly(HRLP_CONST struct hrli_shared *shared)
{
    struct round round = this_round(shared);

    if (shared->thread->is_behind && !is_noted(shared, round.due)) {
        shared->jobs[shared->count - 1].ended = now_or_later(round.due);
    }
    shared->thread->is_behind = false;
    run_from(shared, 0, round);
}
