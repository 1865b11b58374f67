/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "line_table.h"
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <stdio.h>

/*
 * A table over tasks of three lines, in the place of what is generated: on a controller the first
 * task is alone on its line.
 */
enum { HIGH, FIRST, SECOND, THIRD, PERIOD = 1000 };
#define AHEAD (1u << 12)

static struct hrli_line_table table;
static struct hrli_line_part parts[16];
static struct hrli_line_row rows[8];
static uint32_t alone;
static bool shared;

static uint32_t raise_of(unsigned task)
{
    return 1u << lut_line_of(task)->number;
}

static struct hrli_line_part part_of(unsigned task, uint32_t bits)
{
    return (struct hrli_line_part){lut_line_of(task)->words, {bits}};
}

static struct hrli_line_part head_of(uint32_t raise)
{
    return (struct hrli_line_part){NULL, {raise}};
}

static void serve(void)
{
    hrli_line_table_interrupt(&table, alone, shared, AHEAD);
    if (!HRLP_LINE_CONTROLLER) {
        hrli_core_dispatch_after_interrupt();
    }
}

static void start(void *argument)
{
    (void)argument;
    lut_start_cell(serve, PERIOD);
}

static void note_time(const char *name)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%s@%u", name, (unsigned)(hrlp_host_now() - sut_zero()));
    sut_note(text);
}

static void high(void)
{
    note_time("high");
}

static void first(void)
{
    note_time("first");
}

static hrl_counts cost;

static void second(void)
{
    hrl_counts once = cost;

    note_time("second");
    cost = 0;
    hrlp_host_consume(once);
}

static void third(void)
{
    note_time("third");
}

/*
 * Rows: all; first and high; nothing but high; second; then again from the row of first and high.
 * Of a build without a controller high has words, too.
 */
static void build(void)
{
    struct hrli_line_part high_part;
    uint32_t bit = 0x80000000u;
    unsigned i = 0;

    lut_reset();
    cost = 0;
    lut_add((struct lut_task){.level = 8, .alone = true, .body = high});
    lut_add((struct lut_task){.level = 4, .body = first});
    lut_add((struct lut_task){.level = 4, .body = second});
    lut_add((struct lut_task){.level = 1, .body = third});
    lut_build();
    high_part = part_of(HIGH, bit);
    alone = HRLP_LINE_CONTROLLER ? raise_of(HIGH) : 0;
    rows[0] = (struct hrli_line_row){PERIOD, &parts[i]};
    parts[i++] = head_of(raise_of(HIGH) | raise_of(FIRST) | raise_of(THIRD));
    if (alone == 0) {
        parts[i++] = high_part;
    }
    parts[i++] = part_of(FIRST, bit | bit >> 1);
    parts[i++] = part_of(THIRD, bit);
    rows[1] = (struct hrli_line_row){PERIOD, &parts[i]};
    parts[i++] = head_of(raise_of(HIGH) | raise_of(FIRST));
    if (alone == 0) {
        parts[i++] = high_part;
    }
    parts[i++] = part_of(FIRST, bit);
    rows[2] = (struct hrli_line_row){PERIOD, &parts[i]};
    parts[i++] = head_of(raise_of(HIGH));
    if (alone == 0) {
        parts[i++] = high_part;
    }
    rows[3] = (struct hrli_line_row){2 * PERIOD, &parts[i]};
    parts[i++] = head_of(raise_of(SECOND));
    parts[i++] = part_of(SECOND, bit >> 1);
    rows[4] = (struct hrli_line_row){0, &parts[i]};
    parts[i++] = (struct hrli_line_part){NULL, {.next = &rows[1]}};
    assert_true(i <= sizeof parts / sizeof parts[0]);
    table = (struct hrli_line_table){rows, HRLI_LINE_TABLE_DUE(SUT_START_COUNTS + PERIOD)};
    sut_start("starter", 1, start, NULL);
}

/* Rows at 1000, 2000, 3000, 4000, and from the cycle at 6000, 7000, 8000, 10000. */
static void test_rows_come_at_their_instants_and_again(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        build();
        shared = i == 1;
        assert_string_equal(sut_run(8500), "done");
        assert_string_equal(sut_notes, "high@1000 first@1000 second@1000 third@1000 "
                                       "high@2000 first@2000 high@3000 second@4000 "
                                       "high@6000 first@6000 high@7000 second@8000 ");
    }
}

static void test_a_task_that_has_not_ended_is_an_overrun(void **state)
{
    (void)state;
    build();
    cost = 8200; /* from 1000 to 9200: its releases of 4000 and 8000 are dropped */
    assert_string_equal(sut_run(12500), "done");
    assert_int_equal(hrl_basic_overruns(lut_task(SECOND)), 2);
    assert_int_equal(lut_overrun_hooks[SECOND], 2);
    assert_int_equal(hrl_basic_overruns(lut_task(HIGH)), 0);
    assert_int_equal(hrl_basic_overruns(lut_task(FIRST)), 1); /* 6000; 2000 waits for second */
    assert_string_equal(sut_notes,
                        "high@1000 first@1000 second@1000 high@2000 high@3000 high@6000 high@7000 "
                        "first@9200 third@9200 high@10000 first@10000 high@11000 second@12000 ");
}

/* The cell's interrupt is held off for three rows: they come late, and all of them come. */
static void mask(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrlp_host_consume(2500);
    hrlp_irq_unlock(state);
}

static void test_lost_interrupts_are_made_up_for(void **state)
{
    (void)state;
    build();
    sut_interrupt_in(SUT_START_COUNTS + 1500, mask);
    assert_string_equal(sut_run(4500), "done");
    assert_int_equal(hrl_basic_overruns(lut_task(HIGH)), 1); /* 2000 and 3000 are one */
    assert_string_equal(sut_notes, "high@1000 first@1000 second@1000 third@1000 "
                                   "high@4000 first@4000 second@4000 ");
}

/* The handler was kept from running for so long. */
static void test_rows_that_are_late_by_more_than_half_of_all_stamps(void **state)
{
    static const uint32_t late[] = {1u << 31, 3000000500u, 0u - AHEAD - 1u};

    (void)state;
    for (unsigned i = 0; i < sizeof late / sizeof late[0]; i++) {
        build();
        lut_on_overrun = NULL;
        for (unsigned part = 0; part < 16; part++) {
            parts[part].is.bits = 0; /* or each of the rows would tell an overrun */
            parts[part].words = NULL;
        }
        for (unsigned row = 0; row < 4; row++) {
            rows[row] = (struct hrli_line_row){PERIOD, &parts[0]};
        }
        rows[4] = (struct hrli_line_row){0, &parts[2]};
        parts[2].is.next = rows;
        alone = 0;
        table = (struct hrli_line_table){rows, (hrl_stamp)hrlp_clock_read() - late[i]};
        hrli_line_table_interrupt(&table, alone, false, AHEAD);
        assert_in_range(table.due - (hrl_stamp)hrlp_clock_read(), 1, PERIOD);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_come_at_their_instants_and_again),
        cmocka_unit_test(test_a_task_that_has_not_ended_is_an_overrun),
        cmocka_unit_test(test_lost_interrupts_are_made_up_for),
        cmocka_unit_test(test_rows_that_are_late_by_more_than_half_of_all_stamps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
