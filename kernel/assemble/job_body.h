/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_JOB_BODY_H
#define HRLI_JOB_BODY_H

#include <stdint.h>

/* Turns the work loop of the port so often (ports/<isa>/work.S). */
void hrl_work(uint32_t turns);

/*
 * hrl_gen_body_<task>, a job of a task: it makes one call, as a rule of the application's function, and
 * has the label hrl_gen_body_<task>_end behind that, by which jobs are watched from outside. At file
 * scope, without a semicolon.
 */
#define HRLI_JOB_BODY(task, call)                                                                  \
    void hrl_gen_body_##task(void);                                                                \
    __attribute__((noinline, noclone)) void hrl_gen_body_##task(void)                              \
    {                                                                                              \
        call;                                                                                      \
        __asm__ volatile(".global hrl_gen_body_" #task "_end\nhrl_gen_body_" #task "_end:" ::      \
                             : "memory");                                                          \
    }

#endif
