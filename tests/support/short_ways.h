/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHORT_WAYS_H
#define SHORT_WAYS_H

/*
 * The short ways of tables (kernel/basic/short_table.h), which the host's port has not, with what they call: a clock
 * that a test sets, and lines that stay open once they are raised. For one source of a test.
 */
#define hrli_line_overrun_alone short_ways_overrun
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_line.h"
#include <stdint.h>

#undef HRLP_CPU_IS_NARROW
#define HRLP_CPU_IS_NARROW 1

static uint16_t short_ways_now;
static uint32_t raised, open;
static unsigned overruns;

static inline uint16_t short_ways_read_low(void)
{
    return short_ways_now;
}
#define hrlp_clock_read_low short_ways_read_low

static inline uint16_t hrlp_line_open_masked(void)
{
    return (uint16_t)open;
}

static inline void hrlp_line_raise_masked(uint16_t set)
{
    raised |= set;
    open |= set;
}

static inline void hrlp_line_serve_masked(unsigned line, void (*handler)(void))
{
    (void)line;
    handler();
}

#include "counted_table.h"

void hrli_short_parts_release(HRLP_CONST struct hrli_line_part *head)
{
    hrli_line_parts_release(head, false);
}

uint32_t short_ways_overrun(uint32_t raise, uint32_t late)
{
    for (uint32_t left = late; left != 0; left &= left - 1u) {
        overruns++;
    }
    return raise & ~late;
}

#endif
