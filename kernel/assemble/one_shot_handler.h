/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ONE_SHOT_HANDLER_H
#define HRLI_ONE_SHOT_HANDLER_H

#include "handler.h"
#include "one_shot_thread.h"

/*
 * The handler `name` of releaser `i` alone: threads that wait in the delay queue `store`, on a one-shot
 * cell, channel `instance` of `device`. Where the port's handlers can switch where they end it does
 * that (one_shot_thread.h).
 */
#if HRLP_CPU_SWITCHES_AT_END /* as the others have no such entry */
#define HRLI_ONE_SHOT_HANDLER(name, i, store, device, instance)                                    \
    hrlp_cpu_at_end hrl_gen_general_##i(void);                                                     \
    __attribute__((noinline)) hrlp_cpu_at_end hrl_gen_general_##i(void)                            \
    {                                                                                              \
        hrli_one_shot_interrupt_rest(&hrl_gen_releaser_##i, &store_##i, &store##_store,            \
                                     &own_cell_##i);                                               \
        HRLI_DISPATCH                                                                              \
        return hrlp_cpu_stay();                                                                    \
    }                                                                                              \
    void hrl_gen_nested_##i(void);                                                                 \
    void hrl_gen_nested_##i(void)                                                                  \
    {                                                                                              \
        HRLI_ACKNOWLEDGE_ONCE(device, instance)                                                    \
        (void)hrl_gen_general_##i();                                                               \
    }                                                                                              \
    hrlp_cpu_at_end hrl_gen_ending_##i(void);                                                      \
    hrlp_cpu_at_end hrl_gen_ending_##i(void)                                                       \
    {                                                                                              \
        HRLI_ACKNOWLEDGE_ONCE(device, instance)                                                    \
        return hrli_one_shot_thread_interrupt(&hrl_gen_releaser_##i, &store_##i, &store##_store,   \
                                              &own_cell_##i, hrli_dispatch_leave_nothing,          \
                                              hrl_gen_general_##i);                                \
    }                                                                                              \
    HRLP_CPU_SWITCHING_HANDLER(name, hrl_gen_ending_##i, hrl_gen_nested_##i)
#else
#define HRLI_ONE_SHOT_HANDLER(name, i, store, device, instance)                                    \
    HRLI_HANDLER(name, HRLI_ACKNOWLEDGE_ONCE(device, instance)                                     \
                           HRLI_SERVE_ONE_SHOT(i, QUEUE, store) HRLI_DISPATCH)
#endif

#endif
