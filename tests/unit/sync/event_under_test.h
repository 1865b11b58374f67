/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EVENT_UNDER_TEST_H
#define EVENT_UNDER_TEST_H

#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/event.h>
#include <hrl/thread.h>

enum { A = 1, B = 2, C = 4, D = 8 };

/* What a thread waits for, and what came of it. */
struct wish {
    const char *name;
    uint32_t level, flags, mode;
    hrl_counts until;
    enum hrl_status status;
    uint32_t seen;
};

HRL_EVENT_DEFINE(event);

static inline void set_up(uint32_t flags)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    event = (struct hrl_event){.flags = flags};
}

static inline void fulfil(void *argument)
{
    struct wish *wish = argument;

    wish->seen = ~0u;
    wish->status = hrl_event_wait(&event, wish->flags, wish->mode, wish->until, &wish->seen);
    sut_note(wish->name);
    if (wish->status != HRL_OK) {
        assert_int_equal(wish->seen, ~0u);
        sut_note("timed-out");
    }
}

static inline void start(struct wish *wishes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        sut_start(wishes[i].name, wishes[i].level, fulfil, &wishes[i]);
    }
}

static inline enum hrl_status poll(uint32_t flags, uint32_t mode, uint32_t *seen)
{
    return hrl_event_wait(&event, flags, mode, HRL_NO_WAIT, seen);
}

#endif
