/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "hrlp_ring_controller.h"
#include "stream.h"
#include "system_under_test.h"
#include "trace.h"
#include "with_cmocka.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { RECORDS = 80, BYTES = 8, WINDOW = 1000 };

struct hrli_trace_record hrl_gen_trace_records[RECORDS];
const uint32_t hrl_gen_trace_capacity = RECORDS;
const uint32_t hrl_gen_trace_window = WINDOW;

static struct hrli_trace_channel *const up = &hrli_trace_rtt.up;

static void start(void)
{
    memset(hrl_gen_trace_records, 0xFF, sizeof hrl_gen_trace_records);
    hrli_trace.next = 0;
    hrli_trace.lost = 0;
    hrli_trace_stream_start();
}

/* The debugger takes a record, if there is one. */
static bool take(hrl_stamp *stamp, uint32_t *word)
{
    const struct hrli_trace_record *record = &hrl_gen_trace_records[up->read / BYTES];

    if (up->read == up->written) {
        return false;
    }
    *stamp = record->stamp;
    *word = record->word;
    up->read = up->read + BYTES == up->bytes ? 0 : up->read + BYTES;
    return true;
}

static void assert_taken(hrl_stamp stamp, uint32_t word)
{
    hrl_stamp its = 0;
    uint32_t what = 0;

    assert_true(take(&its, &what));
    assert_int_equal(its, stamp);
    assert_int_equal(what, word);
}

static void assert_empty(void)
{
    hrl_stamp stamp;
    uint32_t word;

    assert_false(take(&stamp, &word));
}

/* Of a debugger, which knows words of 32 bits, and pointers as long: the order is that of the protocol. */
static void test_a_debugger_finds_the_ring_by_its_control_block(void **state)
{
    (void)state;
    start();
    assert_memory_equal(hrli_trace_rtt.id, "SEGGER RTT\0\0\0\0\0", 16);
    assert_int_equal(hrli_trace_rtt.up_channels, 1);
    assert_int_equal(hrli_trace_rtt.down_channels, 0);
    assert_string_equal(up->name, "Horolog");
    assert_ptr_equal(up->buffer, hrl_gen_trace_records);
    assert_int_equal(up->bytes, RECORDS * BYTES);
    assert_int_equal(up->flags, 0);
    assert_int_equal(offsetof(struct hrli_trace_rtt, up_channels), 16);
    assert_int_equal(offsetof(struct hrli_trace_rtt, up), 24);
    assert_int_equal(offsetof(struct hrli_trace_channel, bytes), 2 * sizeof(void *));
    assert_int_equal(offsetof(struct hrli_trace_channel, written), 2 * sizeof(void *) + 4);
    assert_int_equal(offsetof(struct hrli_trace_channel, read), 2 * sizeof(void *) + 8);
    assert_empty();
}

static void test_what_is_read_in_time_has_no_gap(void **state)
{
    (void)state;
    start();
    for (uint32_t i = 0; i < 5 * RECORDS; i += 3) {
        for (uint32_t j = i; j < i + 3; j++) {
            hrli_trace_stream(j, HRLP_RING_WORD(HRLP_RING_BEGUN, j));
        }
        for (uint32_t j = i; j < i + 3; j++) {
            assert_taken(j, HRLP_RING_WORD(HRLP_RING_BEGUN, j));
        }
        assert_empty();
    }
    assert_int_equal(hrli_trace.lost, 0);
}

static void test_what_does_not_fit_is_counted_and_told(void **state)
{
    (void)state;
    start();
    for (uint32_t i = 0; i < RECORDS + 3; i++) {
        hrli_trace_stream(i, i);
    }
    assert_int_equal(hrli_trace.lost, 4); /* a record's room is never used */
    for (uint32_t i = 0; i < RECORDS - 1; i++) {
        assert_taken(i, i);
    }
    assert_empty();
    hrli_trace_stream(100, 100);
    hrli_trace_stream(101, 101);
    assert_taken(100, HRLP_RING_WORD(HRLP_RING_LOST, 4));
    assert_taken(100, 100);
    assert_taken(101, 101);
    assert_empty();
}

/* There is room to say that some are lost, and none for the one that follows. */
static void test_a_record_that_is_lost_behind_the_word_of_others_is_told_later(void **state)
{
    hrl_stamp stamp;
    uint32_t word;

    (void)state;
    start();
    for (uint32_t i = 0; i < RECORDS; i++) {
        hrli_trace_stream(i, i);
    }
    assert_true(take(&stamp, &word));
    hrli_trace_stream(50, 50);
    assert_int_equal(hrli_trace.lost, 2);
    for (uint32_t i = 1; i < RECORDS - 1; i++) {
        assert_taken(i, i);
    }
    assert_taken(50, HRLP_RING_WORD(HRLP_RING_LOST, 1));
    hrli_trace_stream(60, 60);
    assert_taken(60, HRLP_RING_WORD(HRLP_RING_LOST, 1));
    assert_taken(60, 60);
    assert_empty();
}

static void test_so_many_are_lost_that_a_record_cannot_say_it_at_once(void **state)
{
    (void)state;
    start();
    hrli_trace_rtt.unsaid = 0x1000001;
    hrli_trace_stream(1, 1);
    assert_taken(1, HRLP_RING_WORD(HRLP_RING_LOST, 0xFFFFFF));
    assert_empty();
    hrli_trace_stream(2, 2);
    assert_taken(2, HRLP_RING_WORD(HRLP_RING_LOST, 3)); /* the one of 1, too */
    assert_taken(2, 2);
    assert_empty();
}

/* Of a build in which HRL_TRACE_STREAM is set, as of this test. */
static void test_a_trace_begins_with_what_a_debugger_has_to_know(void **state)
{
    uint32_t idle = hrli_trace_running() & 0xFFFFFFu;

    (void)state;
    sut_reset();
    hrli_clock_start();
    hrli_trace_start();
    assert_taken(hrli_trace.opened, HRLP_RING_WORD(HRLP_RING_EMPTY, idle));
    assert_empty();
    hrlp_host_consume(WINDOW + 1); /* which ends no stream */
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_BEGUN, 7));
    assert_taken(hrli_trace.opened + WINDOW + 1, HRLP_RING_WORD(HRLP_RING_BEGUN, 7));
    assert_empty();
    assert_int_equal(hrli_trace.job.whole, (HRLI_TRACE_CALLS - 1) * HRLP_HOST_JOB_COUNTS);
}

static void test_the_stop_of_a_debugger_changes_nothing(void **state)
{
    struct hrli_trace_rtt before;

    (void)state;
    start();
    memcpy(&before, &hrli_trace_rtt, sizeof before);
    hrli_trace_begun();
    assert_memory_equal(&before, &hrli_trace_rtt, sizeof before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_debugger_finds_the_ring_by_its_control_block),
        cmocka_unit_test(test_what_is_read_in_time_has_no_gap),
        cmocka_unit_test(test_what_does_not_fit_is_counted_and_told),
        cmocka_unit_test(test_a_record_that_is_lost_behind_the_word_of_others_is_told_later),
        cmocka_unit_test(test_so_many_are_lost_that_a_record_cannot_say_it_at_once),
        cmocka_unit_test(test_a_trace_begins_with_what_a_debugger_has_to_know),
        cmocka_unit_test(test_the_stop_of_a_debugger_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
