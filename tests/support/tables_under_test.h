/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_TABLES_UNDER_TEST_H
#define SUPPORT_TABLES_UNDER_TEST_H

#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/clock_counter.h>
#include <hrl/table_action.h>
#include <stdio.h>

/* Schedule tables on a software counter of 100 values; each point notes its name and the value then. */
HRL_COUNTER_DEFINE(tut_counter, 99, 2);

static inline void tut_note(const void *name, uint32_t number)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%s%u@%u", (const char *)name, (unsigned)number,
                   (unsigned)hrl_counter_value(&tut_counter));
    sut_note(text);
}

#define TUT_POINT(name, number)                                                                    \
    static const struct hrl_table_action name##number[] = {HRL_TABLE_CALL(tut_note, #name, number)}
TUT_POINT(a, 0);
TUT_POINT(a, 1);
TUT_POINT(a, 2);
TUT_POINT(b, 0);
TUT_POINT(b, 1);

static const struct hrl_expiry_point tut_points_a[] = {
    HRL_EXPIRY_POINT_MOVABLE(5, a0, 3, 2),
    HRL_EXPIRY_POINT(10, a1),
    HRL_EXPIRY_POINT_MOVABLE(30, a2, 4, 40),
};
static const struct hrl_expiry_point tut_points_b[] = {
    HRL_EXPIRY_POINT(0, b0),
    HRL_EXPIRY_POINT(7, b1),
};
HRL_SCHEDULE_TABLE_DEFINE_SYNC(tut_a, &tut_counter, 40, HRL_REPEATING, tut_points_a,
                               HRL_SYNC_EXPLICIT, 1);
HRL_SCHEDULE_TABLE_DEFINE_SYNC(tut_b, &tut_counter, 7, HRL_SINGLE_SHOT, tut_points_b,
                               HRL_SYNC_EXPLICIT, 1);
HRL_SCHEDULE_TABLE_DEFINE(tut_plain, &tut_counter, 20, HRL_REPEATING, tut_points_b);

static inline void tut_reset(uint32_t value)
{
    static struct hrl_schedule_table a, b, plain;

    if (a.points == NULL) {
        a = tut_a;
        b = tut_b;
        plain = tut_plain;
    }
    sut_reset();
    tut_a = a;
    tut_b = b;
    tut_plain = plain;
    tut_counter.value = value;
    tut_counter.total = UINT32_MAX - 150u; /* it wraps */
    tut_counter.tables = NULL;
}

static inline void tut_count(unsigned steps)
{
    while (steps-- > 0) {
        hrl_counter_increment(&tut_counter);
    }
}

/* What was noted since the last call of this. */
#define tut_check(text)                                                                            \
    do {                                                                                           \
        assert_string_equal(sut_notes, text);                                                      \
        sut_notes[0] = 0;                                                                          \
    } while (0)

#endif
