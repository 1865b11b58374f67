/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cell_table.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <stdio.h>
#include <string.h>

/*
 * Tables in cells of virtual time: each cell is a counter of 32 bits that goes to 0 when it steps onto its period.
 * Reading a counter takes a count; all else takes none, but for set_by, of which the latency is known.
 */
enum { CELLS = 64, WORD = 2 };

static struct {
    uint32_t counter, period;
    unsigned group;
    bool interrupts, requests;
} cells[CELLS];
static uint32_t now, running, forgotten[WORD];
static bool is_masked; /* what requests waits */
static char notes[400];

#define OFFSETS_A 40, 5, 10, 30
static const uint32_t offsets_a[] = {OFFSETS_A}, offsets_once[] = {7, 0, 7},
                      offsets_long[] = {200, 60, 100, 150}, offsets_plain[] = {0, 50};
static struct hrl_cell_table a, once, plain, long_one;

static const struct hrl_cell_table first_a = {.most = INT32_MAX - 5,
                                              .period = 40,
                                              .offsets = offsets_a,
                                              .count = 4,
                                              .cell = 3,
                                              .groups = 2,
                                              .group = 1,
                                              .requests = 0xFu << 3,
                                              .forget = &forgotten[0],
                                              .has_end = true};

static void serve(void);

static void step(void)
{
    now++;
    for (unsigned i = 0; i < CELLS; i++) {
        if (cells[i].group != 0 && (running >> cells[i].group & 1u) != 0 &&
            ++cells[i].counter == cells[i].period) {
            cells[i].counter = 0;
            cells[i].requests |= cells[i].interrupts;
        }
    }
}

static void start_groups(uint32_t groups)
{
    running |= groups;
}

static void stop_groups(uint32_t groups)
{
    running &= ~groups;
}

static void set(unsigned channel, const uint32_t *offsets, uint32_t count, uint32_t from)
{
    for (uint32_t i = 0; i < count; i++) {
        cells[channel + i].counter = from - offsets[i];
    }
}

static void set_by(unsigned channel, const volatile uint32_t *reference, uint32_t due,
                   uint32_t period)
{
    assert_true((int32_t)(due - *reference) >= HRLI_CELL_TABLE_NEAR_COUNTS - 1); /* one read */
    cells[channel].counter = *reference - due + period;
}

static void fire(unsigned channel, uint32_t period)
{
    cells[channel].counter = period - 1u;
    step();
}

static uint32_t read_at(const volatile uint32_t *reference)
{
    uint32_t read = *reference;

    step();
    return read;
}

static const volatile uint32_t *clock_of(void)
{
    return &now;
}

static const volatile uint32_t *counter_of(unsigned channel)
{
    return &cells[channel].counter;
}

static void allow(unsigned channel, unsigned group, bool interrupts)
{
    cells[channel].group = group;
    cells[channel].interrupts = interrupts;
}

static void set_period(unsigned channel, uint32_t period)
{
    cells[channel].period = period;
}

static void forget(unsigned channel)
{
    cells[channel].requests = false;
}

static const struct hrli_cell_groups groups = {start_groups, stop_groups, set,       set_by,
                                               fire,         read_at,     clock_of,  counter_of,
                                               allow,        forget,      set_period};

/* What a store to the words of requests has done since. */
static void forget_stored(void)
{
    for (unsigned i = 0; i < CELLS; i++) {
        if ((forgotten[i / 32] >> i % 32 & 1u) != 0) {
            cells[i].requests = false;
        }
    }
    memset(forgotten, 0, sizeof forgotten);
}

static void serve(void)
{
    struct hrl_cell_table *const tables[] = {&a, &once, &plain, &long_one};

    forget_stored();
    for (unsigned i = 0; i < CELLS && !is_masked; i++) {
        for (unsigned t = 0; t < sizeof tables / sizeof tables[0]; t++) {
            struct hrl_cell_table *table = tables[t];

            if (!cells[i].requests || i < table->cell || i >= table->cell + table->count) {
                continue;
            }
            cells[i].requests = false;
            if (table->has_end && i == table->cell) {
                hrli_cell_table_end(table, &groups);
                i = 0; /* what the end has forgotten */
                forget_stored();
                break;
            }
            (void)snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%c%u@%u ",
                           "aopl"[t], i - table->cell - table->has_end, (unsigned)now);
        }
    }
}

