/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_exercise.h"
#include "queues_under_test.h"
#include "random.h"
#include "with_cmocka.h"
#include <stdio.h>
#include <string.h>

/*
 * One suite over every delay queue: the contract in kernel/queue/README.md. The queues are those of
 * support/queues_under_test.h.
 */
static const struct queue_under_test *test;
static void *queue;

static struct hrli_queue_node *first(void)
{
    return test->calls->first(queue);
}

/* By turns: insert, and put from either end of a list that can. */
static bool insert(struct hrli_queue_node *node, hrl_stamp key)
{
    static unsigned turn;

    node->key = key;
    node->spare[0] = turn & 1;
    return turn++ % 4 < 2 ? test->calls->insert(queue, node) : test->calls->put(queue, node, key);
}

static int set_up(void **state)
{
    test = *state;
    queue = queue_under_test_init(test);
    return 0;
}

static void test_empty(void **state)
{
    struct hrli_queue_node node;

    (void)state;
    assert_null(first());
    assert_true(insert(&node, 5));
    assert_ptr_equal(first(), &node);
    test->calls->pop(queue, &node);
    assert_null(first());
    assert_true(insert(&node, 4)); /* the queue is as new */
    test->calls->remove(queue, &node);
    assert_null(first());
}

static void test_insert_says_whether_the_node_is_first(void **state)
{
    struct hrli_queue_node a, b, c, d;

    (void)state;
    assert_true(insert(&a, 100));
    assert_false(insert(&b, 200));
    assert_false(insert(&c, 100)); /* an equal is behind */
    assert_true(insert(&d, 50));
    assert_ptr_equal(first(), &d);
}

static void test_equal_keys_are_first_come_first_out(void **state)
{
    struct hrli_queue_node nodes[40];

    (void)state;
    for (int i = 0; i < 40; i++) {
        (void)insert(&nodes[i], i % 2 == 0 ? 7 : 9);
    }
    for (int key = 0; key < 2; key++) {
        for (int i = key; i < 40; i += 2) {
            assert_ptr_equal(first(), &nodes[i]);
            test->calls->pop(queue, first());
        }
    }
}

static void test_keys_wrap(void **state)
{
    struct hrli_queue_node a, b, c;

    (void)state;
    (void)insert(&a, 3);
    assert_true(insert(&b, UINT32_MAX - 3));
    assert_false(insert(&c, 0));
    assert_ptr_equal(first(), &b);
    test->calls->pop(queue, &b);
    assert_ptr_equal(first(), &c);
    test->calls->pop(queue, &c);
    assert_ptr_equal(first(), &a);
}

static void test_removal_at_every_place(void **state)
{
    (void)state;
    for (int victim = 0; victim < 9; victim++) {
        struct hrli_queue_node nodes[9];

        for (int i = 0; i < 9; i++) {
            (void)insert(&nodes[i], (hrl_stamp)(i * 5 % 9)); /* all of 0..8, mixed up */
        }
        test->calls->remove(queue, &nodes[victim]);
        for (hrl_stamp key = 0; key < 9; key++) {
            if (key != nodes[victim].key) {
                assert_int_equal(first()->key, key);
                test->calls->pop(queue, first());
            }
        }
        assert_null(first());
    }
}

enum { NODES = 50, SPREADS = 4, NODES_IN_ORDER = 300 };

static unsigned operations_each = 1000000 / SPREADS; /* of random ones, for each spread of keys */

struct model {
    struct hrli_queue_node node;
    uint64_t instant;
    unsigned inserted; /* when; 0: not in */
};

/* The plain model's answer: least instant, then least moment of insertion. */
static struct model *model_first(struct model *all, unsigned n)
{
    struct model *best = NULL;

    for (unsigned i = 0; i < n; i++) {
        if (all[i].inserted != 0 &&
            (best == NULL || all[i].instant < best->instant ||
             (all[i].instant == best->instant && all[i].inserted < best->inserted))) {
            best = &all[i];
        }
    }
    return best;
}

