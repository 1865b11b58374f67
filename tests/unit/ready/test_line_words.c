/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "line_words.h"
#include "with_cmocka.h"

static void test_the_first_rank_has_the_highest_bit(void **state)
{
    (void)state;
    assert_int_equal(hrli_line_bit(0), 0x80000000u);
    assert_int_equal(hrli_line_bit(31), 1u);
}

static void test_a_task_is_ready_where_the_words_differ(void **state)
{
    struct hrli_line_words words = {.released = 0xF0u, .done = 0x30u};

    (void)state;
    assert_int_equal(hrli_line_ready(&words), 0xC0u);
    hrli_line_release(&words, 0x31u);
    assert_int_equal(hrli_line_ready(&words), 0xF1u);
    assert_int_equal(words.done, 0x30u);
}

static void test_a_catch_up_task_that_is_not_ready_is_requested(void **state)
{
    struct hrli_line_words words = {.released = 0x80000004u, .done = 0x80000000u};

    (void)state;
    hrli_line_request_catch_up(&words);
    assert_int_equal(hrli_line_ready(&words), 0x80000004u);
    hrli_line_request_catch_up(&words);
    assert_int_equal(hrli_line_ready(&words), 0xC0000004u);
    hrli_line_request_catch_up(&words);
    assert_int_equal(hrli_line_ready(&words), 0xC0000004u);
    words.done ^= 0x80000000u; /* the first has ended, the other goes on */
    hrli_line_request_catch_up(&words);
    assert_int_equal(hrli_line_ready(&words), 0xC0000004u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_rank_has_the_highest_bit),
        cmocka_unit_test(test_a_task_is_ready_where_the_words_differ),
        cmocka_unit_test(test_a_catch_up_task_that_is_not_ready_is_requested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