static void pass(unsigned counts)
{
    while (counts-- > 0) {
        step();
        serve();
    }
}

#define check_notes(text)                                                                          \
    do {                                                                                           \
        assert_string_equal(notes, text);                                                          \
        notes[0] = 0;                                                                              \
    } while (0)

/* As the tool makes one for each table, with its own cells. */
static enum hrl_status run(struct hrl_cell_table *table, uint32_t from, unsigned state)
{
    return hrli_cell_table_run(table, from, state, table->cell, table->count, &groups);
}

static void prepare(const struct hrl_cell_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        cells[table->cell + i].period = table->period;
        allow(table->cell + i, table->group, i != 0 || !table->has_end || table->period == 0);
    }
}

static void reset(uint32_t begin)
{
    memset(cells, 0, sizeof cells);
    now = begin;
    running = 0;
    is_masked = false;
    notes[0] = 0;
    a = once = plain = long_one = first_a;
    a.run = once.run = plain.run = long_one.run = run;
    once.period = 0;
    once.offsets = offsets_once;
    once.count = 3;
    once.cell = 20;
    once.groups = 4;
    once.group = 2;
    once.requests = 7u << 20;
    plain.period = 100;
    plain.offsets = offsets_plain;
    plain.count = 2;
    plain.cell = 32;
    plain.groups = 8;
    plain.group = 3;
    plain.requests = 3;
    plain.forget = &forgotten[1];
    plain.has_end = false;
    long_one.period = 200;
    long_one.offsets = offsets_long;
    long_one.cell = 40;
    long_one.groups = 16;
    long_one.group = 4;
    prepare(&a);
    prepare(&once);
    prepare(&plain);
    prepare(&long_one);
}

static enum hrl_status start(struct hrl_cell_table *table, uint32_t offset)
{
    return hrli_cell_table_start_relative(table, offset);
}

static enum hrl_status start_at(struct hrl_cell_table *table, uint32_t value)
{
    return hrli_cell_table_start_absolute(table, value, &groups);
}

static enum hrl_status other(struct hrl_cell_table *table, hrlp_irq_state state)
{
    return hrli_cell_table_stop_other(table, state, &groups);
}

static enum hrl_status stop(struct hrl_cell_table *table)
{
    return hrli_cell_table_stop(table, other, &groups);
}

static enum hrl_status next(struct hrl_cell_table *from, struct hrl_cell_table *to)
{
    return hrli_cell_table_next(from, to, &groups);
}

static void test_a_relative_start(void **state)
{
    (void)state;
    reset(UINT32_MAX - 19); /* the clock wraps, which these cells do not see */
    assert_int_equal(start(&a, 3), HRL_OK);
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_RUNNING);
    assert_int_equal(start(&a, 3), HRL_STATE);
    pass(7);
    check_notes("");
    pass(13);
    check_notes("a0@4294967284 a1@4294967289 ");
    pass(100);
    check_notes("a2@13 a0@28 a1@33 a2@53 a0@68 a1@73 a2@93 ");
}

static void test_a_relative_start_refused(void **state)
{
    (void)state;
    reset(0);
    assert_int_equal(start(&a, 0), HRL_VALUE);
    assert_int_equal(start(&a, (uint32_t)INT32_MAX - 4u), HRL_VALUE);
    assert_int_equal(start(&a, UINT32_MAX), HRL_VALUE);
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_STOPPED);
    assert_int_equal(start(&a, (uint32_t)INT32_MAX - 5u), HRL_OK);
    assert_int_equal(cells[4].counter, 40u - (uint32_t)INT32_MAX);
}

