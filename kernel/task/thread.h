/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_THREAD_H
#define HRLI_THREAD_H

#include "releaser.h"
#include <hrl/thread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A thread: a stack of its own and, here, a body that runs once a release.
 *
 * Defined statically by the generated code, which sets the fields above the line; the rest is the
 * kernel's.
 */
struct hrl_thread {
    struct hrli_waiter waiter; /* first: a waiter is a thread */
    void *stack_pointer;       /* while it does not run */
    const char *name;
    void (*body)(void);
    void *stack;
    uint32_t stack_bytes;
    bool queue_overruns; /* late jobs catch up, instead of being skipped */
    volatile uint32_t overruns;
};

/* Readies `thread` and enrols it for its first release, waiter.node.key. Context: start-up. */
void hrli_thread_prepare(struct hrl_thread *thread);

/* The thread of a node of the ready set. */
static inline struct hrl_thread *hrli_thread_of(struct hrli_ready_node *node)
{
    return (struct hrl_thread *)((char *)node - offsetof(struct hrli_waiter, ready));
}

#endif
