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

static void test_who_differs_is_ready(void **state)
{
    struct hrli_line_words words = {.released = 0xF0u, .done = 0x30u};

    (void)state;
    assert_int_equal(hrli_line_ready(&words), 0xC0u);
    hrli_line_release(&words, 0x31u);
    assert_int_equal(hrli_line_ready(&words), 0xF1u);
    assert_int_equal(words.done, 0x30u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_rank_has_the_highest_bit),
        cmocka_unit_test(test_who_differs_is_ready),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
