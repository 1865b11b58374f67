/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "core.h"
#include "hrlp_irq.h"
#include "system_under_test.h"
#include "trace.h"
#include "with_cmocka.h"

/* A ring of so many records, for a window of so many counts. */
enum { RECORDS = 70, WINDOW = 1000 };

/* As generated code has them. */
struct hrli_trace_record hrl_gen_trace_records[RECORDS];
const uint32_t hrl_gen_trace_capacity = RECORDS;
const uint32_t hrl_gen_trace_window = WINDOW;

static void start(void)
{
    sut_reset();
    hrli_clock_start();
    hrli_trace_start();
    hrlp_irq_unlock(0);
    hrli_trace.lost = 0;
}

static void assert_record(uint32_t at, hrl_stamp stamp, uint32_t word)
{
    assert_int_equal(hrl_gen_trace_records[at].stamp - hrli_trace.opened, stamp);
    assert_int_equal(hrl_gen_trace_records[at].word, word);
}

static void test_records_stand_in_order_with_their_stamps(void **state)
{
    int object;
    uint32_t low = (uint32_t)(uintptr_t)&object & 0xFFFFFFu;

    (void)state;
    start();
    hrlp_host_consume(5);
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_BEGUN, 3));
    hrlp_host_consume(7);
    hrli_trace_served(&object);
    hrli_trace_released(&object);
    assert_int_equal(hrli_trace.next, 3);
    assert_record(0, 5, 0x04000003u);
    assert_record(1, 12, 0x07000000u | low);
    assert_record(2, 12, 0x06000000u | low);
}

static void test_a_mask_is_a_record_for_each_half_with_bits(void **state)
{
    (void)state;
    start();
    hrli_trace_mask(9, 0x00008001u);
    hrli_trace_mask(9, 0x40000000u);
    hrli_trace_mask(9, 0x00030004u);
    hrli_trace_mask(9, 0);
    assert_int_equal(hrli_trace.next, 4);
    assert_record(0, 0, 0x08098001u);
    assert_record(1, 0, 0x09094000u);
    assert_record(2, 0, 0x08090004u);
    assert_record(3, 0, 0x09090003u);
}

static void test_an_interrupt_that_is_left_names_the_thread_that_runs(void **state)
{
    struct hrl_thread *before = hrli_core.running;
    static struct hrl_thread thread;
    uint32_t low = (uint32_t)(uintptr_t)&thread & 0xFFFFFFu;

    (void)state;
    start();
    hrli_core.running = &thread;
    hrli_trace_left();
    hrli_trace_switched();
    hrli_core.running = before;
    assert_record(0, 0, 0x02000000u | low);
    assert_record(1, 0, 0x03000000u | low);
}

static void test_a_service_is_called_and_returns(void **state)
{
    (void)state;
    start();
    hrli_trace_called();
    hrli_trace_returned();
    assert_record(0, 0, 0x0B000000u);
    assert_record(1, 0, 0x0C000000u);
}

static void test_a_full_ring_keeps_its_beginning_and_counts_the_rest(void **state)
{
    (void)state;
    start();
    for (uint32_t i = 0; i < RECORDS + 3; i++) {
        hrli_trace_put(i);
    }
    assert_int_equal(hrli_trace.next, RECORDS);
    assert_int_equal(hrli_trace.lost, 3);
    assert_record(0, 0, 0);
    assert_record(RECORDS - 1, 0, RECORDS - 1);
}

static void test_records_behind_the_window_are_written_as_others(void **state)
{
    (void)state;
    start();
    hrlp_host_consume(WINDOW);
    hrli_trace_put(1);
    hrlp_host_consume(1);
    hrli_trace_put(2);
    assert_record(0, WINDOW, 1);
    assert_record(1, WINDOW + 1, 2);
}

static void test_a_record_leaves_interrupts_as_they_were(void **state)
{
    hrlp_irq_state unlocked, locked;

    (void)state;
    start();
    unlocked = hrlp_irq_lock();
    hrli_trace_put(1);
    locked = hrlp_irq_lock();
    assert_int_not_equal(locked, unlocked);
    hrlp_irq_unlock(unlocked);
    hrli_trace_put(2);
    assert_int_equal(hrlp_irq_lock(), unlocked);
    hrlp_irq_unlock(unlocked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_stand_in_order_with_their_stamps),
        cmocka_unit_test(test_a_mask_is_a_record_for_each_half_with_bits),
        cmocka_unit_test(test_an_interrupt_that_is_left_names_the_thread_that_runs),
        cmocka_unit_test(test_a_service_is_called_and_returns),
        cmocka_unit_test(test_a_full_ring_keeps_its_beginning_and_counts_the_rest),
        cmocka_unit_test(test_records_behind_the_window_are_written_as_others),
        cmocka_unit_test(test_a_record_leaves_interrupts_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
