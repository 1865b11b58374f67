/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "own_deadlines.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>
#include <hrl/types.h>

/* Two tasks with deadlines every 1000 and 500 counts, on channels 4 and 5 of a device. */
static uint32_t now, compare[6];
static unsigned bodies, hooks[2];
static const struct hrl_basic tasks[2];

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

static inline void device_arm(unsigned channel, hrl_stamp due)
{
    compare[channel] = due;
}

void hrl_gen_body_0(void);
void hrl_gen_body_0(void)
{
    bodies++;
}

void hrl_gen_body_1(void);
void hrl_gen_body_1(void)
{
    bodies += 100;
}

HRLI_DEADLINE_TASKS(&tasks[0], &tasks[1])
HRLI_OWN_DEADLINE(0, device, 4u, 1000u, 300u, hrl_gen_body_0)
HRLI_OWN_DEADLINE(1, device, 5u, 500u, 500u, hrl_gen_body_1)

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    hooks[task - tasks]++;
}

static void start(void)
{
    sut_reset();
    hrlp_irq_unlock(0);
    now = 0;
    bodies = hooks[0] = hooks[1] = 0;
    step_0 = 1000;
    step_1 = 500;
    HRLI_START_OWN_DEADLINE(device, 4u, 300u)
    HRLI_START_OWN_DEADLINE(device, 5u, 500u)
}

static void test_the_end_of_a_body_moves_its_own_cell(void **state)
{
    (void)state;
    start();
    hrl_gen_monitored_0();
    assert_int_equal(bodies, 1);
    assert_int_equal(compare[4], 1300);
    assert_int_equal(compare[5], 500);
    hrl_gen_monitored_1();
    assert_int_equal(bodies, 101);
    assert_int_equal(compare[5], 1000);
}

static void test_a_handler_tells_of_its_own_task(void **state)
{
    (void)state;
    start();
    now = 501;
    HRLI_SERVE_OWN_DEADLINE(1, 1, 500u)
    assert_int_equal(hooks[0], 0);
    assert_int_equal(hooks[1], 1);
    hrl_gen_monitored_1(); /* late: of the point at 500 then, as no other job has run */
    assert_int_equal(compare[5], 1500);
    HRLI_SERVE_OWN_DEADLINE(0, 0, 1000u)
    assert_int_equal(hooks[0], 1);
    hrl_gen_monitored_0(); /* late, before the next point: the comparison stays */
    assert_int_equal(compare[4], 1300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_end_of_a_body_moves_its_own_cell),
        cmocka_unit_test(test_a_handler_tells_of_its_own_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
