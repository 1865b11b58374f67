/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "line_state.h"
#include "line_table.h"
#include "lines_under_test.h"
#include "overrun.h"
#include "with_cmocka.h"

/* Releases that come too early, as the releasers hand them over. */

static void nothing(void) {}

enum { ALONE, OTHER, SINGLE, TWICE };

static void build(void)
{
    lut_reset();
    lut_add((struct lut_task){.level = 8, .alone = true, .body = nothing});
    lut_add((struct lut_task){.level = 7, .alone = true, .body = nothing});
    lut_add((struct lut_task){.level = 2, .body = nothing});
    lut_add((struct lut_task){.level = 2, .limit = 2, .body = nothing});
    lut_build();
}

static void test_each_is_counted_and_told(void **state)
{
    (void)state;
    build();
    hrli_basic_overrun(lut_task(SINGLE));
    hrli_basic_overrun(lut_task(SINGLE));
    assert_int_equal(hrl_basic_overruns(lut_task(SINGLE)), 2);
    assert_int_equal(lut_overrun_hooks[SINGLE], 2);
    assert_int_equal(lut_overrun_hooks[TWICE], 0);
}

static uint32_t bit_of(unsigned task)
{
    return hrli_line_bit(lut_task(task)->rank);
}

static void test_one_that_may_wait_waits(void **state)
{
    struct hrli_line_words *words;
    uint32_t both;
    uint32_t third;
    uint32_t catch_up;

    (void)state;
    build();
    words = lut_line_of(SINGLE)->words;
    both = bit_of(SINGLE) | bit_of(TWICE);
    third = bit_of(TWICE) >> 1;
    catch_up = lut_line_of(SINGLE)->tasks[0] == NULL ? HRLI_LINE_CATCH_UP : 0;
    assert_true(catch_up != 0 || !HRLP_LINE_CONTROLLER);
    hrli_line_release(words, both);
    assert_int_equal(hrli_line_overrun(words, bit_of(SINGLE), bit_of(SINGLE)), 0);
    assert_int_equal(hrli_line_ready(words), both); /* no job waits: no catch-up is requested */
    assert_int_equal(hrli_line_overrun(words, both | third, both), third);
    assert_int_equal(lut_task(TWICE)->counts[HRLI_BASIC_WAITING], 1);
    assert_int_equal(hrli_line_ready(words), both | (catch_up & hrli_line_bit(0)));
    assert_int_equal(hrli_line_overrun(words, bit_of(TWICE), bit_of(TWICE)), 0);
    assert_int_equal(lut_task(TWICE)->counts[HRLI_BASIC_WAITING], 1);
    assert_int_equal(hrl_basic_overruns(lut_task(SINGLE)), 2);
    assert_int_equal(hrl_basic_overruns(lut_task(TWICE)), 2);
}

static void test_of_lines_of_one_task_the_late_are_not_raised(void **state)
{
    uint32_t alone;
    uint32_t other;

    (void)state;
    build();
    if (!HRLP_LINE_CONTROLLER) {
        assert_int_equal(hrli_line_overrun_alone(7, 1), 6); /* no controller: none is reported */
        return;
    }
    alone = 1u << lut_line_of(ALONE)->number;
    other = 1u << lut_line_of(OTHER)->number;
    assert_int_equal(hrli_line_overrun_alone(alone | other | 1u, alone), other | 1u);
    assert_int_equal(hrl_basic_overruns(lut_task(ALONE)), 1);
    assert_int_equal(hrl_basic_overruns(lut_task(OTHER)), 0);
}

static void test_what_is_a_cell_s_own_line_is_none_of_software_s(void **state)
{
    struct hrl_line *cell;
    uint32_t bit;

    (void)state;
    build();
    if (!HRLP_LINE_CONTROLLER) {
        return;
    }
    cell = (struct hrl_line *)(uintptr_t)lut_line_of(ALONE);
    bit = 1u << cell->number;
    cell->is_cell = true; /* of a number above 31 on some controllers, which wraps to this */
    assert_int_equal(hrli_line_overrun_alone(bit, bit), 0);
    assert_int_equal(hrl_basic_overruns(lut_task(ALONE)), 0);
}

static void activate_the_other(const struct hrl_basic *task)
{
    if (task == lut_task(SINGLE)) {
        (void)hrl_basic_activate(lut_task(TWICE));
    } else if (task == lut_task(OTHER)) {
        (void)hrl_basic_activate(lut_task(ALONE));
    }
}

static void test_a_task_that_the_hook_activates_is_late_for_the_same_release(void **state)
{
    struct hrli_line_words *words;
    uint32_t both;

    (void)state;
    build();
    lut_on_overrun = activate_the_other;
    words = lut_line_of(SINGLE)->words;
    both = bit_of(SINGLE) | bit_of(TWICE);
    hrli_line_release(words, bit_of(SINGLE));
    assert_int_equal(hrli_line_overrun(words, both, bit_of(SINGLE)), 0);
    assert_int_equal(hrli_line_ready(words) & both, both);
    assert_int_equal(hrl_basic_overruns(lut_task(TWICE)), 1);
    assert_int_equal(lut_task(TWICE)->counts[HRLI_BASIC_WAITING], 1);
    if (HRLP_LINE_CONTROLLER) {
        hrlp_irq_state locked = hrlp_irq_lock();
        uint32_t alone = 1u << lut_line_of(ALONE)->number;
        uint32_t other = 1u << lut_line_of(OTHER)->number;

        assert_int_equal(hrli_line_overrun_alone(alone | other, other), 0);
        assert_int_equal(hrl_basic_overruns(lut_task(ALONE)), 1);
        assert_int_equal(hrlp_line_open() & alone, alone);
        hrlp_irq_unlock(locked);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_is_counted_and_told),
        cmocka_unit_test(test_one_that_may_wait_waits),
        cmocka_unit_test(test_of_lines_of_one_task_the_late_are_not_raised),
        cmocka_unit_test(test_what_is_a_cell_s_own_line_is_none_of_software_s),
        cmocka_unit_test(test_a_task_that_the_hook_activates_is_late_for_the_same_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
