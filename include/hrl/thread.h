/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_THREAD_H
#define HRL_THREAD_H

#include <hrl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Ends the calling periodic thread's job and waits for its next release.
 *
 * Returns the number of releases that were skipped because the job was still running when they fell
 * (always 0 with overrun policy "queue", where late jobs follow one another without waiting).
 * Context: a periodic thread, interrupts enabled. The kernel's own thread loop calls it between two
 * bodies; a body that loops by itself may call it instead of returning.
 */
uint32_t hrl_release_wait(void);

/* The name given in the description; a constant string. Context: any. */
const char *hrl_thread_name(const struct hrl_thread *thread);

/*
 * How many releases of `thread` fell while its previous job was unfinished, modulo 2^32; known when the
 * late job has ended. Context: any.
 */
uint32_t hrl_thread_overruns(const struct hrl_thread *thread);

/* The thread that runs, or that the running interrupt interrupted; the idle thread included. */
struct hrl_thread *hrl_thread_current(void);

#ifdef __cplusplus
}
#endif

#endif
