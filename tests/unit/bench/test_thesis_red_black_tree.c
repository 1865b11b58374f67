/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_exercise.h"
#include "stamp.h"
#include "thesis_red_black_tree.h"
#include "with_cmocka.h"

/*
 * The thesis' remove-minimum-only tree gives back its nodes in order; it does not stay a red-black tree.
 */
static struct bench_thesis_red_black_tree tree;

/* Goes through the tree in its order, by its links up and down only. */
static void check(void *queue, size_t n)
{
    const struct hrli_queue_node *before = NULL;
    const struct hrli_queue_node *from = NULL;
    const struct hrli_queue_node *node = tree.root;
    size_t count = 0;

    (void)queue;
    while (node != NULL) {
        const struct hrli_queue_node *parent =
            (const struct hrli_queue_node *)node->spare[BENCH_THESIS_RED_BLACK_TREE_PARENT];
        const struct hrli_queue_node *to = parent;

        if (from == parent && node->next != NULL) {
            to = node->next;
        } else if (from == parent || from == node->next) {
            assert_true(before == NULL || !hrli_stamp_after(before->key, node->key));
            before = node;
            count++;
            to = node->previous != NULL ? node->previous : parent;
        }
        from = node;
        node = to;
    }
    assert_int_equal(count, n);
}

static bool insert(void *queue, struct hrli_queue_node *node)
{
    return bench_thesis_red_black_tree_insert(queue, node);
}

static struct hrli_queue_node *first(void *queue)
{
    return bench_thesis_red_black_tree_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *node)
{
    (void)node;
    bench_thesis_red_black_tree_pop(queue);
}

static void test_order_holds_after_every_operation(void **state)
{
    const struct queue_exercise exercise = {&tree, insert, first, pop, NULL, check};

    (void)state;
    bench_thesis_red_black_tree_init(&tree);
    queue_exercise(&exercise, 20000);
}

static void test_equals_are_first_come_first_out(void **state)
{
    struct hrli_queue_node nodes[40];

    (void)state;
    bench_thesis_red_black_tree_init(&tree);
    for (int i = 0; i < 40; i++) {
        nodes[i].key = i % 2 == 0 ? 7 : 9;
        (void)insert(&tree, &nodes[i]);
    }
    for (int key = 0; key < 2; key++) {
        for (int i = key; i < 40; i += 2) {
            assert_ptr_equal(first(&tree), &nodes[i]);
            pop(&tree, &nodes[i]);
        }
    }
}

/* Black nodes from the root down the left, or the right, side. */
static unsigned blacks(bool left)
{
    unsigned count = 0;

    for (const struct hrli_queue_node *node = tree.root; node != NULL;
         node = left ? node->next : node->previous) {
        count +=
            node->spare[BENCH_THESIS_RED_BLACK_TREE_COLOUR] == BENCH_THESIS_RED_BLACK_TREE_BLACK;
    }
    return count;
}

static void test_one_removal_makes_paths_of_different_blacks(void **state)
{
    struct hrli_queue_node nodes[100];

    (void)state;
    bench_thesis_red_black_tree_init(&tree);
    for (unsigned i = 0; i < 100; i++) {
        nodes[i].key = i;
        (void)insert(&tree, &nodes[i]);
    }
    assert_int_equal(blacks(true), blacks(false));
    pop(&tree, first(&tree));
    assert_int_equal(blacks(true) + 1, blacks(false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_holds_after_every_operation),
        cmocka_unit_test(test_equals_are_first_come_first_out),
        cmocka_unit_test(test_one_removal_makes_paths_of_different_blacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
