/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cell.h"
#include "hrlp_irq.h"
#include "random.h"
#include "tables_under_test.h"
#include <hrl/thread.h>

/* A clock counter: its alarm is in the store of time-outs. Time is virtual, and wraps. */
HRL_CLOCK_COUNTER_DEFINE(by_time);
static hrl_counts zero;
static bool is_late;

static void note_time(const void *name, uint32_t number)
{
    char text[48];

    (void)snprintf(text, sizeof text, "%s%u", (const char *)name, (unsigned)number);
    if (!is_late) {
        (void)snprintf(text, sizeof text, "%s%u@%u", (const char *)name, (unsigned)number,
                       (unsigned)(hrl_now() - zero));
    }
    sut_note(text);
}

static const struct hrl_table_action c0[] = {HRL_TABLE_CALL(note_time, "c", 0)};
static const struct hrl_table_action c1[] = {HRL_TABLE_CALL(note_time, "c", 1)};
static const struct hrl_table_action d0[] = {HRL_TABLE_CALL(note_time, "d", 0)};
static const struct hrl_expiry_point points[] = {HRL_EXPIRY_POINT(100, c0),
                                                 HRL_EXPIRY_POINT(400, c1)};
static const struct hrl_expiry_point other_points[] = {HRL_EXPIRY_POINT(0, d0)};
HRL_SCHEDULE_TABLE_DEFINE(timed, &by_time, 1000, HRL_REPEATING, points);
HRL_SCHEDULE_TABLE_DEFINE(other, &by_time, 300, HRL_REPEATING, other_points);

static void forget(void)
{
    static struct hrl_schedule_table timed_as_defined, other_as_defined;
    static struct hrl_counter counter_as_defined;
    static struct hrl_alarm alarm_as_defined;

    if (counter_as_defined.alarm == NULL) {
        timed_as_defined = timed;
        other_as_defined = other;
        counter_as_defined = by_time;
        alarm_as_defined = by_time_alarm;
    }
    sut_reset();
    timed = timed_as_defined;
    other = other_as_defined;
    by_time = counter_as_defined;
    by_time_alarm = alarm_as_defined;
    is_late = false;
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - SUT_START_COUNTS - 1500;
}

static void set_up(void)
{
    forget();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
}

static void run(void (*entry)(void *argument))
{
    set_up();
    sut_start("thread", 3, entry, NULL);
    sut_run(100000);
}

static void use_two(void *argument)
{
    (void)argument;
    zero = hrl_now();
    assert_int_equal(hrl_counter_value(&by_time), (uint32_t)zero);
    assert_int_equal(hrl_schedule_table_start_relative(&timed, 50), HRL_OK);
    hrl_thread_sleep_until(zero + 500);
    tut_check("c0@150 c1@450 ");
    assert_int_equal(hrl_schedule_table_start_relative(&other, 20), HRL_OK);
    hrl_thread_sleep_until(zero + 1200);
    tut_check("d0@520 d0@820 d0@1120 c0@1150 ");
    assert_int_equal(hrl_schedule_table_stop(&timed), HRL_OK);
    hrl_thread_sleep_until(zero + 2000);
    tut_check("d0@1420 d0@1720 ");
    assert_int_equal(hrl_schedule_table_stop(&other), HRL_OK);
    hrl_thread_sleep_until(zero + 3000);
    tut_check("");
}

static void test_tables_share_the_clock(void **state)
{
    (void)state;
    run(use_two);
}

static void be_late(void *argument)
{
    hrlp_irq_state state;

    (void)argument;
    zero = hrl_now();
    (void)hrl_schedule_table_start_absolute(&timed, (uint32_t)zero + 1);
    (void)hrl_schedule_table_start_absolute(&other, (uint32_t)zero + 101);
    is_late = true;
    state = hrlp_irq_lock();
    hrlp_host_consume(750);
    hrlp_irq_unlock(state);
    tut_check("c0 d0 c1 d0 d0 "); /* 101, 101, 401, 401, 701: all, in their order */
    is_late = false;
    hrl_thread_sleep_until(zero + 1110);
    tut_check("d0@1001 c0@1101 "); /* none of them has moved */
    (void)hrl_schedule_table_stop(&timed);
    (void)hrl_schedule_table_stop(&other);
}

