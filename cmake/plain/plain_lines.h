/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_LINES_H
#define PLAIN_LINES_H

#include "check.h"
#include "hrlp_line.h"
#include "line.h"
#include "server.h"

/*
 * Lines of basic tasks for the default system. A board with a controller names the line of each
 * level, and its handler:
 *
 *     #define PLAIN_LINES(LINE) LINE(1, 24, PORT0_0_Handler) ...
 *
 * HRL_LINE_BASE + level is its number (horolog.cmake). Elsewhere threads serve them.
 */
enum { PLAIN_LEVELS = 8 };

static const struct hrl_line *plain_line_of[PLAIN_LEVELS + 1];

#ifndef PLAIN_LINES
#define PLAIN_LINES(LINE)
#endif

#define PLAIN_LINE_HANDLER(level, number, handler)                                                 \
    void handler(void);                                                                            \
    void handler(void)                                                                             \
    {                                                                                              \
        hrli_line_run(plain_line_of[level]);                                                       \
    }
PLAIN_LINES(PLAIN_LINE_HANDLER)

#define PLAIN_LINE_ENABLE(level, number, handler)                                                  \
    if (plain_line_of[level] != NULL) {                                                            \
        hrlp_line_enable(number, level);                                                           \
    }

/* Context: start-up. */
static inline void plain_lines_prepare(void)
{
    for (uint32_t i = 0; i < hrl_gen_lines.count; i++) {
        const struct hrl_line *line = hrl_gen_lines.lines[i];

        HRLI_CHECK(plain_line_of[line->level] == NULL, "two lines of one level");
        plain_line_of[line->level] = line;
        if (line->server != NULL) {
            hrl_thread_start(line->server);
        }
    }
    PLAIN_LINES(PLAIN_LINE_ENABLE)
}

#endif
