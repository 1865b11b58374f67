/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "delay_queues.h"
#include "queue_calls.h"
#include "with_cmocka.h"
#include <stddef.h>

/*
 * The calls that a queue may leave to their defaults: put and put_off, of every delay queue. The five of the
 * contract are those of tests/conform/queue.
 */
enum { NODES = 3 };

struct calls {
    const char *name;
    void *queue;
    void (*init)(void);
    bool (*put)(void *queue, struct hrli_queue_node *node, hrl_stamp key);
    struct hrli_queue_node *(*first)(void *queue);
    void (*pop)(void *queue, struct hrli_queue_node *first);
    void (*put_off)(void *queue, struct hrli_queue_node *first, hrl_stamp key);
};

#define UNDER_TEST(queue) HRLI_QUEUE_CALLS(queue) HRLI_QUEUE(kept_##queue, queue, NODES, 32u, 8u)
HRLI_DELAY_QUEUES(UNDER_TEST)

#define IN_TABLE(queue)                                                                            \
    {#queue,        &kept_##queue, kept_##queue##_init, queue##_put,                               \
     queue##_first, queue##_pop,   queue##_put_off},
static const struct calls queues[] = {HRLI_DELAY_QUEUES(IN_TABLE)};

static struct hrli_queue_node nodes[NODES];

static bool put(const struct calls *calls, struct hrli_queue_node *node, hrl_stamp key)
{
    node->key = key;
    return calls->put(calls->queue, node, key);
}

/* Empties the queue; the nodes come in the order of `order`, numbers of `nodes`. */
static void check_order(const struct calls *calls, const char *order)
{
    for (; *order != '\0'; order++) {
        struct hrli_queue_node *first = calls->first(calls->queue);

        if (first != &nodes[*order - '0']) {
            fail_msg("%s: not node %c", calls->name, *order);
        }
        calls->pop(calls->queue, first);
    }
    assert_null(calls->first(calls->queue));
}

/* Nodes with keys 10, 20, 30; the first is put off to `key`. */
static void put_off(const struct calls *calls, hrl_stamp key, const char *order)
{
    for (uint32_t from_end = 0; from_end < 2; from_end++) {
        calls->init();
        for (size_t i = 0; i < NODES; i++) {
            nodes[i] = (struct hrli_queue_node){.spare = {from_end}};
            assert_true(put(calls, &nodes[i], 10 * (hrl_stamp)(i + 1)) == (i == 0));
        }
        calls->put_off(calls->queue, &nodes[0], key);
        assert_int_equal(nodes[0].key, key);
        check_order(calls, order);
    }
}

static void test_put_is_insert(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        for (uint32_t from_end = 0; from_end < 2; from_end++) {
            queues[i].init();
            for (size_t k = 0; k < NODES; k++) {
                nodes[k] = (struct hrli_queue_node){.spare = {from_end}};
            }
            assert_true(put(&queues[i], &nodes[0], 20));
            assert_false(put(&queues[i], &nodes[1], 20)); /* an equal is behind */
            assert_true(put(&queues[i], &nodes[2], 10));
            check_order(&queues[i], "201");
        }
    }
}

static void test_put_off_moves_the_first_behind_all_that_are_not_later(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        put_off(&queues[i], 15, "012");
        put_off(&queues[i], 20, "102");
        put_off(&queues[i], 25, "102");
        put_off(&queues[i], 30, "120");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put_is_insert),
        cmocka_unit_test(test_put_off_moves_the_first_behind_all_that_are_not_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
