/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DESCRIPTORS_H
#define HRLI_DESCRIPTORS_H

#include "hrlp_cores.h"
#include "hrlp_cpu.h"
#include <hrl/basic.h>
#include <stddef.h>

/*
 * How the kernel reads the descriptors of basic tasks and of lines, which are constants in flash (HRLI_CONSTANT). The
 * kernel's pointers to a line say so by their type. Those to a task are plain, as applications have them: HRLP_CONST_AT.
 */

/* The line of `task`. Context: any. */
static inline HRLP_CONST struct hrl_line *hrli_line_of(const struct hrl_basic *task)
{
    return HRLP_CONST_AT(HRLP_CONST_AT(task)->line);
}

/* The task of `rank` on `line`, below its count; NULL: a catch-up task. Context: any. */
static inline const struct hrl_basic *hrli_line_task(HRLP_CONST struct hrl_line *line,
                                                     uint32_t rank)
{
    return HRLP_CONST_AT(line->tasks)[rank];
}

/* The lines of the core that this runs on. Context: any. */
static inline HRLP_CONST struct hrli_lines *hrli_lines(void)
{
    return HRL_CORES > 1 && hrl_gen_lines_of_cores != NULL
               ? HRLP_CONST_AT(hrl_gen_lines_of_cores[hrlp_core_number()])
               : HRLP_CONST_AT(&hrl_gen_lines);
}

/* How many there are. Context: any. */
static inline uint32_t hrli_line_count(void)
{
    return hrli_lines()->count;
}

/* Their addresses, of the most urgent one first. Context: any. */
static inline const struct hrl_line *HRLP_CONST *hrli_line_list(void)
{
    return HRLP_CONST_AT(hrli_lines()->lines);
}

/* Line `i` of these. Context: any. */
static inline HRLP_CONST struct hrl_line *hrli_line_at(uint32_t i)
{
    return HRLP_CONST_AT(hrli_line_list()[i]);
}

/* Whether `line` is one of these, which the only core's are; for checks, as it looks at each. Context: any. */
static inline bool hrli_line_is_here(HRLP_CONST struct hrl_line *line)
{
    uint32_t i = 0;

    while (HRL_CORES > 1 && i < hrli_line_count() && hrli_line_at(i) != line) {
        i++;
    }
    return HRL_CORES == 1 || i < hrli_line_count();
}

#endif
