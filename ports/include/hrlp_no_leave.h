/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_LEAVE_H
#define HRLP_NO_LEAVE_H

/*
 * hrlp_cpu.h of a port with threads that leave by a requested switch only and handlers that never
 * choose the next thread; it finds the highest bit fast, or was measured with its search.
 */
#ifndef HRLP_CPU_SEARCHES_BITS /* a port with a long search has said so */
#define HRLP_CPU_SEARCHES_BITS false
#endif
#define HRLP_CPU_LEAVES false
#define HRLP_CPU_ENDS_HANDLERS false

static inline void (*hrlp_cpu_leave(void (*kept)(void)))(void)
{
    hrlp_cpu_request_switch();
    return kept;
}

static inline void hrlp_cpu_leave_to(void **stack, void *next)
{
    (void)stack;
    (void)next;
}

static inline void *hrlp_cpu_stack_prepare_call(void *stack, size_t bytes, void (*body)(void),
                                                void (*next)(void))
{
    (void)stack;
    (void)bytes;
    (void)body;
    (void)next;
    return NULL;
}

static inline void *hrlp_cpu_saved(void *interrupted)
{
    return interrupted;
}

#endif
