/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_POLLING_SERVER_H
#define HRLI_POLLING_SERVER_H

#include <hrl/semaphore.h>

/*
 * A polling server, and its aperiodic task: hrl_gen_serve_<server> is the body of a periodic thread. It runs
 * hrl_gen_body_<number> for the activations that wait, the tokens of the semaphore activate_<name>, up to
 * `jobs` of them. At most `most` wait; a further one finds the semaphore full. No other code may take from
 * the semaphore, so that the thread never waits for it. At file scope, without a semicolon.
 */
#define HRLI_POLLING_SERVER(server, number, name, jobs, most)                                      \
    HRL_SEMAPHORE_DEFINE(activate_##name, 0, most);                                                \
    void hrl_gen_body_##number(void);                                                              \
    void hrl_gen_serve_##server(void);                                                             \
    void hrl_gen_serve_##server(void)                                                              \
    {                                                                                              \
        for (uint32_t left = jobs; left != 0; left--) {                                            \
            if (hrl_semaphore_count(&activate_##name) == 0) {                                      \
                break;                                                                             \
            }                                                                                      \
            (void)hrl_semaphore_take_forever(&activate_##name);                                    \
            hrl_gen_body_##number();                                                               \
        }                                                                                          \
    }

#endif