static void test_an_absolute_start_counts_from_the_value(void **state)
{
    (void)state;
    reset(20);
    assert_int_equal(start_at(&a, 15), HRL_VALUE); /* its first point would be now */
    assert_int_equal(start_at(&a, 14), HRL_VALUE);
    assert_int_equal(start_at(&a, 20u + (1u << 31)), HRL_VALUE);
    reset(20);
    assert_int_equal(start_at(&a, 200), HRL_OK);
    assert_int_equal(start_at(&a, 200), HRL_STATE);
    pass(240 - now);
    check_notes("a0@205 a1@210 a2@230 ");
}

static void test_an_absolute_start_over_the_wrap(void **state)
{
    (void)state;
    reset(UINT32_MAX - 99);
    assert_int_equal(start_at(&a, UINT32_MAX - 1), HRL_OK);
    pass(40u - now);
    check_notes("a0@3 a1@8 a2@28 ");
}

/* The call takes longer than it is up to the first points: they come late, and no other one moves. */
static void test_points_that_pass_during_the_start_come_at_once(void **state)
{
    (void)state;
    reset(1000);
    assert_int_equal(start_at(&a, 1000), HRL_OK);
    assert_true(now < 1040);
    serve();
    assert_non_null(strstr(notes, "a0@"));
    assert_non_null(strstr(notes, "a1@"));
    notes[0] = 0;
    pass(1044 - now);
    notes[0] = 0;
    pass(40);
    check_notes("a0@1045 a1@1050 a2@1070 ");
}

static void test_a_single_shot_ends_with_its_round(void **state)
{
    (void)state;
    reset(0);
    for (unsigned turn = 0; turn < 2; turn++) { /* it can be started again */
        assert_int_equal(start(&once, 4), HRL_OK);
        pass(10);
        assert_int_equal(hrl_cell_table_state(&once), HRL_TABLE_RUNNING);
        pass(1);
        assert_int_equal(hrl_cell_table_state(&once), HRL_TABLE_STOPPED);
        assert_int_equal(running, 0);
        check_notes(turn == 0 ? "o0@4 o1@11 " : "o0@36 o1@43 ");
        pass(32 - now % 32);
        assert_int_equal(stop(&once), HRL_NOT_RUNNING);
    }
    assert_int_equal(start_at(&once, now + 100), HRL_OK);
    pass(163 - now);
    check_notes("");
    pass(20);
    check_notes("o0@164 o1@171 ");
    assert_int_equal(hrl_cell_table_state(&once), HRL_TABLE_STOPPED);
}

static void test_stop_between_points_and_restart(void **state)
{
    (void)state;
    reset(0);
    assert_int_equal(stop(&a), HRL_NOT_RUNNING);
    assert_int_equal(start(&a, 1), HRL_OK);
    pass(8);
    assert_int_equal(stop(&a), HRL_OK);
    assert_int_equal(stop(&a), HRL_NOT_RUNNING);
    pass(192);
    check_notes("a0@6 ");
    assert_int_equal(start(&a, 2), HRL_OK);
    pass(35);
    check_notes("a0@207 a1@212 a2@232 ");
}

static void test_no_point_comes_behind_a_stop(void **state)
{
    (void)state;
    reset(0);
    (void)start(&a, 1);
    (void)start(&plain, 1);
    is_masked = true;
    pass(12);
    assert_true(cells[4].requests);
    assert_true(cells[32].requests);
    assert_int_equal(stop(&a), HRL_OK);
    is_masked = false;
    serve();
    check_notes("p0@12 "); /* that of the other table is not forgotten */
}

static void test_two_tables_at_one_instant(void **state)
{
    (void)state;
    reset(0);
    (void)start(&a, 5);
    (void)start(&plain, 10);
    pass(10);
    check_notes("a0@10 p0@10 ");
}

