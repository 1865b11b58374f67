/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_STATIC_STORES_H
#define HRLI_STATIC_STORES_H

/*
 * The store store_<i> of releaser `i`, of the arrays that are its data. A file that has such a store
 * includes the store's header of kernel/release/. At file scope, without a semicolon.
 */

/* Room for the threads that wait, before levels_<i> and chains_<i>. */
#define HRLI_HARMONIC_WAITING(i, threads) static struct hrli_waiter *waiting_##i[threads];
#define HRLI_HARMONIC_ARRAY(i)                                                                     \
    static const struct hrli_harmonic_array store_##i = {chains_##i, sizeof chains_##i /           \
                                                                         sizeof chains_##i[0]};

/* Of groups_<i>; `first` is the first instant. A one-shot cell keeps the next one there. */
#define HRLI_PERIOD_GROUPS(i, first)                                                               \
    static const struct hrli_period_groups store_##i = {                                           \
        groups_##i, sizeof groups_##i / sizeof groups_##i[0], first};
#define HRLI_PERIOD_GROUPS_ONE_SHOT(i, first)                                                      \
    static struct hrli_period_groups store_##i = {                                                 \
        groups_##i, sizeof groups_##i / sizeof groups_##i[0], first};

/* Of rows_<i>, the first `lead` of which come once, and of `masks`; `first` is the first instant. */
#define HRLI_MASK_TABLE(i, lead, first)                                                            \
    static struct hrli_mask_table store_##i = {                                                    \
        rows_##i, masks, sizeof rows_##i / sizeof rows_##i[0], lead, 0u, first};

#endif
