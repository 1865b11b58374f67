/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_THREAD_H
#define HRLI_THREAD_H

#include "core.h"
#include "releaser.h"

/*
 * Threads as the kernel sees them; struct hrl_thread is in the public header so that it can be
 * defined statically. HRL_THREAD_DEFINE sets its fields, the generated code those of periodic
 * threads (releaser.h).
 */

/*
 * Readies a periodic thread and enrols it for its first release, waiter.node.key. Context:
 * start-up.
 */
void hrli_thread_prepare(struct hrli_periodic_thread *periodic);

/* Readies all periodic threads and starts all releasers of a system (system.h). */
extern HRLP_CONST struct hrli_enrolment hrli_enrolment;

/* The thread of a node of the ready queue. */
static inline struct hrl_thread *hrli_thread_of(struct hrli_ready_node *node)
{
    return (struct hrl_thread *)node; /* its first member */
}

#endif