static void test_the_next_table_starts_at_the_end(void **state)
{
    (void)state;
    reset(0);
    assert_int_equal(next(&a, &once), HRL_NOT_RUNNING);
    assert_int_equal(next(&plain, &once), HRL_ID); /* no cell for the end of its round */
    (void)start(&a, 1);
    assert_int_equal(next(&a, &a), HRL_STATE);
    pass(50); /* into its second round */
    notes[0] = 0;
    assert_int_equal(next(&a, &long_one), HRL_OK);
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_RUNNING);
    assert_int_equal(hrl_cell_table_state(&long_one), HRL_TABLE_NEXT);
    assert_int_equal(next(&long_one, &a), HRL_NOT_RUNNING);
    assert_int_equal(start(&long_one, 1), HRL_STATE);
    assert_int_equal(start_at(&long_one, 1000), HRL_STATE);
    pass(80 - now);
    check_notes("a1@51 a2@71 ");
    pass(1);
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_STOPPED);
    assert_int_equal(hrl_cell_table_state(&long_one), HRL_TABLE_RUNNING);
    pass(400 - now);
    check_notes("l0@141 l1@181 l2@231 l0@341 l1@381 ");
    assert_int_equal(stop(&long_one), HRL_OK);
    assert_int_equal(start(&a, 1), HRL_OK); /* and has no follower any more */
    pass(45);
    check_notes("a0@406 a1@411 a2@431 ");
}

static void test_a_single_shot_is_followed(void **state)
{
    (void)state;
    reset(0);
    (void)start(&once, 1);
    assert_int_equal(next(&once, &plain), HRL_OK);
    pass(8);
    assert_int_equal(hrl_cell_table_state(&once), HRL_TABLE_STOPPED);
    assert_int_equal(strncmp(notes, "o0@1 o1@", 8), 0); /* with the end, and so behind it */
    assert_non_null(strstr(notes, "p0@"));
    notes[0] = 0;
    pass(120 - now);
    check_notes("p1@58 p0@108 ");
}

static void test_a_stop_stops_the_next_one(void **state)
{
    (void)state;
    reset(0);
    (void)start(&a, 1);
    (void)next(&a, &once);
    assert_int_equal(stop(&a), HRL_OK);
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_STOPPED);
    assert_int_equal(hrl_cell_table_state(&once), HRL_TABLE_STOPPED);
    (void)start(&a, 1);
    (void)next(&a, &once);
    assert_int_equal(stop(&once), HRL_OK); /* not next any more */
    pass(50);
    check_notes("a0@6 a1@11 a2@31 a0@46 ");
}

static void test_another_next_replaces_the_first(void **state)
{
    (void)state;
    reset(0);
    (void)start(&a, 1);
    (void)next(&a, &long_one);
    assert_int_equal(next(&a, &once), HRL_OK);
    assert_int_equal(hrl_cell_table_state(&long_one), HRL_TABLE_STOPPED);
    assert_int_equal(hrl_cell_table_state(&once), HRL_TABLE_NEXT);
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_RUNNING);
    pass(60);
    assert_non_null(strstr(notes, "o0@"));
    assert_non_null(strstr(notes, "o1@"));
    assert_int_equal(running, 0);
}

/* Interrupts are masked over the round's end: the points of the round that is none are forgotten. */
static void test_the_end_forgets_points_behind_it(void **state)
{
    (void)state;
    reset(0);
    (void)start(&a, 1);
    pass(38);
    notes[0] = 0;
    (void)next(&a, &plain);
    is_masked = true;
    pass(16); /* a0 would come at 46, a1 at 51 */
    is_masked = false;
    serve();
    assert_null(strstr(notes, "a"));
    assert_int_equal(hrl_cell_table_state(&plain), HRL_TABLE_RUNNING);
    notes[0] = 0;
    pass(150 - now);
    check_notes("p1@91 p0@141 ");
}

