/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/message_queue.h>
#include <hrl/thread.h>
#include <hrl/time.h>

/* Built a second time for messages that are copied in pieces. */
#ifndef MESSAGE_WORDS
#define MESSAGE_WORDS 4
#endif

struct message {
    uint32_t number, sender, more[MESSAGE_WORDS - 2];
};

static struct message message_of(uint32_t number, uint32_t sender)
{
    struct message message = {number, sender, {0}};

    for (uint32_t i = 0; i < MESSAGE_WORDS - 2; i++) {
        message.more[i] = number * 1000 + sender * 100 + i;
    }
    return message;
}

static void check_whole(const struct message *message)
{
    struct message whole = message_of(message->number, message->sender);

    assert_memory_equal(message, &whole, sizeof whole);
}

HRL_MESSAGE_QUEUE_DEFINE(queue, sizeof(struct message), 3);

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    queue.receivers.first = queue.senders.first = NULL;
    queue.count = 0;
    queue.oldest = queue.next = queue.slots;
    queue.copying = NULL;
}

static enum hrl_status send(uint32_t number, hrl_counts until)
{
    struct message message = message_of(number, 7);

    return hrl_message_send(&queue, &message, until);
}

static uint32_t receive(hrl_counts until)
{
    struct message message = {0};
    enum hrl_status status = hrl_message_receive(&queue, &message, until);

    if (status != HRL_OK) {
        return 1000 + status;
    }
    assert_int_equal(message.sender, 7);
    check_whole(&message);
    return message.number;
}

static void use_alone(void *argument)
{
    uint32_t sent = 0, received = 0;

    (void)argument;
    for (int round = 0; round < 5; round++) {
        assert_int_equal(receive(HRL_NO_WAIT), 1000 + HRL_WOULD_WAIT);
        assert_int_equal(receive(hrl_now() + 10), 1000 + HRL_TIMED_OUT);
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(send(sent++, HRL_NO_WAIT), HRL_OK);
            assert_int_equal(hrl_message_count(&queue), i + 1);
        }
        assert_int_equal(send(99, HRL_NO_WAIT), HRL_WOULD_WAIT);
        assert_int_equal(send(99, hrl_now() + 10), HRL_TIMED_OUT);
        assert_int_equal(receive(HRL_FOREVER), received++);
        assert_int_equal(send(sent++, HRL_FOREVER), HRL_OK);
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(receive(HRL_FOREVER), received++);
        }
    }
    sut_note("end");
}

static void test_first_in_first_out(void **state)
{
    (void)state;
    set_up();
    sut_start("alone", 1, use_alone, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "end ");
}

static void receive_and_note(void *argument)
{
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6"};

    for (int i = 0; i < *(int *)argument; i++) {
        sut_note(names[receive(hrl_now() + 10000)]);
    }
}

static void send_three(void *argument)
{
    (void)argument;
    for (uint32_t i = 0; i < 3; i++) {
        sut_note("send");
        assert_int_equal(send(i, HRL_NO_WAIT), HRL_OK);
    }
}

static void test_a_waiting_receiver_gets_it_at_once(void **state)
{
    int two = 2, one = 1;

    (void)state;
    set_up();
    sut_start("a", 2, receive_and_note, &two);
    sut_start("b", 3, receive_and_note, &one);
    sut_start("sender", 1, send_three, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "send 0 send 1 send 2 ");
}

static void send_five(void *argument)
{
    (void)argument;
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(send(i, HRL_FOREVER), HRL_OK);
    }
    sut_note("sent");
}

static void test_a_waiting_sender_goes_on_when_there_is_room(void **state)
{
    int five = 5;

    (void)state;
    set_up();
    sut_start("sender", 2, send_five, NULL);
    sut_start("receiver", 1, receive_and_note, &five);
    sut_run(1000);
    assert_string_equal(sut_notes, "0 sent 1 2 3 4 ");
}

static void send_from_interrupt(void)
{
    assert_int_equal(send(5, HRL_NO_WAIT), HRL_OK);
    sut_note("sent");
}

static void interrupt_soon(void *argument)
{
    (void)argument;
    sut_interrupt_in(10, send_from_interrupt);
    hrlp_host_consume(100);
    sut_note("low");
}

static void test_an_interrupt_sends(void **state)
{
    int one = 1;

    (void)state;
    set_up();
    sut_start("receiver", 2, receive_and_note, &one);
    sut_start("low", 1, interrupt_soon, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "sent 5 low ");
}

