/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SINGLE_THREAD_HANDLER_H
#define HRLI_SINGLE_THREAD_HANDLER_H

#include "handler.h"
#include "single_thread.h"

/*
 * The handler `name` of releaser `i`, periodic, with a harmonic array of one thread (single_thread.h); the
 * general handler behind it, hrl_gen_general_<i>, does what the rest of the line says (handler.h).
 */
#define HRLI_SINGLE_THREAD_HANDLER(name, i, ...)                                                   \
    struct hrlp_cpu_end hrl_gen_general_##i(void *interrupted);                                    \
    __attribute__((noinline)) struct hrlp_cpu_end hrl_gen_general_##i(void *interrupted)           \
    {                                                                                              \
        __VA_ARGS__                                                                                \
        return (struct hrlp_cpu_end){NULL, interrupted};                                           \
    }                                                                                              \
    HRLP_CPU_ENDING_HANDLER(name, hrl_gen_general_##i);                                            \
    struct hrlp_cpu_end name(void *interrupted);                                                   \
    struct hrlp_cpu_end name(void *interrupted)                                                    \
    {                                                                                              \
        return hrli_single_thread_interrupt(interrupted, &hrl_gen_releaser_##i, &waiting_##i[0],   \
                                            hrli_dispatch_leave_nothing, hrl_gen_general_##i);     \
    }

#endif
