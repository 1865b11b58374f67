/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "server.h"
#include "hrlp_upcalls.h"
#include "level.h"
#include "line.h"
#include "wait.h"

static bool is_of(const struct hrl_line *HRLP_CONST *line, const struct hrl_thread *server)
{
    return line != hrli_line_list() + hrli_line_count() && HRLP_CONST_AT(*line)->server == server;
}

/* Runs the jobs of the first line that has any, until it has none: as the controller would. */
static bool run_one(const struct hrl_line *HRLP_CONST *line, struct hrl_thread *self)
{
    for (; is_of(line, self); line++) {
        self->argument = (void *)(uintptr_t)*line; /* server.h */
        if (hrli_line_run_one(HRLP_CONST_AT(*line))) {
            hrli_line_run(HRLP_CONST_AT(*line));
            return true;
        }
    }
    return false;
}

static bool has_work(const struct hrl_line *HRLP_CONST *line, const struct hrl_thread *self)
{
    for (; is_of(line, self); line++) {
        if (hrli_line_ready(HRLP_CONST_AT(*line)->words) != 0) {
            return true;
        }
    }
    return false;
}

void hrli_server_run(void *unused)
{
    const struct hrl_line *HRLP_CONST *line = hrli_line_list();
    struct hrl_thread *self = hrli_core.running;

    (void)unused;
    while (HRLP_CONST_AT(*line)->server != self) {
        line++;
    }
    self->life = HRLI_SERVES;
    for (;;) {
        hrlp_irq_state state;
        bool has_ended;

        while (run_one(line, self)) {
        }
        state = hrlp_irq_lock();
        has_ended = !has_work(line, self);
        if (has_ended) {
            hrli_ready_remove(&hrli_core.ready, &self->ready);
        }
        hrlp_irq_unlock(state);
        if (has_ended) {
            hrlp_cpu_request_switch();
        }
    }
}

/*
 * Wakes the server of `line`. One that has not run yet is ready, or is going to be: it was started.
 */
static void wake(HRLP_CONST struct hrl_line *line)
{
    hrlp_irq_state state = hrlp_irq_lock();

    if (line->server->life == HRLI_SERVES) {
        hrli_make_ready(&hrli_core.ready, line->server);
    }
    hrlp_irq_unlock(state);
}

void hrli_line_raised(uint32_t set)
{
    for (uint32_t i = 0; i < hrli_line_count() && set != 0; i++) {
        uint32_t bit = (uint32_t)1 << hrli_line_at(i)->number;

        if ((set & bit) != 0) {
            set ^= bit;
            wake(hrli_line_at(i));
        }
    }
}

void hrli_line_settle(void)
{
    if (hrli_core.running != NULL) {
        hrli_core_dispatch();
    }
}

void hrli_server_ring(void)
{
    for (uint32_t i = 0; i < hrli_line_count(); i++) {
        HRLP_CONST struct hrl_line *line = hrli_line_at(i);

        if (line->server != NULL && hrli_line_ready(line->words) != 0) {
            wake(line);
        }
    }
    hrli_core_dispatch_after_interrupt();
}

/* The level of the threads that serve the most urgent line up to `level`; 0: there is none. */
static uint32_t server_level(unsigned level)
{
    uint32_t i = 0;

    while (i < hrli_line_count() && hrli_line_at(i)->priority > level) {
        i++;
    }
    return i == hrli_line_count() ? 0 : hrli_line_at(i)->server->ready.base_priority;
}

/* hrl_thread_set_priority, also for servers. */
static void set_level(uint32_t level)
{
    struct hrl_thread *self = hrli_core.running;

    hrli_core_lock_dispatch();
    self->ready.base_priority = level;
    hrli_level_update(self);
    hrli_core_allow_dispatch(self->ready.priority);
}

uint32_t hrli_line_raise_ceiling(unsigned level)
{
    uint32_t before = hrli_core.running->ready.base_priority;
    uint32_t ceiling = server_level(level);

    if (ceiling > before) {
        set_level(ceiling);
    }
    return before;
}

void hrli_line_restore_ceiling(uint32_t before)
{
    set_level(before);
}