static void test_the_end_forgets_all_points_that_have_come_behind_it(void **state)
{
    static const uint32_t early[] = {40, 1, 2, 3};

    (void)state;
    reset(0);
    a.offsets = early;
    (void)start(&a, 1);
    pass(38);
    check_notes("a0@2 a1@3 a2@4 ");
    (void)next(&a, &long_one);
    is_masked = true;
    pass(6); /* the end comes at 41, and all points by 44 */
    assert_true(cells[4].requests && cells[5].requests && cells[6].requests);
    is_masked = false;
    serve();
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_STOPPED);
    assert_int_equal(hrl_cell_table_state(&long_one), HRL_TABLE_RUNNING);
    pass(102 - now);
    check_notes("l0@101 ");
}

/* The follower's first point lies behind the round of the table that ends, and is near. */
static void test_an_end_that_is_served_nearly_a_round_late_waits_for_a_near_point(void **state)
{
    static const uint32_t early[] = {40, 1, 2, 3};

    (void)state;
    reset(0);
    a.offsets = early;
    (void)start(&a, 1);
    pass(38);
    check_notes("a0@2 a1@3 a2@4 ");
    (void)next(&a, &long_one);
    is_masked = true;
    pass(34); /* the end came at 41 */
    is_masked = false;
    serve();
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_STOPPED);
    assert_true(now > 101 && now < 101 + HRLI_CELL_TABLE_NEAR_COUNTS);
    assert_int_equal(notes[0], 'l');
    assert_null(strchr(notes, 'a'));
    notes[0] = 0;
    pass(341 - now); /* nor are its later points, and rounds, at other instants */
    check_notes("l1@141 l2@191 l0@301 l1@341 ");
    assert_int_equal(cells[3].period, 40);
}

static void test_an_end_that_comes_before_the_start_changes_nothing(void **state)
{
    (void)state;
    reset(0);
    (void)start(&a, 1);
    (void)next(&a, &once);
    hrli_cell_table_end(&once, &groups);
    assert_int_equal(hrl_cell_table_state(&once), HRL_TABLE_NEXT);
    pass(41);
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_STOPPED);
    assert_non_null(strstr(notes, "o0@"));
    assert_non_null(strstr(notes, "o1@"));
}

/* The follower is taken back when the end of the round has interrupted, and is not served yet. */
static void test_an_end_that_nothing_follows_any_more_changes_nothing(void **state)
{
    (void)state;
    reset(0);
    (void)start(&a, 1);
    (void)next(&a, &plain);
    pass(40);
    notes[0] = 0;
    is_masked = true;
    pass(1);
    assert_true(cells[3].requests);
    assert_int_equal(stop(&plain), HRL_OK);
    is_masked = false;
    serve();
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_RUNNING);
    assert_int_equal(hrl_cell_table_state(&plain), HRL_TABLE_STOPPED);
    pass(80 - now);
    check_notes("a0@46 a1@51 a2@71 ");
    assert_int_equal(stop(&a), HRL_OK);
    hrli_cell_table_end(&a, &groups); /* nor one that a stop has overtaken */
    assert_int_equal(hrl_cell_table_state(&a), HRL_TABLE_STOPPED);
    pass(100);
    check_notes("");
}

static void test_a_table_without_a_cell_for_its_end_starts_at_a_value(void **state)
{
    (void)state;
    reset(20);
    assert_int_equal(start_at(&plain, 20), HRL_VALUE); /* its first point is the first cell's */
    assert_int_equal(start_at(&plain, 80), HRL_OK);
    pass(200 - now);
    check_notes("p0@80 p1@130 p0@180 ");
}

/* A cell cannot be set to an instant as near as that; the rounds up to one that it can be are lost. */
static void test_rounds_shorter_than_a_near_instant_are_lost_until_cells_can_be_set(void **state)
{
    static const uint32_t brief[] = {0, 4};

    (void)state;
    reset(20);
    plain.period = 12;
    plain.offsets = brief;
    prepare(&plain);
    assert_int_equal(start_at(&plain, 25), HRL_OK);
    assert_true(now < 25 + 5 * 12);
    serve();
    notes[0] = 0;
    pass(25 + 6 * 12 - 1 - now);
    notes[0] = 0;
    pass(24);
    check_notes("p0@97 p1@101 p0@109 p1@113 ");
}

