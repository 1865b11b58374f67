/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "wait_queue.h"
#include "with_cmocka.h"
#include <string.h>

enum { THREADS = 40, STEPS = 200000 };

static struct hrl_thread threads[THREADS];
static struct hrli_wait_queue queue;

/* The plain model: who is in, in the order of the queue. */
static struct hrl_thread *model[THREADS];
static size_t model_count;

static int set_up(void **state)
{
    (void)state;
    memset(threads, 0, sizeof threads);
    queue.first = NULL;
    model_count = 0;
    return 0;
}

static void insert(struct hrl_thread *thread, uint32_t level)
{
    size_t at = model_count++;

    thread->waiter.ready.level = level;
    for (; at > 0 && model[at - 1]->waiter.ready.level < level; at--) {
        model[at] = model[at - 1];
    }
    model[at] = thread;
    hrli_wait_queue_insert(&queue, thread);
}

static void forget(size_t at)
{
    model_count--;
    memmove(&model[at], &model[at + 1], (model_count - at) * sizeof model[0]);
}

static void check_against_model(void)
{
    size_t i = 0;

    for (struct hrl_thread *first = queue.first; first != NULL; first = first->wait.lower) {
        struct hrl_thread *thread = first;
        do {
            assert_true(i < model_count);
            assert_ptr_equal(thread, model[i++]);
            assert_ptr_equal(thread->wait.next->wait.previous, thread);
            assert_ptr_equal(hrli_wait_queue_behind(&queue, thread),
                             i < model_count ? model[i] : NULL);
            thread = thread->wait.next;
        } while (thread != first);
    }
    assert_int_equal(i, model_count);
}

static void test_most_urgent_first_then_first_come(void **state)
{
    (void)state;
    insert(&threads[0], 3);
    insert(&threads[1], 5);
    insert(&threads[2], 3);
    insert(&threads[3], 5);
    insert(&threads[4], 1);
    assert_ptr_equal(hrli_wait_queue_pop(&queue), &threads[1]);
    assert_ptr_equal(hrli_wait_queue_pop(&queue), &threads[3]);
    assert_ptr_equal(hrli_wait_queue_pop(&queue), &threads[0]);
    assert_ptr_equal(hrli_wait_queue_pop(&queue), &threads[2]);
    assert_ptr_equal(hrli_wait_queue_pop(&queue), &threads[4]);
    assert_null(queue.first);
}

static void test_removal_anywhere(void **state)
{
    (void)state;
    for (unsigned out = 0; out < 9; out++) {
        set_up(NULL);
        for (unsigned i = 0; i < 9; i++) {
            insert(&threads[i], 1 + i / 3);
        }
        hrli_wait_queue_remove(&queue, &threads[out]);
        for (size_t at = 0; at < model_count; at++) {
            if (model[at] == &threads[out]) {
                forget(at);
                break;
            }
        }
        check_against_model();
    }
}

static void test_random_steps_as_a_plain_model(void **state)
{
    struct random random = {1};

    (void)state;
    for (unsigned step = 0; step < STEPS; step++) {
        struct hrl_thread *thread = &threads[random_below(&random, THREADS)];
        size_t at = 0;

        while (at < model_count && model[at] != thread) {
            at++;
        }
        if (at == model_count) {
            insert(thread, 1 + random_below(&random, 1 + step / 1000 % 31));
        } else if (random_below(&random, 2) == 0) {
            hrli_wait_queue_remove(&queue, thread);
            forget(at);
        } else {
            assert_ptr_equal(hrli_wait_queue_pop(&queue), model[0]);
            forget(0);
        }
        check_against_model();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_most_urgent_first_then_first_come, set_up),
        cmocka_unit_test_setup(test_removal_anywhere, set_up),
        cmocka_unit_test_setup(test_random_steps_as_a_plain_model, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
