/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_LINES_H
#define PLAIN_LINES_H

#include "check.h"
#include "line_handler.h"
#include "server.h"

/*
 * The application's lines of basic tasks (HRL_LINES). PLAIN_LINES, of plain_board.h, names the
 * controller's line for each level, and its handler; without a controller threads serve them.
 */
enum { PLAIN_LEVELS = 8 };

static HRLP_CONST struct hrl_line *plain_line_of[PLAIN_LEVELS + 1];

#define PLAIN_LINE_HANDLER(level, number, handler)                                                 \
    HRLI_HANDLER(handler, hrli_line_run(plain_line_of[level]);)
PLAIN_LINES(PLAIN_LINE_HANDLER)

#define PLAIN_LINE_ENABLE(level, number, handler)                                                  \
    if (plain_line_of[level] != NULL) {                                                            \
        HRLI_ENABLE_LINE(number, level)                                                            \
    }

/* Context: start-up. */
static inline void plain_lines_prepare(void)
{
    for (uint32_t i = 0; i < hrli_line_count(); i++) {
        HRLP_CONST struct hrl_line *line = hrli_line_at(i);

        HRLI_CHECK(plain_line_of[line->priority] == NULL, "two lines of one priority");
        plain_line_of[line->priority] = line;
        if (line->server != NULL) {
            hrl_thread_start(line->server);
        }
    }
    PLAIN_LINES(PLAIN_LINE_ENABLE)
}
#define PLAIN_PREPARE_LINES plain_lines_prepare();

#endif