static void test_late_points_are_made_up_for(void **state)
{
    (void)state;
    run(be_late);
}

HRL_SCHEDULE_TABLE_DEFINE_SYNC(followed, &by_time, 1000, HRL_REPEATING, points, HRL_SYNC_EXPLICIT,
                               0);

static void synchronise_late(void *argument)
{
    hrlp_irq_state state;

    (void)argument;
    zero = hrl_now();
    (void)hrl_schedule_table_start_relative(&followed, 50);
    state = hrlp_irq_lock();
    hrlp_host_consume(170); /* 20 behind its first point, at 100 of its round */
    (void)hrl_schedule_table_synchronise(&followed, 90);
    hrlp_irq_unlock(state);
    assert_int_equal(followed.deviation, 30); /* its point has waited for 20, the counter has not */
    (void)hrl_schedule_table_stop(&followed);
}

static void test_a_late_table_stands_where_its_counter_does(void **state)
{
    (void)state;
    run(synchronise_late);
}

static void start_the_other(const void *unused, uint32_t offset)
{
    (void)unused;
    (void)hrl_schedule_table_start_relative(&other, offset);
    sut_note("started");
}

static const struct hrl_table_action starting[] = {HRL_TABLE_CALL(start_the_other, NULL, 10)};
static const struct hrl_expiry_point at_once[] = {HRL_EXPIRY_POINT(0, starting)};
HRL_SCHEDULE_TABLE_DEFINE(starter, &by_time, 1, HRL_SINGLE_SHOT, at_once);

static void use_starter(void *argument)
{
    (void)argument;
    zero = hrl_now();
    (void)hrl_schedule_table_start_relative(&starter, 100);
    hrl_thread_sleep_until(zero + 500);
    tut_check("started d0@110 d0@410 ");
    (void)hrl_schedule_table_stop(&other);
}

static void test_a_point_may_start_a_table(void **state)
{
    (void)state;
    run(use_starter);
}

enum { TICK = 128 };
static uint32_t of_tick;

static void look_in_a_tick(const void *unused, uint32_t offset)
{
    uint32_t due = (uint32_t)zero + 50 + of_tick * 1000 + offset;

    (void)unused;
    assert_in_range((uint32_t)hrl_now() - due, 0, TICK);
    of_tick += offset == 400;
}

static const struct hrl_table_action tick_first[] = {HRL_TABLE_CALL(look_in_a_tick, NULL, 100)};
static const struct hrl_table_action tick_second[] = {HRL_TABLE_CALL(look_in_a_tick, NULL, 400)};
static const struct hrl_expiry_point tick_points[] = {HRL_EXPIRY_POINT(100, tick_first),
                                                      HRL_EXPIRY_POINT(400, tick_second)};
HRL_SCHEDULE_TABLE_DEFINE(by_tick, &by_time, 1000, HRL_REPEATING, tick_points);

static void use_the_tick(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(hrl_now() + SUT_START_COUNTS + 30); /* the first tick has come */
    zero = hrl_now();
    of_tick = 0;
    assert_int_equal(hrl_schedule_table_start_relative(&by_tick, 50), HRL_OK);
    hrl_thread_sleep_until(zero + 50000 + TICK);
    assert_int_equal(hrl_schedule_table_stop(&by_tick), HRL_OK);
    assert_int_equal(of_tick, 50);
}

static void test_points_by_a_tick_do_not_drift(void **state)
{
    (void)state;
    forget();
    sut_add_releaser((struct sut_releaser){.cell_period = TICK, .timeouts = true});
    sut_start("thread", 3, use_the_tick, NULL);
    sut_run(100000);
    assert_int_equal(of_tick, 50);
}

