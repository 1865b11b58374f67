/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_LINE_H
#define HRLP_NO_LINE_H

#include "hrlp_upcalls.h"
#include <stddef.h>

/*
 * hrlp_line.h without a controller: every line has a thread of the kernel's that serves it, and the
 * kernel does what hardware would.
 */
#define HRLP_LINE_CONTROLLER false
#define HRLP_LINE_LEVELS 31u

static inline void hrlp_line_raise(uint32_t set)
{
    hrli_line_raised(set);
}

static inline void hrlp_line_settle(void)
{
    hrli_line_settle();
}

static inline uint32_t hrlp_line_open(void)
{
    return 0;
}

static inline void hrlp_line_enable(int line, unsigned level)
{
    (void)line;
    (void)level;
}

static inline bool hrlp_line_is_active(int line)
{
    (void)line;
    return false;
}

static inline uint32_t hrlp_line_raise_ceiling(unsigned level)
{
    return hrli_line_raise_ceiling(level);
}

static inline uint32_t hrlp_line_ceiling(void)
{
    return hrli_line_raise_ceiling(0); /* which raises nothing */
}

static inline void hrlp_line_restore_ceiling(uint32_t before)
{
    hrli_line_restore_ceiling(before);
}

#endif
