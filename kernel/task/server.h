/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SERVER_H
#define HRLI_SERVER_H

#include <hrl/basic.h>
#include <hrl/thread.h>

/*
 * Lines that no interrupt controller serves: a thread of the kernel's for each level runs their
 * tasks, in the same order as hardware would. So it is for all lines of a port without a
 * controller, whose `number` is their place in hrl_gen_lines; and elsewhere for basic tasks that
 * are less urgent than some thread: these have level 0, which is below all of the controller's, and
 * the number of one line of the controller's, the doorbell, whose handler is hrli_server_ring.
 *
 * A server is a thread like any other (HRL_THREAD_DEFINE), of the level at which it is to run,
 * which no other thread has. Its function is hrli_server_run, its argument the place in
 * hrl_gen_lines of the first of its lines; the others follow. It is started before hrl_start.
 */
void hrli_server_run(void *first);

/* The doorbell's handler: wakes who has something to do. */
void hrli_server_ring(void);

#endif
