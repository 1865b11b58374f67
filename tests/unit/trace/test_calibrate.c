/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "hrlp_ring_controller.h"
#include "system_under_test.h"
#include "trace.h"
#include "with_cmocka.h"

enum { RECORDS = 2 * HRLI_TRACE_CALLS };

struct hrli_trace_record hrl_gen_trace_records[RECORDS];
const uint32_t hrl_gen_trace_capacity = RECORDS;
const uint32_t hrl_gen_trace_window = 123;

static void assert_cost(struct hrli_trace_cost cost, uint32_t each, uint32_t inside)
{
    assert_int_equal(cost.whole, (HRLI_TRACE_CALLS - 1) * each);
    assert_int_equal(cost.inside, HRLI_TRACE_CALLS * inside);
}

/* In virtual time a record takes none; what is called beside it, so many counts (hrlp_ring_controller.h). */
static void test_the_calibration_says_what_is_called_costs(void **state)
{
    (void)state;
    sut_reset();
    hrli_clock_start();
    hrli_trace_start();
    assert_cost(hrli_trace.plain, 0, 0);
    assert_cost(hrli_trace.called, HRLP_HOST_RETURN_COUNTS, 0);
    assert_cost(hrli_trace.masked, 0, 0);
    assert_cost(hrli_trace.halves, 0, 0);
    assert_cost(hrli_trace.entered, HRLP_HOST_ENTRY_COUNTS + HRLP_HOST_HANDLER_COUNTS,
                HRLP_HOST_HANDLER_COUNTS);
    assert_cost(hrli_trace.switched, HRLP_HOST_ENTRY_COUNTS + HRLP_HOST_HANDLER_COUNTS + 1,
                HRLP_HOST_HANDLER_COUNTS + 1);
    assert_cost(hrli_trace.service, HRLP_HOST_SERVICE_COUNTS + HRLP_HOST_RETURN_COUNTS,
                HRLP_HOST_RETURN_COUNTS);
    assert_cost(hrli_trace.job, HRLP_HOST_JOB_COUNTS, 0);
}

static void test_the_trace_begins_empty_behind_it(void **state)
{
    (void)state;
    sut_reset();
    hrli_clock_start();
    hrli_trace_start();
    assert_int_equal(hrli_trace.capacity, RECORDS);
    assert_int_equal(hrli_trace.next, 0);
    assert_int_equal(hrli_trace.lost, 0);
    assert_int_equal(hrli_trace.calls, HRLI_TRACE_CALLS);
    assert_int_equal(hrli_trace.window, 123);
    assert_int_equal(hrli_trace.opened, hrlp_ring_stamp());
    assert_int_equal(hrli_trace.idle, hrli_trace_running() & 0xFFFFFFu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_calibration_says_what_is_called_costs),
        cmocka_unit_test(test_the_trace_begins_empty_behind_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