static void start_in_the_past(void *argument)
{
    (void)argument;
    zero = hrl_now();
    assert_int_equal(hrl_schedule_table_start_absolute(&timed, (uint32_t)zero - 101), HRL_VALUE);
    assert_int_equal(hrl_schedule_table_start_absolute(&other, (uint32_t)zero), HRL_VALUE);
    assert_int_equal(hrl_schedule_table_start_relative(&timed, (uint32_t)INT32_MAX - 99),
                     HRL_VALUE);
    assert_int_equal(hrl_schedule_table_state(&timed), HRL_TABLE_STOPPED);
    assert_int_equal(hrl_schedule_table_start_relative(&timed, (uint32_t)INT32_MAX - 100), HRL_OK);
    (void)hrl_schedule_table_stop(&timed);
    sut_note("refused");
}

static void test_the_next_time_round_of_the_clock_is_too_far(void **state)
{
    (void)state;
    run(start_in_the_past);
    assert_string_equal(sut_notes, "refused ");
}

static hrl_counts each_call_takes_one(void)
{
    return 1;
}

static void start_while_the_clock_runs(void *argument)
{
    (void)argument;
    zero = hrl_now();
    hrlp_host_setup.port_call_counts = each_call_takes_one;
    assert_int_equal(hrl_schedule_table_start_absolute(&timed, (uint32_t)zero + 500), HRL_OK);
    hrlp_host_setup.port_call_counts = NULL;
    assert_int_equal(timed.due, (uint32_t)zero + 600);
    (void)hrl_schedule_table_stop(&timed);
    sut_note("started");
}

static void test_an_absolute_start_reads_the_clock_once(void **state)
{
    (void)state;
    run(start_while_the_clock_runs);
    assert_string_equal(sut_notes, "started ");
}

/*
 * At any instant of a thread's call a more urgent one starts a table, and at any other a third one keeps the
 * first from the end of its call. The table's point comes in time.
 */
enum { URGENT = 30, BUSY = 120 }; /* the call begins and ends within these counts */
static hrl_counts urgent_after, busy_after;
static bool call_is_stop;
static int32_t point_was_late;
static hrl_counts started_at;

static void note_how_late(const void *unused, uint32_t value)
{
    (void)unused;
    (void)value;
    point_was_late = (int32_t)(hrl_now() - started_at - 200);
}

static const struct hrl_table_action looking[] = {HRL_TABLE_CALL(note_how_late, NULL, 0)};
static const struct hrl_expiry_point looking_points[] = {HRL_EXPIRY_POINT(0, looking)};
HRL_SCHEDULE_TABLE_DEFINE(urgent, &by_time, 1, HRL_SINGLE_SHOT, looking_points);

static void start_urgently(void *argument)
{
    (void)argument;
    zero = hrl_now();
    hrl_thread_sleep_until(zero + 1000 + urgent_after);
    started_at = hrl_now();
    assert_int_equal(hrl_schedule_table_start_relative(&urgent, 200), HRL_OK);
}

static void use_the_processor(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(zero + 1000 + busy_after);
    hrlp_host_consume(2000);
}

static void call_meanwhile(void *argument)
{
    (void)argument;
    (void)hrl_schedule_table_start_relative(&timed, 10000);
    hrl_thread_sleep_until(zero + 1000);
    if (call_is_stop) {
        (void)hrl_schedule_table_stop(&timed);
    } else {
        (void)hrl_schedule_table_start_relative(&other, 5000);
    }
    hrl_thread_sleep_until(zero + 6000);
    (void)hrl_schedule_table_stop(&timed);
    (void)hrl_schedule_table_stop(&other);
}

static void test_a_table_that_is_started_amid_another_call_is_in_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * URGENT * BUSY; i++) {
        call_is_stop = i % 2 != 0;
        urgent_after = i / 2 % URGENT;
        busy_after = i / 2 / URGENT;
        set_up();
        hrlp_host_setup.port_call_counts = each_call_takes_one;
        point_was_late = INT32_MAX;
        sut_start("urgent", 3, start_urgently, NULL);
        sut_start("busy", 2, use_the_processor, NULL);
        sut_start("thread", 1, call_meanwhile, NULL);
        sut_run(100000);
        assert_in_range(point_was_late, 0, 60);
        assert_int_equal(hrl_schedule_table_state(&urgent), HRL_TABLE_STOPPED);
    }
}

