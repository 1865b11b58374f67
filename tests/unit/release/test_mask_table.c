/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "mask_table.h"
#include "masks_by_hand.h"

/* In builds with HRL_RELEASE_MASKS only. */

static const struct hrli_mask_part part_a[] = {{1, 0x01}, {2, 0x03}}; /* 0, 6, 7 */
static const struct hrli_mask_part part_b[] = {{1, 0x02}};            /* 1 */
static const struct hrli_mask_part part_ab[] = {{1, 0x03}, {2, 0x03}};
static const struct hrli_release_mask masks[] = {{part_ab, 2}, {part_b, 1}, {part_a, 2}};
enum { AB, JUST_B, JUST_A, A = 1u | 1u << 6 | 1u << 7, B = 2 };

static int set_up(void **state)
{
    (void)state;
    masks_by_hand_reset();
    return 0;
}

static uint32_t released_at(struct hrli_mask_table *table, hrl_stamp instant)
{
    hrli_mask_table_release_due(&by_hand, table, instant);
    return by_hand_take_ready();
}

/* A every 20, B every 30. */
static const struct hrli_mask_row rows[] = {{20, AB}, {10, JUST_A}, {10, JUST_B}, {20, JUST_A}};

static void test_the_rows_repeat(void **state)
{
    struct hrli_mask_table table = {.rows = rows, .masks = masks, .count = 4};

    (void)state;
    for (unsigned at = 0; at < 1000; at += 10) { /* of a periodic mode: instants without a row */
        uint32_t expected = (at % 20 == 0 ? A : 0u) | (at % 30 == 0 ? B : 0u);
        masks_by_hand_put(A | B);
        if (expected != 0) {
            assert_int_equal(*hrli_mask_table_due(&table), at);
        }
        assert_int_equal(released_at(&table, at), expected);
    }
}

/* A begins at 50: the rows of B alone come once. */
static void test_rows_before_the_cycle_come_once(void **state)
{
    static const struct hrli_mask_row with_lead[] = {{30, JUST_B}, {20, JUST_B}, {10, JUST_A},
                                                     {10, JUST_B}, {20, JUST_A}, {20, AB}};
    struct hrli_mask_table table = {
        .rows = with_lead, .masks = masks, .count = 6, .cycle = 2, .next = 0};

    (void)state;
    for (unsigned at = 0; at < 1000; at += 10) {
        uint32_t expected = (at >= 50 && at % 20 == 10 ? A : 0u) | (at % 30 == 0 ? B : 0u);
        masks_by_hand_put(A | B);
        assert_int_equal(released_at(&table, at), expected);
        assert_true(at < 50 || table.at >= 2);
    }
}

static void test_a_task_that_does_not_wait_is_an_overrun(void **state)
{
    struct hrli_mask_table table = {.rows = rows, .masks = masks, .count = 4, .next = 0};

    (void)state;
    masks_by_hand_put(B);
    assert_int_equal(released_at(&table, 0), B);
    assert_int_equal(released_at(&table, 20), 0);
    masks_by_hand_put(A | B);
    assert_int_equal(released_at(&table, 30), B);
    assert_int_equal(released_at(&table, 40), A);
}

static void test_one_row_and_the_longest_gap_over_the_wrap(void **state)
{
    static const struct hrli_mask_row alone = {(1u << 31) - 1, JUST_A};
    struct hrli_mask_table table = {
        .rows = &alone, .masks = masks, .count = 1, .next = UINT32_MAX - 1};

    (void)state;
    for (hrl_stamp at = UINT32_MAX - 1, k = 0; k < 5; k++, at += (1u << 31) - 1) {
        masks_by_hand_put(A | B);
        assert_int_equal(released_at(&table, at - 1), 0);
        assert_int_equal(released_at(&table, at), A);
        assert_int_equal(released_at(&table, at), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_rows_repeat, set_up),
        cmocka_unit_test_setup(test_rows_before_the_cycle_come_once, set_up),
        cmocka_unit_test_setup(test_a_task_that_does_not_wait_is_an_overrun, set_up),
        cmocka_unit_test_setup(test_one_row_and_the_longest_gap_over_the_wrap, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