static void send_unaligned(void *argument)
{
    (void)argument;
    (void)hrl_message_send(&queue, (char *)queue.slots + 1, HRL_NO_WAIT);
}

static void receive_unaligned(void *argument)
{
    (void)argument;
    (void)hrl_message_receive(&queue, (char *)queue.slots + 2, HRL_NO_WAIT);
}

static struct hrl_message_queue zero;

static void send_to_zero(void *argument)
{
    (void)argument;
    (void)hrl_message_send(&zero, queue.slots, HRL_NO_WAIT);
}

static void receive_from_zero(void *argument)
{
    (void)argument;
    (void)hrl_message_receive(&zero, queue.slots, HRL_NO_WAIT);
}

static void receive_for_ever(void)
{
    (void)hrl_message_receive(&queue, queue.slots, HRL_FOREVER);
}

static void test_messages_can_be_sent_before_the_start(void **state)
{
    (void)state;
    set_up();
    for (int threads = 0; threads < 2; threads++) {
        assert_int_equal(send(5, HRL_NO_WAIT), HRL_OK);
        assert_int_equal(send(6, HRL_NO_WAIT), HRL_OK);
        assert_int_equal(receive(HRL_NO_WAIT), 5);
        assert_int_equal(receive(HRL_NO_WAIT), 6);
        sut_start("thread", 1, send_to_zero, NULL);
    }
    assert_false(hrlp_host_take_switch()); /* there is nothing to switch from */
}

static void test_misuse_is_found(void **state)
{
    (void)state;
    set_up();
    sut_start("wrong", 1, send_to_zero, NULL);
    sut_run_to_assertion(1000, "a message queue that is not initialised");
    set_up();
    sut_start("wrong", 1, receive_from_zero, NULL);
    sut_run_to_assertion(1000, "a message queue that is not initialised");
    set_up();
    sut_call_to_assertion(receive_for_ever,
                          "hrl_message_receive that may wait: for threads, not the idle thread");
    set_up();
    sut_start("wrong", 1, send_unaligned, NULL);
    sut_run_to_assertion(1000, "a message that is not aligned to 4 bytes");
    set_up();
    sut_start("wrong", 1, receive_unaligned, NULL);
    sut_run_to_assertion(1000, "a message that is not aligned to 4 bytes");
}

/* ---- interrupts between any two steps --------------------------------------------------------- */

/*
 * A thread that waits to receive, or messages that fill the queue and a thread that waits to send;
 * then a call, into which an interrupt comes that sends or receives.
 */
static hrl_counts delay;
static bool receives, interrupt_receives, someone_waits;
static unsigned came_between;
static struct taken {
    unsigned count;
    uint32_t numbers[8];
} by_threads, by_interrupt;

static hrl_counts one_count(void)
{
    return 1;
}

static void take_one(struct taken *taken, hrl_counts until)
{
    uint32_t number = receive(until);

    if (number < 1000) {
        taken->numbers[taken->count++] = number;
    }
}

static void inject(void)
{
    uint32_t threshold = hrli_core.threshold;

    came_between += queue.copying != NULL;
    if (interrupt_receives) {
        take_one(&by_interrupt, HRL_NO_WAIT);
    } else {
        (void)send(5, HRL_NO_WAIT);
    }
    assert_int_equal(hrli_core.threshold, threshold);
}

static void wait_on_the_other_side(void *argument)
{
    (void)argument;
    if (receives) {
        assert_int_equal(send(3, HRL_FOREVER), HRL_OK);
    } else {
        take_one(&by_threads, HRL_FOREVER);
    }
}

static void call_into_injection(void *argument)
{
    (void)argument;
    hrlp_host_setup.port_call_counts = one_count;
    sut_interrupt_in(1 + delay, inject);
    if (receives) {
        take_one(&by_threads, HRL_NO_WAIT);
    } else {
        assert_int_equal(send(4, HRL_NO_WAIT), HRL_OK);
    }
    hrlp_host_setup.port_call_counts = NULL;
    hrl_thread_sleep_for(3000);
    while (hrl_message_count(&queue) != 0) {
        take_one(&by_threads, HRL_NO_WAIT);
    }
}

