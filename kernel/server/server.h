/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SERVER_H
#define HRLI_SERVER_H

#include <hrl/basic.h>

/*
 * Lines that no interrupt controller serves: a thread of the kernel's for each level runs their
 * tasks, in the same order as hardware would. Servers run all lines of a port without a controller,
 * each with a number of its own from 0 to 31. On other ports they run basic tasks that are less
 * urgent than some thread: the lines of these have level 0, which is below all of the controller's,
 * and the number of one line of the controller's, the doorbell; its handler is hrli_server_ring.
 *
 * A server is a thread like any other (HRL_THREAD_DEFINE), of the level at which it is to run,
 * which no other thread has. Its function is hrli_server_run, which takes no argument: while it
 * runs tasks, the field for the argument points to their line. The lines of a server stand together
 * in hrl_gen_lines. It is started before hrl_start.
 */

/* The doorbell's handler: wakes the servers that have something to do. */
void hrli_server_ring(void);

#endif
