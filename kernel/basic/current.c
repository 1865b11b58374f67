/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptors.h"
#include "hrlp_line.h"
#include <hrl/basic.h>
#include <hrl/thread.h>
#include <stddef.h>

/* Which basic task runs. */

/* A system without threads does not link it. */
#pragma weak hrl_thread_current

static bool runs(HRLP_CONST struct hrl_line *line)
{
    if (line->server != NULL) {
        return line->server == hrl_thread_current() &&
               line->server->argument == (const void *)(uintptr_t)line;
    }
    return hrlp_line_is_active(line->number);
}

/* Of the tasks that run, the last that began is the most urgent. */
const struct hrl_basic *hrl_basic_current(void)
{
    for (uint32_t i = 0; i < hrli_line_count(); i++) {
        HRLP_CONST struct hrl_line *line = hrli_line_at(i);

        if (runs(line)) {
            return HRLP_CONST_AT(line->tasks)[line->words == NULL ? 0 : line->words->current];
        }
    }
    return NULL;
}
