/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_line.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>
#include <hrl/types.h>

static bool reported; /* the controller has seen the line's request meet its active job */

static inline bool hrlp_line_overran(int line)
{
    bool was = reported && line == 7;

    reported = false;
    return was;
}

#include "offset_tables.h"

/* A task with points 1000 and 4000 counts apart, in turn, on channel 4 of a device. */
static uint32_t now, compare[5];
static unsigned bodies, overruns;
static const struct hrl_basic tasks[1];
const struct hrl_line hrl_gen_line_0 = {.number = 7};

void hrli_basic_overrun(const struct hrl_basic *task)
{
    assert_ptr_equal(task, &tasks[0]);
    overruns++;
}

static inline int32_t device_compare_ahead(unsigned channel)
{
    return (int32_t)(compare[channel] - now);
}

static inline uint32_t device_compare(unsigned channel)
{
    return compare[channel];
}

static inline void device_set_compare(unsigned channel, uint32_t to)
{
    compare[channel] = to;
}

static const struct hrli_offset offsets_0[] = {
    HRLI_OFFSET(0, 1000u, 1),
    HRLI_OFFSET(0, 4000u, 0),
};
HRLI_OFFSET_CELL(0, device, 4u, 0, &tasks[0])

static void body(void)
{
    bodies++;
}

static void start(void)
{
    sut_reset();
    hrlp_irq_unlock(0);
    at_0 = offsets_0;
    now = compare[4] = 500;
    bodies = overruns = 0;
    reported = false;
}

static void test_a_job_moves_its_cell_ahead_of_its_body(void **state)
{
    (void)state;
    start();
    HRLI_MOVE_OFFSET(0)
    HRLI_SERVE_ALONE(body)
    assert_int_equal(bodies, 1);
    assert_int_equal(compare[4], 1500);
    now = 1510;
    HRLI_MOVE_OFFSET(0)
    assert_int_equal(compare[4], 5500);
    assert_int_equal(overruns, 0);
}

static void test_a_job_that_comes_behind_the_next_point_passes_it_over(void **state)
{
    (void)state;
    start();
    now = 1600;
    HRLI_MOVE_OFFSET(0)
    assert_int_equal(compare[4], 5500);
    assert_int_equal(overruns, 1);
    assert_ptr_equal(at_0, offsets_0);
}

static void test_a_report_moves_the_cell_and_is_counted_once(void **state)
{
    (void)state;
    start();
    HRLI_REPORT_OFFSET_OVERRUN(0, 0, &tasks[0])
    assert_int_equal(compare[4], 500);
    reported = true;
    HRLI_REPORT_OFFSET_OVERRUN(0, 0, &tasks[0])
    assert_int_equal(compare[4], 1500);
    assert_int_equal(overruns, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_job_moves_its_cell_ahead_of_its_body),
        cmocka_unit_test(test_a_job_that_comes_behind_the_next_point_passes_it_over),
        cmocka_unit_test(test_a_report_moves_the_cell_and_is_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
