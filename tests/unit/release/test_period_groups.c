/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "masks_by_hand.h"
#include "period_groups.h"

/* In builds with HRL_RELEASE_MASKS only. */

static const struct hrli_mask_part part_a[] = {{1, 0x01}, {2, 0x03}}; /* 0, 6, 7 */
static const struct hrli_mask_part part_b[] = {{1, 0x02}};            /* 1 */
static const struct hrli_mask_part part_c[] = {{4, 0x20}};            /* 23 */
static const struct hrli_release_mask a = {part_a, 2}, b = {part_b, 1}, c = {part_c, 1};
enum { A = 1u | 1u << 6 | 1u << 7, B = 2, C = 1u << 23 };

static int set_up(void **state)
{
    (void)state;
    masks_by_hand_reset();
    return 0;
}

static uint32_t periodic(struct hrli_period_groups *groups, hrl_stamp instant)
{
    hrli_period_groups_release_due(&by_hand, groups, instant);
    return by_hand_take_ready();
}

static uint32_t one_shot(struct hrli_period_groups *groups)
{
    hrli_period_groups_release_and_find(&by_hand, groups, *hrli_period_groups_due(groups));
    return by_hand_take_ready();
}

/* Offsets of 0, 2 and 9 instants of 10 counts; the last is longer than its period. */
static void test_periods_and_offsets(void **state)
{
    struct hrli_period_group all[] = {
        {0, {.counts = 10}, a}, {20, {.counts = 40}, b}, {90, {.counts = 30}, c}};
    struct hrli_period_groups groups = {.groups = all, .count = 3};

    (void)state;
    masks_by_hand_put(A | B | C);
    for (unsigned k = 0; k < 100; k++) {
        uint32_t expected =
            A | (k % 4 == 2 ? B : 0) | (k >= 9 && (k - 9) % 3 == 0 ? (uint32_t)C : 0);
        assert_int_equal(periodic(&groups, 10 * k), expected);
        masks_by_hand_put(expected);
    }
}

static void test_a_task_that_does_not_wait_is_an_overrun(void **state)
{
    struct hrli_period_group all[] = {{100, {.counts = 10}, a}};
    struct hrli_period_groups groups = {.groups = all, .count = 1};

    (void)state;
    masks_by_hand_put(1u << 6);
    assert_int_equal(periodic(&groups, 100), 1u << 6);
    assert_int_equal(periodic(&groups, 110), 0);
    masks_by_hand_put(A);
    assert_int_equal(periodic(&groups, 115), 0); /* no instant of the group's */
    assert_int_equal(periodic(&groups, 120), A);
}

static void test_the_first_of_all_is_found(void **state)
{
    struct hrli_period_group all[] = {
        {50, {.counts = 70}, a}, {30, {.counts = 20}, b}, {50, {.counts = 1u << 30}, c}};
    struct hrli_period_groups groups = {.groups = all, .count = 3, .due = 30};
    static const struct {
        hrl_stamp instant;
        uint32_t released;
    } expected[] = {{30, B}, {50, A | B | C}, {70, B}, {90, B}, {110, B}, {120, A}, {130, B}};

    (void)state;
    masks_by_hand_put(A | B | C);
    for (unsigned k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        assert_int_equal(*hrli_period_groups_due(&groups), expected[k].instant);
        assert_int_equal(one_shot(&groups), expected[k].released);
        masks_by_hand_put(expected[k].released);
    }
    assert_int_equal(all[2].next, 50 + (1u << 30));
}

/* The longest period, alone, and across the wrap. */
static void test_long_periods_and_the_wrap(void **state)
{
    struct hrli_period_group all[] = {{UINT32_MAX - 4, {.counts = 1u << 30}, a},
                                      {UINT32_MAX - 1, {.counts = (1u << 30) - 1}, b}};
    struct hrli_period_groups groups = {.groups = all, .count = 2, .due = UINT32_MAX - 4};
    hrl_stamp next_a = UINT32_MAX - 4, next_b = UINT32_MAX - 1;

    (void)state;
    for (unsigned k = 0; k < 40; k++) { /* ten turns; in the end they have changed places */
        bool is_a = !hrli_stamp_after(next_a, next_b), is_b = !hrli_stamp_after(next_b, next_a);
        masks_by_hand_put(A | B);
        assert_int_equal(groups.due, is_a ? next_a : next_b);
        assert_int_equal(one_shot(&groups), (is_a ? A : 0u) | (is_b ? B : 0u));
        next_a += is_a ? 1u << 30 : 0;
        next_b += is_b ? (1u << 30) - 1 : 0;
    }
}

static void test_fractions_accumulate(void **state)
{
    struct hrli_period_group all[] = {{0, {.counts = 3, .numerator = 1, .denominator = 3}, a},
                                      {0, {.counts = 10}, b}};
    struct hrli_period_groups groups = {.groups = all, .count = 2};

    (void)state;
    for (unsigned k = 0; k < 3000; k++) { /* 0, 3, 6, 10, 13, ... */
        masks_by_hand_put(A | B);
        assert_int_equal(groups.due, k * 10 / 3);
        assert_int_equal(one_shot(&groups), k % 3 == 0 ? A | B : A);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_periods_and_offsets, set_up),
        cmocka_unit_test_setup(test_a_task_that_does_not_wait_is_an_overrun, set_up),
        cmocka_unit_test_setup(test_the_first_of_all_is_found, set_up),
        cmocka_unit_test_setup(test_long_periods_and_the_wrap, set_up),
        cmocka_unit_test_setup(test_fractions_accumulate, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
