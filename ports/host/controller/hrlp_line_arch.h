/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINE_ARCH_H
#define HRLP_LINE_ARCH_H

#include "hrlp_host_machine.h"

/*
 * The simulated machine as a prioritised controller, for tests of what the kernel does with one:
 * its lines, the cells' included, with levels for priorities. A build that puts this folder first
 * says HRL_BASIC_TASKS.
 */
#define HRLP_LINE_CONTROLLER true
#define HRLP_LINE_LEVELS 8u

static inline void hrlp_line_raise(uint32_t set)
{
    hrlp_host_raise_set(set);
}

static inline void hrlp_line_settle(void) {}

static inline uint32_t hrlp_line_open(void)
{
    return hrlp_host_open();
}

static inline void hrlp_line_enable(int line, unsigned level)
{
    hrlp_host_enable((unsigned)line, (int)level);
}

static inline bool hrlp_line_is_active(int line)
{
    return hrlp_host_is_active((unsigned)line);
}

static inline uint32_t hrlp_line_raise_ceiling(unsigned level)
{
    int before = hrlp_host_ceiling();

    if ((int)level > before) {
        hrlp_host_set_ceiling((int)level);
    }
    return (uint32_t)before;
}

static inline void hrlp_line_restore_ceiling(uint32_t before)
{
    hrlp_host_set_ceiling((int)before);
}

static inline uint32_t hrlp_line_ceiling(void)
{
    return (uint32_t)hrlp_host_ceiling();
}

static inline bool hrlp_line_interrupted(unsigned level, unsigned by)
{
    return hrlp_host_interrupted((int)level, (int)by);
}

#endif
