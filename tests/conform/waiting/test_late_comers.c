/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "system_under_test.h"
#include "wait.h"
#include "with_cmocka.h"
#include <hrl/alarm.h>
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/pool.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <string.h>

/*
 * Every object that interrupts give: a thread that comes behind more urgent ones looks for its place
 * with interrupts on, and what they give in that time is neither lost nor goes to another thread than
 * if they had come before, or after.
 */
enum { HIGH, MIDDLE, SECOND, LOW, LAST, THREADS }; /* in the order in which they are to be served */

struct object {
    const char *name;
    void (*reset)(void); /* nothing to take */
    enum hrl_status (*take)(unsigned thread, hrl_counts until);
    void (*give)(unsigned n); /* the n-th time; in an interrupt */
    bool (*has_some)(void);
    const struct hrli_wait_queue *waiters;
};

HRL_SEMAPHORE_DEFINE(semaphore, 0, THREADS);

static void reset_semaphore(void)
{
    semaphore = (struct hrl_semaphore){.limit = THREADS};
}

static enum hrl_status take_token(unsigned thread, hrl_counts until)
{
    (void)thread;
    return hrl_semaphore_take(&semaphore, until);
}

static void give_token(unsigned n)
{
    (void)n;
    assert_int_equal(hrl_semaphore_give(&semaphore), HRL_OK);
}

static bool has_tokens(void)
{
    return semaphore.count != 0;
}

HRL_MESSAGE_QUEUE_DEFINE(messages, sizeof(uint32_t), THREADS);

static void reset_messages(void)
{
    messages.receivers.first = messages.senders.first = NULL;
    messages.next = messages.oldest = messages.slots;
    messages.count = 0;
}

static enum hrl_status receive(unsigned thread, hrl_counts until)
{
    uint32_t message = 0;
    enum hrl_status status = hrl_message_receive(&messages, &message, until);

    (void)thread;
    assert_in_range(message, 100, 100 + THREADS);
    return status;
}

static void send(unsigned n)
{
    const uint32_t message = 100 + n;

    assert_int_equal(hrl_message_send(&messages, &message, HRL_NO_WAIT), HRL_OK);
}

static bool has_messages(void)
{
    return messages.count != 0;
}

/* The other way round: it is full, what is taken is room. */
static void reset_room(void)
{
    reset_messages();
    messages.count = THREADS;
    for (uint32_t i = 0; i < THREADS; i++) {
        messages.slots[i] = i;
    }
}

static enum hrl_status send_into_room(unsigned thread, hrl_counts until)
{
    const uint32_t message = 100 + thread;

    return hrl_message_send(&messages, &message, until);
}

static void make_room(unsigned n)
{
    uint32_t message = 0;

    assert_int_equal(hrl_message_receive(&messages, &message, HRL_NO_WAIT), HRL_OK);
    if (n < THREADS) { /* of those that were in */
        assert_int_equal(message, n);
    }
}

static bool has_room(void)
{
    return messages.count != THREADS;
}

HRL_POOL_DEFINE(pool, sizeof(uint32_t), THREADS + 1);
static void *blocks[THREADS + 1];

static void reset_pool(void)
{
    pool.waiters.first = NULL;
    pool.free = NULL;
    pool.fresh = pool.blocks;
    for (unsigned i = 0; i <= THREADS; i++) {
        blocks[i] = pool.fresh;
        pool.fresh = (char *)pool.fresh + pool.block_bytes;
    }
}

static enum hrl_status take_block(unsigned thread, hrl_counts until)
{
    void *block = NULL;
    enum hrl_status status = hrl_pool_take(&pool, &block, until);

    (void)thread;
    assert_non_null(block);
    return status;
}

static void give_block(unsigned n)
{
    hrl_pool_give(&pool, blocks[n]);
}

static bool has_blocks(void)
{
    return pool.free != NULL;
}

HRL_ALARM_DEFINE(pulse);

static void reset_alarm(void)
{
    pulse.waiters.first = NULL;
    pulse.expired = 0;
}

static enum hrl_status wait_for_alarm(unsigned thread, hrl_counts until)
{
    uint32_t expiries = 0;
    enum hrl_status status = hrl_alarm_wait(&pulse, &expiries, until);

    (void)thread;
    assert_int_equal(expiries, 1);
    return status;
}

static void expire(unsigned n)
{
    (void)n;
    hrli_alarm_wake(&pulse, 1);
}

static bool has_expired(void)
{
    return pulse.expired != 0;
}

/* Each waits for a flag of its own. */
HRL_EVENT_DEFINE(event);

static void reset_event(void)
{
    event = (struct hrl_event){.flags = 0};
}

static enum hrl_status wait_for_flag(unsigned thread, hrl_counts until)
{
    uint32_t seen = 0;
    enum hrl_status status =
        hrl_event_wait(&event, 1u << thread, HRL_EVENT_ANY | HRL_EVENT_CLEAR, until, &seen);