/*
 * Threads of three levels start and stop tables at random instants of each other's calls, in which time
 * passes. Each point comes in time, and none is left out.
 */
enum { RACERS = 3, RACES = 150, MOST_LATE = 100 };
static struct random chance;
static uint32_t next_point[RACERS];
static unsigned raced, points_seen;

static void look_how_late(const void *number, uint32_t index);

#define RACER(index)                                                                               \
    static const struct hrl_table_action racing##index[] = {                                       \
        HRL_TABLE_CALL(look_how_late, NULL, index)};                                               \
    static const struct hrl_expiry_point racing_points##index[] = {                                \
        HRL_EXPIRY_POINT(0, racing##index)};                                                       \
    HRL_SCHEDULE_TABLE_DEFINE(racer##index, &by_time, 1000 + 370 * (index), HRL_REPEATING,         \
                              racing_points##index)
RACER(0);
RACER(1);
RACER(2);
static struct hrl_schedule_table *const racers[RACERS] = {&racer0, &racer1, &racer2};

static void look_how_late(const void *number, uint32_t index)
{
    (void)number;
    assert_in_range((uint32_t)hrl_now() + HRLP_CELL_EARLY_COUNTS - next_point[index], 0, MOST_LATE);
    next_point[index] += racers[index]->duration;
    points_seen++;
}

static hrl_counts a_count_or_two(void)
{
    return random_below(&chance, 3);
}

static void start_and_stop(void *argument)
{
    uint32_t index = (uint32_t)(uintptr_t)argument;
    struct hrl_schedule_table *table = racers[index];

    for (unsigned i = 0; i < RACES; i++) {
        uint32_t ahead = random_between(&chance, 1, 300);
        hrlp_irq_state state = hrlp_irq_lock();
        uint32_t start = (uint32_t)hrl_now() + ahead + 50; /* which the call is over before */

        next_point[index] = start;
        hrlp_irq_unlock(state);
        if (hrl_schedule_table_start_absolute(table, start) != HRL_OK) {
            continue; /* others have run for so long that it is past */
        }
        hrlp_host_consume(random_below(&chance, 100));
        hrl_thread_sleep_for(random_between(&chance, 1, 500));
        state = hrlp_irq_lock(); /* none of its points is due and has not come */
        assert_true((int32_t)((uint32_t)hrl_now() - next_point[index]) < MOST_LATE);
        hrlp_irq_unlock(state);
        assert_int_equal(hrl_schedule_table_stop(table), HRL_OK);
        hrl_thread_sleep_for(random_between(&chance, 1, 1000));
    }
    raced++;
}

static void test_tables_of_threads_that_race(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        set_up();
        chance.state = seed;
        hrlp_host_setup.port_call_counts = a_count_or_two;
        raced = points_seen = 0;
        for (uintptr_t i = 0; i < RACERS; i++) {
            sut_start("racer", (uint32_t)i + 1u, start_and_stop, (void *)i);
        }
        hrlp_host_setup.limit = 10000000;
        sut_run(500000);
        assert_int_equal(raced, RACERS);
        assert_true(points_seen > 100);
    }
}

static void increment(void)
{
    hrl_counter_increment(&by_time);
}

static void test_the_clock_cannot_be_incremented(void **state)
{
    (void)state;
    sut_reset();
    sut_call_to_assertion(increment, "hrl_counter_increment: for software counters");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_share_the_clock),
        cmocka_unit_test(test_late_points_are_made_up_for),
        cmocka_unit_test(test_a_late_table_stands_where_its_counter_does),
        cmocka_unit_test(test_a_point_may_start_a_table),
        cmocka_unit_test(test_the_next_time_round_of_the_clock_is_too_far),
        cmocka_unit_test(test_an_absolute_start_reads_the_clock_once),
        cmocka_unit_test(test_a_table_that_is_started_amid_another_call_is_in_time),
        cmocka_unit_test(test_tables_of_threads_that_race),
        cmocka_unit_test(test_points_by_a_tick_do_not_drift),
        cmocka_unit_test(test_the_clock_cannot_be_incremented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