static void fill(void *argument)
{
    (void)argument;
    for (uint32_t i = 0; receives && i < 3; i++) {
        assert_int_equal(send(i, HRL_NO_WAIT), HRL_OK);
    }
}

static uint64_t digits_of(const struct taken *taken, uint64_t digits)
{
    for (unsigned i = 0; i < taken->count; i++) {
        digits = digits * 10 + taken->numbers[i] + 1;
    }
    return digits;
}

static uint64_t digits_of_what_was_taken(hrl_counts counts)
{
    set_up();
    delay = counts;
    by_threads.count = by_interrupt.count = 0;
    sut_start("filler", 3, fill, NULL);
    if (someone_waits) {
        sut_start("other", 2, wait_on_the_other_side, NULL);
    }
    sut_start("caller", 1, call_into_injection, NULL);
    sut_run(10000);
    assert_null(queue.copying);
    return digits_of(&by_interrupt, digits_of(&by_threads, 0) * 10);
}

static void test_an_interrupt_anywhere_in_a_call(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 8; way++) {
        uint64_t before, after;

        receives = (way & 1) != 0;
        interrupt_receives = (way & 2) != 0;
        someone_waits = (way & 4) != 0;
        came_between = 0;
        before = digits_of_what_was_taken(0);
        after = digits_of_what_was_taken(2000);
        for (hrl_counts counts = 0; counts < 100; counts++) {
            uint64_t here = digits_of_what_was_taken(counts);

            assert_true(here == before || here == after);
        }
        assert_true(came_between + 1 >= (MESSAGE_WORDS + 31) / 32); /* pieces of 32 words */
    }
}

/* Each sender's messages come once and in order, whatever falls between any two steps. */
enum { SENDERS = 4 };
static struct random campaign;
static uint32_t sent[SENDERS + 1], lowest_expected[SENDERS + 1];
static unsigned received;

static hrl_counts some_counts(void)
{
    return random_below(&campaign, 3);
}

static void send_numbered(uint32_t sender, hrl_counts until)
{
    struct message message = message_of(sent[sender], sender);

    sent[sender] += hrl_message_send(&queue, &message, until) == HRL_OK;
}

static void send_numbered_from_interrupt(void)
{
    send_numbered(SENDERS, HRL_NO_WAIT);
    sut_interrupt_in(random_between(&campaign, 50, 400), send_numbered_from_interrupt);
}

static void send_at_random(void *argument)
{
    uint32_t sender = (uint32_t)(uintptr_t)argument;

    if (sender == 0) {
        sut_interrupt_in(10, send_numbered_from_interrupt);
    }
    for (;;) {
        send_numbered(sender, hrl_now() + random_below(&campaign, 300));
        hrl_thread_sleep_for(random_below(&campaign, 200));
    }
}

/* One receiver, so that the order of receiving is known. */
static void receive_at_random(void *argument)
{
    (void)argument;
    for (;;) {
        struct message message;

        if (hrl_message_receive(&queue, &message, hrl_now() + random_below(&campaign, 200)) ==
            HRL_OK) {
            assert_in_range(message.sender, 0, SENDERS);
            assert_int_equal(message.number, lowest_expected[message.sender]++);
            check_whole(&message);
            received++;
        }
        hrlp_host_consume(random_below(&campaign, 100));
    }
}

static void test_random_use(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        set_up();
        campaign.state = seed;
        received = 0;
        for (unsigned i = 0; i <= SENDERS; i++) {
            sent[i] = lowest_expected[i] = 0;
        }
        hrlp_host_setup.port_call_counts = some_counts;
        hrlp_host_setup.limit = 300000;
        for (unsigned i = 0; i < SENDERS; i++) {
            sut_start("sender", random_between(&campaign, 1, 5), send_at_random,
                      (void *)(uintptr_t)i);
        }
        sut_start("receiver", random_between(&campaign, 1, 5), receive_at_random, NULL);
        (void)sut_run(200000);
        assert_true(received > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_in_first_out),
        cmocka_unit_test(test_a_waiting_receiver_gets_it_at_once),
        cmocka_unit_test(test_a_waiting_sender_goes_on_when_there_is_room),
        cmocka_unit_test(test_an_interrupt_sends),
        cmocka_unit_test(test_messages_can_be_sent_before_the_start),
        cmocka_unit_test(test_misuse_is_found),
        cmocka_unit_test(test_an_interrupt_anywhere_in_a_call),
        cmocka_unit_test(test_random_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
