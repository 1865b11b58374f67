/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"
#include "system_under_test.h"
#include "with_cmocka.h"

static size_t preemptions(uint32_t running, uint32_t released)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    sut_add_task((struct sut_task){.level = running, .period = sut_period(10000, 1), .cost = 1500});
    sut_add_task((struct sut_task){
        .level = released, .offset = 1000, .period = sut_period(10000, 1), .cost = 100});
    sut_run(5000);
    return sut_nth('S', 1, 0)->at == sut_zero() + 1000;
}

static void test_only_a_more_urgent_release_preempts(void **state)
{
    (void)state;
    assert_int_equal(preemptions(5, 6), 1);
    assert_int_equal(preemptions(5, 5), 0);
    assert_int_equal(preemptions(5, 4), 0);
    assert_int_equal(preemptions(30, 31), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_a_more_urgent_release_preempts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
