/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_END_H
#define HRLP_NO_END_H

/*
 * hrlp_cpu.h of a port with handlers that do not switch where they end.
 */
#define HRLP_CPU_SWITCHES_AT_END false

static inline void *hrlp_cpu_saved_at_end(void)
{
    return NULL;
}

typedef void *hrlp_cpu_at_end;

static inline hrlp_cpu_at_end hrlp_cpu_go(void *saved, void *next)
{
    (void)saved;
    return next;
}

static inline hrlp_cpu_at_end hrlp_cpu_stay(void)
{
    return NULL;
}

#endif
