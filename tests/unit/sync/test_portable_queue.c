/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#define HRL_CLOCK_HZ 1000000u
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/portable.h>
#include <hrl/thread.h>
#include <string.h>

struct message {
    uint32_t number, square;
};

HRL_PORTABLE_QUEUE_DEFINE(queue, sizeof(struct message), 2);

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    memset(queue.state, 0xa5, sizeof queue.state);
    hrl_portable_queue_make(&queue);
}

static void send(void *argument)
{
    struct message message;

    (void)argument;
    for (uint32_t i = 0; i < 2; i++) {
        message = (struct message){i, i * i};
        assert_true(hrl_portable_queue_send(&queue, &message, HRL_PORTABLE_NO_WAIT));
    }
    message = (struct message){2, 4};
    assert_false(hrl_portable_queue_send(&queue, &message, HRL_PORTABLE_NO_WAIT));
    assert_false(hrl_portable_queue_send(&queue, &message, HRL_PORTABLE_US(5)));
    assert_int_equal(hrl_now(), 5);
    sut_note("full");
    assert_true(hrl_portable_queue_send(&queue, &message, HRL_PORTABLE_FOREVER));
    sut_note("sent");
}

static void receive(void *argument)
{
    struct message message;

    (void)argument;
    hrl_portable_sleep(HRL_PORTABLE_US(100));
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(hrl_portable_queue_receive(&queue, &message, HRL_PORTABLE_NO_WAIT));
        assert_int_equal(message.number, i);
        assert_int_equal(message.square, i * i);
    }
    sut_note("received");
    assert_false(hrl_portable_queue_receive(&queue, &message, HRL_PORTABLE_US(20)));
    assert_int_equal(hrl_now(), 120);
    sut_note("empty");
}

static void test_messages_are_copied_in_order(void **state)
{
    (void)state;
    set_up();
    sut_start("sender", 1, send, NULL);
    sut_start("receiver", 2, receive, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "full received sent empty ");
}

/* More words than are copied with interrupts off. */
struct large {
    uint32_t words[40];
};

HRL_PORTABLE_QUEUE_DEFINE(large_messages, sizeof(struct large), 3);

static void pass_large_messages(void *argument)
{
    static struct large message;

    (void)argument;
    for (uint32_t round = 0; round < 7; round++) { /* its slots begin anew */
        message.words[0] = round;
        message.words[39] = 100 + round;
        assert_true(hrl_portable_queue_send(&large_messages, &message, HRL_PORTABLE_NO_WAIT));
        message = (struct large){{0}};
        assert_true(hrl_portable_queue_receive(&large_messages, &message, HRL_PORTABLE_NO_WAIT));
        assert_int_equal(message.words[0], round);
        assert_int_equal(message.words[39], 100 + round);
    }
    sut_note("passed");
}

static void test_large_messages_are_copied_in_pieces(void **state)
{
    (void)state;
    set_up();
    hrl_portable_queue_make(&large_messages);
    sut_start("alone", 1, pass_large_messages, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "passed ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_are_copied_in_order),
        cmocka_unit_test(test_large_messages_are_copied_in_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
