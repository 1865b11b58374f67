/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_adapters.h"
#include "random.h"
#include "sorted_list.h"
#include "with_cmocka.h"
#include <stdlib.h>

/*
 * One suite over every delay queue: the contract in kernel/queue/README.md. A new queue adds a line to
 * `queues` at the end.
 */
struct queue_operations {
    const char *name;
    size_t bytes;
    void (*init)(void *queue);
    bool (*insert)(void *queue, struct hrli_queue_node *node);
    struct hrli_queue_node *(*first)(void *queue);
    void (*pop)(void *queue, struct hrli_queue_node *first);
    void (*remove)(void *queue, struct hrli_queue_node *node);
};

static const struct queue_operations *operations;
static void *queue;

static struct hrli_queue_node *first(void)
{
    return operations->first(queue);
}

static bool insert(struct hrli_queue_node *node, hrl_stamp key)
{
    node->key = key;
    return operations->insert(queue, node);
}

static int set_up(void **state)
{
    operations = *state;
    queue = malloc(operations->bytes); /* no more than it says: ASan watches */
    assert_non_null(queue);
    operations->init(queue);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(queue);
    return 0;
}

static void test_empty(void **state)
{
    struct hrli_queue_node node;

    (void)state;
    assert_null(first());
    assert_true(insert(&node, 5));
    assert_ptr_equal(first(), &node);
    operations->pop(queue, &node);
    assert_null(first());
    assert_true(insert(&node, 4)); /* the queue is as new */
    operations->remove(queue, &node);
    assert_null(first());
}

static void test_insert_says_who_is_first(void **state)
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
            operations->pop(queue, first());
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
    operations->pop(queue, &b);
    assert_ptr_equal(first(), &c);
    operations->pop(queue, &c);
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
        operations->remove(queue, &nodes[victim]);
        for (hrl_stamp key = 0; key < 9; key++) {
            if (key != nodes[victim].key) {
                assert_int_equal(first()->key, key);
                operations->pop(queue, first());
            }
        }
        assert_null(first());
    }
}

enum { NODES = 50, OPERATIONS = 60000 };

struct model {
    struct hrli_queue_node node;
    uint64_t instant;
    unsigned inserted; /* when; 0: not in */
};

/* The plain model's answer: least instant, then least moment of insertion. */
static struct model *model_first(struct model *all)
{
    struct model *best = NULL;

    for (int i = 0; i < NODES; i++) {
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
    uint64_t now = start;

    for (int i = 0; i < NODES; i++) {
        all[i].inserted = 0;
    }
    for (unsigned moment = 1; moment < OPERATIONS; moment++) {
        struct model *one = &all[random_below(random, NODES)];
        struct model *expected = model_first(all);

        if (one->inserted == 0) {
            one->instant = now + random_below(random, spread);
            one->inserted = moment;
            assert_int_equal(insert(&one->node, (hrl_stamp)one->instant),
                             expected == NULL || one->instant < expected->instant);
        } else if (random_below(random, 2) == 0) {
            operations->remove(queue, &one->node);
            one->inserted = 0;
        } else {
            operations->pop(queue, first());
            expected->inserted = 0;
            now = expected->instant; /* time goes on, and round the wrap */
        }
        expected = model_first(all);
        assert_ptr_equal(first(), expected == NULL ? NULL : &expected->node);
    }
    while (first() != NULL) {
        assert_ptr_equal(first(), &model_first(all)->node);
        model_first(all)->inserted = 0;
        operations->pop(queue, first());
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

static void sorted_list_init(void *list)
{
    hrli_sorted_list_init(list);
}

static bool sorted_list_insert(void *list, struct hrli_queue_node *node)
{
    return hrli_sorted_list_insert(list, node);
}

static struct hrli_queue_node *sorted_list_first(void *list)
{
    return hrli_sorted_list_first(list);
}

static void sorted_list_remove(void *list, struct hrli_queue_node *node)
{
    (void)list;
    hrli_sorted_list_remove(node);
}

static struct queue_operations queues[] = {
    {"sorted_list", sizeof(struct hrli_sorted_list), sorted_list_init, sorted_list_insert,
     sorted_list_first, sorted_list_remove, sorted_list_remove},
    {"array_heap", sizeof(struct array_heap_with_storage), array_heap_init, array_heap_insert,
     array_heap_first, array_heap_pop, array_heap_remove},
    {"pairing_heap", sizeof(struct hrli_pairing_heap), pairing_heap_init, pairing_heap_insert,
     pairing_heap_first, pairing_heap_pop, pairing_heap_remove},
    {"timing_wheel", sizeof(struct timing_wheel_with_storage), timing_wheel_init,
     timing_wheel_insert, timing_wheel_first, timing_wheel_pop, timing_wheel_remove},
    {"hashed_wheel", sizeof(struct hashed_wheel_with_storage), hashed_wheel_init,
     hashed_wheel_insert, hashed_wheel_first, hashed_wheel_pop, hashed_wheel_remove},
    {"hierarchical_wheel", sizeof(struct hierarchical_wheel_with_storage), hierarchical_wheel_init,
     hierarchical_wheel_insert, hierarchical_wheel_first, hierarchical_wheel_pop,
     hierarchical_wheel_remove},
};

#define CONTRACT_TEST(test)                                                                        \
    {                                                                                              \
#test, test, set_up, tear_down, &queues[i]                                                 \
    }

int main(void)
{
    int failed = 0;

    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        const struct CMUnitTest tests[] = {
            CONTRACT_TEST(test_empty),
            CONTRACT_TEST(test_insert_says_who_is_first),
            CONTRACT_TEST(test_equal_keys_are_first_come_first_out),
            CONTRACT_TEST(test_keys_wrap),
            CONTRACT_TEST(test_removal_at_every_place),
            CONTRACT_TEST(test_random_operations),
        };
        failed += cmocka_run_group_tests_name(queues[i].name, tests, NULL, NULL);
    }
    return failed;
}
