/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "basic_store.h"
#include "calendar.h"
#include "groups_under_test.h"
#include "line_queue.h"
#include "sorted_list.h"

HRLI_QUEUE_CALLS(sorted_list)
HRLI_LINE_QUEUE(sorted_list)
HRLI_QUEUE(list, sorted_list, GROUPS, 32u, 8u)
HRLI_QUEUE_CALLS(calendar)
HRLI_LINE_QUEUE(calendar)
HRLI_QUEUE(slots, calendar, GROUPS, 32u, 8u)

static struct hrli_line_groups_kind kind;
static hrl_stamp next;

static void serve_list(void)
{
    next = hrli_line_queue_interrupt(&list, &sorted_list_lines, &gut_served, &kind);
}

static void serve_slots(void)
{
    next = hrli_line_queue_interrupt(&slots, &calendar_lines, &gut_served, &kind);
}

static void build_list(bool is_shared)
{
    gut_build(serve_list);
    kind = gut_kind(is_shared);
    list_init();
    for (unsigned i = 0; i < GROUPS; i++) {
        (void)sorted_list_insert(&list, &gut_groups[i].node);
    }
}

static void build_slots(bool is_shared)
{
    gut_build(serve_slots);
    kind = gut_kind(is_shared);
    slots_init();
    for (unsigned i = 0; i < GROUPS; i++) {
        (void)calendar_insert(&slots, &gut_groups[i].node);
    }
}

static void test_groups_are_released_at_their_instants(void **state)
{
    (void)state;
    gut_check(build_list);
    gut_check(build_slots);
}

/* What a one-shot cell is armed for. */
static void test_the_next_instant_is_returned(void **state)
{
    (void)state;
    build_list(false);
    assert_string_equal(sut_run(2500), "done");
    assert_int_equal(next, HRLI_LINE_TABLE_DUE(SUT_START_COUNTS + 3000));
    assert_int_equal(gut_served, HRLI_LINE_TABLE_DUE(SUT_START_COUNTS + 2000));
}

/* The handler was kept from running for so long: each release is made up for, in order. */
static void test_groups_that_are_late_by_more_than_half_of_all_stamps(void **state)
{
    static const uint32_t late[] = {1u << 31, 3000000500u, 0u - (1u << 12) - 1u};

    (void)state;
    for (unsigned i = 0; i < sizeof late / sizeof late[0]; i++) {
        build_list(false);
        kind.has_parts = false;
        kind.alone = 0;
        list_init();
        gut_groups[HIGH].raise = 0;
        gut_groups[HIGH].period.counts = 1u << 20;
        kind.ahead = 1u << 21;
        gut_groups[HIGH].node.key = hrlp_clock_read() - late[i] + (1u << 21);
        (void)sorted_list_insert(&list, &gut_groups[HIGH].node);
        next = hrli_line_queue_interrupt(&list, &sorted_list_lines, &gut_served, &kind);
        assert_in_range(next - (hrl_stamp)hrlp_clock_read(), 1, 1u << 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_are_released_at_their_instants),
        cmocka_unit_test(test_the_next_instant_is_returned),
        cmocka_unit_test(test_groups_that_are_late_by_more_than_half_of_all_stamps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
