/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/message_queue.h>
#include <hrl/thread.h>
#include <hrl/time.h>

struct message {
    uint32_t number, sender, more[2];
};

HRL_MESSAGE_QUEUE_DEFINE(queue, sizeof(struct message), 3);

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    queue.receivers.first = queue.senders.first = NULL;
    queue.count = 0;
    queue.oldest = queue.next = queue.slots;
}

static enum hrl_status send(uint32_t number, hrl_counts until)
{
    struct message message = {number, 7, {number, ~number}};

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
    assert_int_equal(message.more[0], message.number);
    assert_int_equal(message.more[1], ~message.number);
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
    sut_call_to_assertion(receive_for_ever, "a call that waits, from no thread");
    set_up();
    sut_start("wrong", 1, send_unaligned, NULL);
    sut_run_to_assertion(1000, "a message that is not aligned to 4 bytes");
    set_up();
    sut_start("wrong", 1, receive_unaligned, NULL);
    sut_run_to_assertion(1000, "a message that is not aligned to 4 bytes");
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
    struct message message = {sent[sender], sender, {sent[sender] + sender, 0}};

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
            assert_int_equal(message.more[0], message.number + message.sender);
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
        cmocka_unit_test(test_misuse_is_found),
        cmocka_unit_test(test_random_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
