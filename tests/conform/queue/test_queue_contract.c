/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "binary_tree.h"
#include "bucket.h"
#include "calendar.h"
#include "delta_list.h"
#include "queue_adapters.h"
#include "queue_exercise.h"
#include "random.h"
#include "red_black_tree.h"
#include "sorted_list.h"
#include "tree_234.h"
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

enum { NODES = 50, OPERATIONS = 250000, NODES_IN_ORDER = 300 };

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
    for (unsigned moment = 1; moment <= OPERATIONS; moment++) {
        struct model *one = &all[random_below(random, NODES)];

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
        expected = model_first(all, NODES);
        assert_ptr_equal(first(), expected == NULL ? NULL : &expected->node);
    }
    while (first() != NULL) {
        assert_ptr_equal(first(), &model_first(all, NODES)->node);
        model_first(all, NODES)->inserted = 0;
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
        operations->remove(queue, &all[i].node);
        all[i].inserted = moment++;
        (void)insert(&all[i].node, (hrl_stamp)all[i].instant);
    }
    for (unsigned i = 1; i < NODES_IN_ORDER; i += 3) {
        operations->remove(queue, &all[i].node);
        all[i].inserted = 0;
    }
    for (unsigned round = 0; round < 4 * NODES_IN_ORDER; round++) { /* as periodic tasks do */
        struct model *expected = model_first(all, NODES_IN_ORDER);

        assert_ptr_equal(first(), &expected->node);
        operations->pop(queue, &expected->node);
        expected->instant +=
            queue_order_delay(order, round % NODES_IN_ORDER, NODES_IN_ORDER, &random);
        expected->inserted = moment++;
        (void)insert(&expected->node, (hrl_stamp)expected->instant);
    }
    for (struct model *one; (one = model_first(all, NODES_IN_ORDER)) != NULL; one->inserted = 0) {
        assert_ptr_equal(first(), &one->node);
        operations->pop(queue, &one->node);
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

static void delta_list_init(void *list)
{
    hrli_delta_list_init(list);
}

static bool delta_list_insert(void *list, struct hrli_queue_node *node)
{
    return hrli_delta_list_insert(list, node);
}

static struct hrli_queue_node *delta_list_first(void *list)
{
    return hrli_delta_list_first(list);
}

static void delta_list_pop(void *list, struct hrli_queue_node *first_node)
{
    hrli_delta_list_pop(list, first_node);
}

static void delta_list_remove(void *list, struct hrli_queue_node *node)
{
    (void)list;
    hrli_delta_list_remove(node);
}

static void bucket_init(void *bucket)
{
    hrli_bucket_init(bucket);
}

static bool bucket_insert(void *bucket, struct hrli_queue_node *node)
{
    return hrli_bucket_insert(bucket, node);
}

static struct hrli_queue_node *bucket_first(void *bucket)
{
    return hrli_bucket_first(bucket);
}

static void bucket_remove(void *bucket, struct hrli_queue_node *node)
{
    hrli_bucket_remove(bucket, node);
}

static void binary_tree_init(void *tree)
{
    hrli_binary_tree_init(tree);
}

static bool binary_tree_insert(void *tree, struct hrli_queue_node *node)
{
    return hrli_binary_tree_insert(tree, node);
}

static struct hrli_queue_node *binary_tree_first(void *tree)
{
    return hrli_binary_tree_first(tree);
}

static void binary_tree_pop(void *tree, struct hrli_queue_node *first_node)
{
    hrli_binary_tree_pop(tree, first_node);
}

static void binary_tree_remove(void *tree, struct hrli_queue_node *node)
{
    (void)tree;
    hrli_binary_tree_remove(node);
}

static void red_black_tree_init(void *tree)
{
    hrli_red_black_tree_init(tree);
}

static bool red_black_tree_insert(void *tree, struct hrli_queue_node *node)
{
    return hrli_red_black_tree_insert(tree, node);
}

static struct hrli_queue_node *red_black_tree_first(void *tree)
{
    return hrli_red_black_tree_first(tree);
}

static void red_black_tree_pop(void *tree, struct hrli_queue_node *first_node)
{
    hrli_red_black_tree_pop(tree, first_node);
}

static void red_black_tree_remove(void *tree, struct hrli_queue_node *node)
{
    hrli_red_black_tree_remove(tree, node);
}

/* A queue with its storage, which ends where the memory does. */
struct tree_234_and_nodes {
    struct hrli_tree_234 tree;
    struct hrli_tree_234_node nodes[HRLI_TREE_234_NODES(NODES_IN_ORDER)];
};

static void tree_234_init(void *both)
{
    struct tree_234_and_nodes *storage = both;
    hrli_tree_234_init(&storage->tree, storage->nodes, NODES_IN_ORDER);
}

static bool tree_234_insert(void *tree, struct hrli_queue_node *item)
{
    return hrli_tree_234_insert(tree, item);
}

static struct hrli_queue_node *tree_234_first(void *tree)
{
    return hrli_tree_234_first(tree);
}

static void tree_234_pop(void *tree, struct hrli_queue_node *first_item)
{
    hrli_tree_234_pop(tree, first_item);
}

static void tree_234_remove(void *tree, struct hrli_queue_node *item)
{
    hrli_tree_234_remove(tree, item);
}

/* Few and short slots: most keys are far, and slots come round again. */
struct calendar_and_slots {
    struct hrli_calendar calendar;
    struct hrli_queue_node *slots[64];
    uint32_t occupied[HRLI_CALENDAR_WORDS(64)];
};

static void calendar_init(void *both)
{
    struct calendar_and_slots *storage = both;
    hrli_calendar_init(&storage->calendar, storage->slots, storage->occupied, 64, 5);
}

static void wide_calendar_init(void *both)
{
    struct calendar_and_slots *storage = both;
    hrli_calendar_init(&storage->calendar, storage->slots, storage->occupied, 32, 24);
}

static bool calendar_insert(void *calendar, struct hrli_queue_node *node)
{
    return hrli_calendar_insert(calendar, node);
}

static struct hrli_queue_node *calendar_first(void *calendar)
{
    return hrli_calendar_first(calendar);
}

static void calendar_pop(void *calendar, struct hrli_queue_node *first_node)
{
    hrli_calendar_pop(calendar, first_node);
}

static void calendar_remove(void *calendar, struct hrli_queue_node *node)
{
    hrli_calendar_remove(calendar, node);
}

static struct queue_operations queues[] = {
    {"calendar", sizeof(struct calendar_and_slots), calendar_init, calendar_insert, calendar_first,
     calendar_pop, calendar_remove},
    {"calendar, wide", sizeof(struct calendar_and_slots), wide_calendar_init, calendar_insert,
     calendar_first, calendar_pop, calendar_remove},
    {"sorted_list", sizeof(struct hrli_sorted_list), sorted_list_init, sorted_list_insert,
     sorted_list_first, sorted_list_remove, sorted_list_remove},
    {"delta_list", sizeof(struct hrli_delta_list), delta_list_init, delta_list_insert,
     delta_list_first, delta_list_pop, delta_list_remove},
    {"bucket", sizeof(struct hrli_bucket), bucket_init, bucket_insert, bucket_first, bucket_remove,
     bucket_remove},
    {"binary_tree", sizeof(struct hrli_binary_tree), binary_tree_init, binary_tree_insert,
     binary_tree_first, binary_tree_pop, binary_tree_remove},
    {"red_black_tree", sizeof(struct hrli_red_black_tree), red_black_tree_init,
     red_black_tree_insert, red_black_tree_first, red_black_tree_pop, red_black_tree_remove},
    {"tree_234", sizeof(struct tree_234_and_nodes), tree_234_init, tree_234_insert, tree_234_first,
     tree_234_pop, tree_234_remove},
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
            CONTRACT_TEST(test_adversarial_orders),
        };
        failed += cmocka_run_group_tests_name(queues[i].name, tests, NULL, NULL);
    }
    return failed;
}