static void run_randomly(struct random *random, uint32_t spread, uint64_t start)
{
    static struct model all[NODES];
    struct model *expected = NULL;
    uint64_t now = start;

    for (int i = 0; i < NODES; i++) {
        all[i].inserted = 0;
    }
    for (unsigned moment = 1; moment <= operations_each; moment++) {
        struct model *one = &all[random_below(random, NODES)];

        if (one->inserted == 0) {
            one->instant = now + random_below(random, spread);
            one->inserted = moment;
            assert_int_equal(insert(&one->node, (hrl_stamp)one->instant),
                             expected == NULL || one->instant < expected->instant);
        } else if (random_below(random, 2) == 0) {
            test->calls->remove(queue, &one->node);
            one->inserted = 0;
        } else {
            test->calls->pop(queue, first());
            expected->inserted = 0;
            now = expected->instant; /* time goes on, and round the wrap */
        }
        expected = model_first(all, NODES);
        assert_ptr_equal(first(), expected == NULL ? NULL : &expected->node);
    }
    while (first() != NULL) {
        assert_ptr_equal(first(), &model_first(all, NODES)->node);
        model_first(all, NODES)->inserted = 0;
        test->calls->pop(queue, first());
    }
}

static void test_random_operations(void **state)
{
    struct random random = {5};

    (void)state;
    run_randomly(&random, 1, 0);                          /* all equal */
    run_randomly(&random, 8, UINT32_MAX - 100u);          /* many equal, over a wrap */
    run_randomly(&random, 1000000, UINT32_MAX - 100000u); /* few equal */
    run_randomly(&random, 0x7FFFFFFF, 12345);             /* the whole horizon, many wraps */
}

/* Puts all in, in an order, every third while others leave; they come out by instant, then as they came. */
static void run_in_order(enum queue_order order)
{
    static struct model all[NODES_IN_ORDER];
    static struct random random = {9};
    const uint64_t start = UINT32_MAX - 5000u;
    unsigned moment = 1;

    for (unsigned i = 0; i < NODES_IN_ORDER; i++) {
        all[i].instant = start + queue_order_delay(order, i, NODES_IN_ORDER, &random);
        all[i].inserted = moment++;
        (void)insert(&all[i].node, (hrl_stamp)all[i].instant);
    }
    for (unsigned i = 0; i < NODES_IN_ORDER; i += 3) { /* back in, so it is the youngest */
        test->calls->remove(queue, &all[i].node);
        all[i].inserted = moment++;
        (void)insert(&all[i].node, (hrl_stamp)all[i].instant);
    }
    for (unsigned i = 1; i < NODES_IN_ORDER; i += 3) {
        test->calls->remove(queue, &all[i].node);
        all[i].inserted = 0;
    }
    for (unsigned round = 0; round < 4 * NODES_IN_ORDER; round++) { /* as periodic tasks do */
        struct model *expected = model_first(all, NODES_IN_ORDER);

        assert_ptr_equal(first(), &expected->node);
        test->calls->pop(queue, &expected->node);
        expected->instant +=
            queue_order_delay(order, round % NODES_IN_ORDER, NODES_IN_ORDER, &random);
        expected->inserted = moment++;
        (void)insert(&expected->node, (hrl_stamp)expected->instant);
    }
    for (struct model *one; (one = model_first(all, NODES_IN_ORDER)) != NULL; one->inserted = 0) {
        assert_ptr_equal(first(), &one->node);
        test->calls->pop(queue, &one->node);
    }
    assert_null(first());
}

static void test_adversarial_orders(void **state)
{
    (void)state;
    for (int order = 0; order < ORDERS; order++) {
        run_in_order((enum queue_order)order);
    }
}

static struct queue_under_test queues[] = QUEUE_TABLE;

#define CONTRACT_TEST(test)                                                                        \
    {                                                                                              \
#test, test, set_up, NULL, &queues[i]                                                      \
    }

/* Arguments: `soak` for 10^8 random operations each; the queue's name, for that one only. */
int main(int argc, char **argv)
{
    int failed = 0;
    const char *only = argc > 2 ? argv[2] : NULL;

    if (argc > 1 && strcmp(argv[1], "soak") == 0) {
        operations_each *= 100;
    }
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        const struct CMUnitTest tests[] = {
            CONTRACT_TEST(test_empty),
            CONTRACT_TEST(test_insert_says_whether_the_node_is_first),
            CONTRACT_TEST(test_equal_keys_are_first_come_first_out),
            CONTRACT_TEST(test_keys_wrap),
            CONTRACT_TEST(test_removal_at_every_place),
            CONTRACT_TEST(test_random_operations),
            CONTRACT_TEST(test_adversarial_orders),
        };
        if (only == NULL || strcmp(only, queues[i].name) == 0) {
            failed += cmocka_run_group_tests_name(queues[i].name, tests, NULL, NULL);
            printf("%s: %u random operations\n", queues[i].name, SPREADS * operations_each);
        }
    }
    return failed;
}