/* Where cells have no groups: the calls are those of a table on a counter. */
static void note(const void *name, uint32_t number)
{
    (void)snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%s%u ", (const char *)name,
                   (unsigned)number);
}

HRL_COUNTER_DEFINE(counter, 99, 1);
static const struct hrl_table_action first[] = {HRL_TABLE_CALL(note, "c", 0)},
                                     second[] = {HRL_TABLE_CALL(note, "d", 0)};
static const struct hrl_expiry_point points[] = {HRL_EXPIRY_POINT(1, first)},
                                     later_points[] = {HRL_EXPIRY_POINT(1, second)};
HRL_SCHEDULE_TABLE_DEFINE(counted, &counter, 3, HRL_REPEATING, points);
HRL_SCHEDULE_TABLE_DEFINE(later, &counter, 3, HRL_REPEATING, later_points);
static HRL_CELL_TABLE_DEFINE_BY_CLOCK(by_counter, &counted);
static HRL_CELL_TABLE_DEFINE_BY_CLOCK(behind, &later);

static void test_calls_where_cells_have_no_groups(void **state)
{
    (void)state;
    sut_reset();
    notes[0] = 0;
    assert_int_equal(hrl_cell_table_stop(&by_counter), HRL_NOT_RUNNING);
    assert_int_equal(hrl_cell_table_start_relative(&by_counter, 0), HRL_VALUE);
    assert_int_equal(hrl_cell_table_start_relative(&by_counter, 1), HRL_OK);
    assert_int_equal(hrl_cell_table_start_absolute(&by_counter, 7), HRL_STATE);
    assert_int_equal(hrl_cell_table_next(&by_counter, &behind), HRL_OK);
    assert_int_equal(hrl_cell_table_state(&behind), HRL_TABLE_NEXT);
    for (unsigned i = 0; i < 5; i++) {
        hrl_counter_increment(&counter);
    }
    check_notes("c0 d0 ");
    assert_int_equal(hrl_cell_table_state(&by_counter), HRL_TABLE_STOPPED);
    assert_int_equal(hrl_cell_table_stop(&behind), HRL_OK);
    assert_int_equal(hrl_cell_table_state(&behind), HRL_TABLE_STOPPED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_relative_start),
        cmocka_unit_test(test_a_relative_start_refused),
        cmocka_unit_test(test_an_absolute_start_counts_from_the_value),
        cmocka_unit_test(test_an_absolute_start_over_the_wrap),
        cmocka_unit_test(test_points_that_pass_during_the_start_come_at_once),
        cmocka_unit_test(test_a_single_shot_ends_with_its_round),
        cmocka_unit_test(test_stop_between_points_and_restart),
        cmocka_unit_test(test_no_point_comes_behind_a_stop),
        cmocka_unit_test(test_two_tables_at_one_instant),
        cmocka_unit_test(test_the_next_table_starts_at_the_end),
        cmocka_unit_test(test_a_single_shot_is_followed),
        cmocka_unit_test(test_a_stop_stops_the_next_one),
        cmocka_unit_test(test_another_next_replaces_the_first),
        cmocka_unit_test(test_the_end_forgets_points_behind_it),
        cmocka_unit_test(test_the_end_forgets_all_points_that_have_come_behind_it),
        cmocka_unit_test(test_an_end_that_is_served_nearly_a_round_late_waits_for_a_near_point),
        cmocka_unit_test(test_an_end_that_comes_before_the_start_changes_nothing),
        cmocka_unit_test(test_an_end_that_nothing_follows_any_more_changes_nothing),
        cmocka_unit_test(test_a_table_without_a_cell_for_its_end_starts_at_a_value),
        cmocka_unit_test(test_rounds_shorter_than_a_near_instant_are_lost_until_cells_can_be_set),
        cmocka_unit_test(test_calls_where_cells_have_no_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
