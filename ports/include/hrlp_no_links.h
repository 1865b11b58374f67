/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_LINKS_H
#define HRLP_NO_LINKS_H

/* hrlp_cpu.h of a processor without linked loads, or with traps that do not end them. */

#define HRLP_CPU_LINKS false

static inline hrli_number hrlp_cpu_load_linked(const volatile hrli_number *word)
{
    return *word;
}

static inline bool hrlp_cpu_store_linked(volatile hrli_number *word, hrli_number value)
{
    *word = value;
    return true;
}

static inline void *hrlp_cpu_load_pointer_linked(void *const volatile *word)
{
    return *word;
}

static inline bool hrlp_cpu_store_pointer_linked(void *volatile *word, void *value)
{
    *word = value;
    return true;
}

#endif
