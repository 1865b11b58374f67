/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_line.h"
#include <hrl/basic.h>
#include <hrl/thread.h>
#include <stddef.h>

/* Which basic task runs. */

/* A system without threads does not link it. */
#pragma weak hrl_thread_current

static bool runs(const struct hrl_line *line)
{
    if (line->server != NULL) {
        return line->server == hrl_thread_current() && line->server->argument == line;
    }
    return hrlp_line_is_active(line->number);
}

/* Of the tasks that run, the last that began is the most urgent. */
const struct hrl_basic *hrl_basic_current(void)
{
    for (uint32_t i = 0; i < hrl_gen_lines.count; i++) {
        const struct hrl_line *line = hrl_gen_lines.lines[i];

        if (runs(line)) {
            return line->tasks[line->words == NULL ? 0 : line->words->current];
        }
    }
    return NULL;
}
