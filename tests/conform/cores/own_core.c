/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "on_cores.h"
#include <hrl/basic.h>
#include <hrl/clock_counter.h>
#include <hrl/resource.h>
#include <hrl/schedule_table.h>
#include <hrl/time.h>
#include <stdlib.h>

/*
 * Objects of one core, used by all: in runs of several seeds one core goes on, and every other one stops. What the
 * calls are is in unit/table/test_tables_of_cores.c and unit/basic/test_tasks_of_cores.c.
 */
enum { SEEDS = 20, DURATION = 20000, ROUNDS = 3 };

const struct hrli_lines hrl_gen_lines = {NULL, 0}; /* no basic tasks: threads alone take it */
HRL_RESOURCE_DEFINE(resource, 3);
HRL_COUNTER_DEFINE(counter, 99, 1);
HRL_CLOCK_COUNTER_DEFINE(by_time);

static void do_nothing(const void *object, uint32_t value)
{
    (void)object;
    (void)value;
}

static const struct hrl_table_action actions[] = {HRL_TABLE_CALL(do_nothing, "", 0)};
static const struct hrl_expiry_point points[] = {HRL_EXPIRY_POINT(0, actions)};
HRL_SCHEDULE_TABLE_DEFINE(table, &by_time, 100, HRL_REPEATING, points);

static void use_resource(void)
{
    hrl_resource_take(&resource);
    hrl_resource_give(&resource);
}

static void use_counter(void)
{
    hrl_counter_increment(&counter);
}

static void use_table(void)
{
    (void)hrl_schedule_table_start_relative(&table, 10);
    (void)hrl_schedule_table_stop(&table);
}

static void (*use)(void);
static unsigned first;

/* The first core alone, and later once more; the others then. */
static void use_it(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(hrlp_core_number() == first ? 100 : 500);
    for (unsigned round = 0; round < ROUNDS; round++) {
        use();
        note(0);
        hrl_thread_sleep_until(1000 * (1 + round));
    }
}

static void prepare(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        if (core == first || core == (first + 1) % HRL_CORES) {
            define(core, 0, 2, use_it);
        }
    }
}

/* All at once, so that a call may come between what another one looks at and what it writes. */
static void use_at_once(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(100);
    for (unsigned round = 0; round < ROUNDS; round++) {
        use();
        note(0);
    }
}

static void prepare_at_once(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 2, use_at_once);
    }
}

/* On the core that stops. */
_Noreturn void hrl_assert_hook(const char *reason, const char *file, int line)
{
    (void)file;
    (void)line;
    note(1);
    finish(reason);
    abort();
}

static const struct {
    void (*use)(void);
    const char *reason, *other;
} cases[] = {
    {use_resource, "hrl_resource_take: a resource of another core",
     "hrl_resource_give: a resource of another core"},
    {use_counter, "hrl_counter_increment: a counter of another core",
     "hrl_counter_increment: a counter of another core"},
    {use_table, "hrl_schedule_table_start_relative: a table of another core",
     "hrl_schedule_table_stop: a table of another core"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void test_a_use_on_a_second_core_stops(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        use = cases[i].use;
        for (first = 0; first < HRL_CORES; first++) {
            assert_int_equal(run(1 + first, DURATION, prepare), 0);
            assert_string_equal(seen->status, cases[i].reason);
            assert_int_equal(seen->count, 2);
            assert_int_equal(seen->notes[0].core, first);
            assert_int_equal(seen->notes[1].core, (first + 1) % HRL_CORES);
        }
    }
}

static void test_of_cores_that_use_it_first_at_once_one_stops(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        use = cases[i].use;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            assert_int_equal(run(seed, DURATION, prepare_at_once), 0);
            assert_true(strcmp(seen->status, cases[i].reason) == 0 ||
                        strcmp(seen->status, cases[i].other) == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_use_on_a_second_core_stops),
        cmocka_unit_test(test_of_cores_that_use_it_first_at_once_one_stops),
    };

    share_what_is_seen();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
