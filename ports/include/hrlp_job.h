/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_JOB_H
#define HRLP_JOB_H

/*
 * Porting contract: the jobs of tasks in generated code.
 *
 * HRLP_JOB_BODY(task, call, counts) defines hrl_gen_body_<task>, a job of task number `task`, which makes
 * `call`: of the application's function, or hrl_work(turns), the work loop. Where time is virtual, `counts`
 * pass in the job. At file scope, without a semicolon. Ports to hardware take hrlp_watched_job.h.
 *
 * HRLP_JOB_BODY_AND(task, call, counts, statements...) is the same, and executes the statements when the job has
 * ended: HRLP_JOB_ACTIVATES(name) each, which activates a sporadic thread by its semaphore activate_<name>, or
 * HRLP_JOB_ACTIVATES_BASIC(name), which activates the sporadic basic task basic_<name>.
 *
 * HRLP_HANDLER_BODY(handler, call, counts) is the same of an interrupt's handler, with a number behind those
 * of the tasks.
 */

#include "hrlp_job_arch.h"

#define HRLP_JOB_ACTIVATES(name) (void)hrl_semaphore_give(&activate_##name);
#define HRLP_JOB_ACTIVATES_BASIC(name) (void)hrl_basic_activate(&basic_##name);

#endif
