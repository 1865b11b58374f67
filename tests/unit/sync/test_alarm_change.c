/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm_change.h"
#include "alarm_under_test.h"

/* An alarm that is started in the past by another's function owes its expiries, and is listed once. */
static void test_alarms_that_owe_are_listed_in_order(void **state)
{
    static struct hrl_alarm other;

    (void)state;
    set_up_one_shot();
    define(&other, note_call, NULL);
    hrli_core.alarms.acting = true;
    hrli_alarm_owe(&alarm, 2);
    hrli_alarm_owe(&other, 3);
    hrli_alarm_owe(&alarm, 4);
    assert_ptr_equal(hrli_core.alarms.owing, &alarm);
    assert_ptr_equal(alarm.next_owed, &other);
    assert_null(other.next_owed);
    assert_int_equal(alarm.owed, 4);
    hrli_alarm_take_out(&other); /* does not owe any more */
    assert_int_equal(other.owed, 0);
    hrli_alarm_pay();
    hrli_core.alarms.acting = false;
    assert_null(hrli_core.alarms.owing);
    assert_int_equal(call_count, 1);
    assert_int_equal(calls[0].expiries, 4);
}

/* Outside of an alarm's function it acts at once. */
static void test_an_alarm_acts_at_once(void **state)
{
    (void)state;
    set_up_one_shot();
    hrli_alarm_owe(&alarm, 7);
    assert_int_equal(call_count, 1);
    assert_int_equal(calls[0].expiries, 7);
    assert_false(hrli_core.alarms.acting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alarms_that_owe_are_listed_in_order),
        cmocka_unit_test(test_an_alarm_acts_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