    assert_true((seen >> thread & 1u) != 0);
    return status;
}

static void set_flag(unsigned n)
{
    hrl_event_set(&event, 1u << n);
}

static bool has_flags(void)
{
    return event.flags != 0;
}

static const struct object objects[] = {
    {"semaphore", reset_semaphore, take_token, give_token, has_tokens, &semaphore.waiters},
    {"messages", reset_messages, receive, send, has_messages, &messages.receivers},
    {"room", reset_room, send_into_room, make_room, has_room, &messages.senders},
    {"pool", reset_pool, take_block, give_block, has_blocks, &pool.waiters},
    {"alarm", reset_alarm, wait_for_alarm, expire, has_expired, &pulse.waiters},
    {"event", reset_event, wait_for_flag, set_flag, has_flags, &event.waiters},
};

static const char *const names[THREADS] = {"high", "middle", "second", "low", "last"};
static const uint32_t levels[THREADS] = {5, 4, 4, 2, 1};
static const struct object *object;
static struct hrl_thread *threads[THREADS];
static unsigned numbers[THREADS];
static hrl_counts until, interrupt_after;
static unsigned gifts_then, given, gifts;
static unsigned while_it_searched;

static hrl_counts four_counts(void)
{
    return 4;
}

static void give_the_rest(void)
{
    while (given < gifts) {
        object->give(given++);
    }
}

static void give_some(void)
{
    while_it_searched +=
        hrli_core.running == threads[LOW] && hrli_core.threshold == HRL_PRIORITIES &&
        threads[LOW]->wait_status != HRLI_WAITING && object->waiters->first != NULL;
    while (given < gifts_then) {
        object->give(given++);
    }
    sut_interrupt_in(2000, give_the_rest);
}

static void wait_for_it(void *argument)
{
    unsigned thread = *(unsigned *)argument;

    assert_int_equal(object->take(thread, HRL_FOREVER), HRL_OK);
    sut_note(names[thread]);
    if (thread == HIGH && gifts > THREADS) {
        assert_int_equal(object->take(thread, HRL_FOREVER), HRL_OK);
        sut_note(names[thread]);
    }
}

/* By now the others wait. */
static void come_late(void *argument)
{
    hrl_thread_sleep_until(1000);
    sut_interrupt_in(interrupt_after, give_some);
    assert_int_equal(object->take(*(unsigned *)argument, until), HRL_OK);
    hrl_thread_set_priority(threads[LOW],
                            3); /* it waits no more, so that nothing is moved in a queue */
    sut_note(names[LOW]);
}

static void run(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    object->reset();
    given = 0;
    hrlp_host_setup.port_call_counts = four_counts;
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        threads[i] =
            sut_start(names[i], levels[i], i == LOW ? come_late : wait_for_it, &numbers[i]);
    }
    sut_run(20000);
    assert_false(object->has_some());
    assert_null(object->waiters->first);
    assert_int_equal(hrli_core.threshold, 0);
    assert_int_equal(hrli_core.ready.occupied[0], 1);
}

/* With as many gifts as other waiters, the last of these gets one if the late thread is not yet in. */
static void expect_order(unsigned *before)
{
    if (gifts_then == THREADS - 1 && strcmp(sut_notes, "high middle second last low ") == 0) {
        (*before)++;
    } else {
        assert_string_equal(sut_notes, "high middle second low last ");
    }
}

static void test_gifts_while_a_thread_looks_for_its_place(void **state)
{
    (void)state;
    gifts = THREADS;
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        unsigned before = 0;

        object = &objects[i];
        for (gifts_then = 1; gifts_then <= THREADS; gifts_then++) {
            while_it_searched = 0;
            for (unsigned kind = 0; kind < 2; kind++) {
                until = kind == 0 ? HRL_FOREVER : 15000;
                for (interrupt_after = 1; interrupt_after < 80; interrupt_after++) {
                    run();
                    expect_order(&before);
                }
            }
            assert_true(while_it_searched > 4);
        }
        assert_true(object->waiters == &event.waiters ? before == 0 : before > 4);
    }
}

/*
 * The most urgent one comes back for what was left: it goes before the late one, which has to wait
 * then.
 */
static void test_what_was_left_is_taken_by_the_more_urgent(void **state)
{
    (void)state;
    until = HRL_FOREVER;
    gifts_then = THREADS;
    gifts = THREADS + 1;
    for (size_t i = 0; i < 4; i++) { /* an alarm and an event leave one thing for all */
        object = &objects[i];
        while_it_searched = 0;
        for (interrupt_after = 1; interrupt_after < 80; interrupt_after++) {
            unsigned searched_before = while_it_searched;

            run();
            if (while_it_searched != searched_before) {
                assert_string_equal(sut_notes, "high high middle second last low ");
            }
        }
        assert_true(while_it_searched > 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gifts_while_a_thread_looks_for_its_place),
        cmocka_unit_test(test_what_was_left_is_taken_by_the_more_urgent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
