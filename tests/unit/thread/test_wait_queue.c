/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "wait_queue.h"
#include "with_cmocka.h"
#include <string.h>

enum { THREADS = 40, STEPS = 200000 };

static struct hrl_thread threads[THREADS];
static struct hrli_wait_queue queue;

/* The plain model: the threads that are in the queue, in its order. */
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

static void place_in_model(struct hrl_thread *thread, uint32_t level)
{
    size_t at = model_count++;

    thread->ready.priority = level;
    thread->wait_status = HRLI_WAITING;
    for (; at > 0 && model[at - 1]->ready.priority < level; at--) {
        model[at] = model[at - 1];
    }
    model[at] = thread;
}

static void insert(struct hrl_thread *thread, uint32_t level)
{
    place_in_model(thread, level);
    hrli_wait_queue_insert(hrli_wait_queue_search(&queue, level, HRLP_IRQ_UNLOCKED), thread);
}

static void forget(size_t at)
{
    model_count--;
    memmove(&model[at], &model[at + 1], (model_count - at) * sizeof model[0]);
}

static void check_against_model(void)
{
    size_t i = 0;

    struct hrl_thread **link = &queue.first;

    for (struct hrl_thread *first = queue.first; first != NULL; first = first->wait.lower) {
        struct hrl_thread *thread = first;

        assert_ptr_equal(first->wait.link, link);
        link = &first->wait.lower;
        do {
            assert_true(i < model_count);
            assert_ptr_equal(thread, model[i++]);
            assert_ptr_equal(thread->wait.next->wait.previous, thread);
            assert_ptr_equal(hrli_wait_queue_behind(thread), i < model_count ? model[i] : NULL);
            thread = thread->wait.next;
            assert_true(thread == first || thread->wait.link == NULL);
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
        hrli_wait_queue_remove(&threads[out]);
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
            hrli_wait_queue_remove(thread);
            forget(at);
        } else {
            assert_ptr_equal(hrli_wait_queue_pop(&queue), model[0]);
            forget(0);
        }
        check_against_model();
    }
}

/*
 * Others leave, from the front and from between, while the place is looked for: a search that says
 * it holds, does.
 */
static void leave_at_random(struct random *random)
{
    for (uint32_t n = random_below(random, 3); n != 0 && model_count != 0; n--) {
        size_t at = random_below(random, 2) * random_below(random, (uint32_t)model_count);

        model[at]->wait_status = HRL_OK;
        hrli_wait_queue_remove(model[at]);
        forget(at);
    }
}

static void test_a_search_while_others_leave(void **state)
{
    struct random random = {2};
    unsigned held = 0, did_not = 0;

    (void)state;
    for (unsigned round = 0; round < STEPS / 10; round++) {
        uint32_t level = 1 + random_below(&random, 20);
        struct hrli_wait_queue_place place = {&queue.first, NULL};

        set_up(NULL);
        for (unsigned i = 1; i < 2 + random_below(&random, THREADS - 2); i++) {
            insert(&threads[i], 1 + random_below(&random, 20));
        }
        do {
            leave_at_random(&random);
        } while (hrli_wait_queue_pass(&place, level));
        leave_at_random(&random);
        if (hrli_wait_queue_is_place(&place)) {
            place_in_model(&threads[0], level);
            hrli_wait_queue_insert(place.link, &threads[0]);
            check_against_model();
            held++;
        } else {
            did_not++;
        }
    }
    assert_true(held > 5000 && did_not > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_most_urgent_first_then_first_come, set_up),
        cmocka_unit_test_setup(test_removal_anywhere, set_up),
        cmocka_unit_test_setup(test_a_search_while_others_leave, set_up),
        cmocka_unit_test_setup(test_random_steps_as_a_plain_model, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
