/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_exercise.h"
#include "stamp.h"
#include "tree_234.h"
#include "with_cmocka.h"
#include <stdlib.h>

/*
 * What is the 2-3-4 tree's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static struct hrli_tree_234 tree;
static struct hrli_tree_234_node *nodes;
static size_t capacity;

static int set_up(void **state)
{
    capacity = QUEUE_EXERCISE_NODES;
    /* No more than the formula says: ASan watches. */
    nodes = malloc(HRLI_TREE_234_NODES(capacity) * sizeof *nodes);
    assert_non_null(nodes);
    hrli_tree_234_init(&tree, nodes, capacity);
    (void)state;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(nodes);
    return 0;
}

static bool is_leaf(const struct hrli_tree_234_node *node)
{
    return node->children[0] == NULL;
}

static size_t unused(void)
{
    size_t count = 0;

    for (const struct hrli_tree_234_node *node = tree.unused; node != NULL; node = node->parent) {
        count++;
    }
    return count;
}

/* Which item follows behind child `node` of its parent? */
static unsigned index_in_parent(const struct hrli_tree_234_node *node)
{
    unsigned i = 0;

    while (node->parent->children[i] != node) {
        i++;
        assert_true(i <= node->parent->count);
    }
    return i;
}

/* A walk through the tree in its order. */
struct walk {
    const struct hrli_queue_node *before; /* the item passed last, or NULL */
    size_t items;
    size_t nodes;
};

static void pass(struct walk *walk, const struct hrli_tree_234_node *node, unsigned i)
{
    const struct hrli_queue_node *item = node->items[i];

    assert_ptr_equal((struct hrli_tree_234_node *)item->spare[HRLI_TREE_234_HOME], node);
    assert_true(walk->before == NULL || !hrli_stamp_after(walk->before->key, item->key));
    walk->before = item;
    walk->items++;
}

/* From `node` down its first children to a leaf; returns it. */
static const struct hrli_tree_234_node *down(struct walk *walk,
                                             const struct hrli_tree_234_node *node, int *depth)
{
    for (;; node = node->children[0], ++*depth) {
        walk->nodes++;
        assert_in_range(node->count, node == tree.root ? 0 : 1, HRLI_TREE_234_ITEMS);
        if (is_leaf(node)) {
            return node;
        }
        for (unsigned i = 0; i <= node->count; i++) {
            assert_ptr_equal(node->children[i]->parent, node);
        }
    }
}

/* All leaves are at one depth, all items in order and at home, all tree nodes in use or not, once. */
static void check(void *queue, size_t n)
{
    struct walk walk = {0};
    int depth = 0;
    const struct hrli_tree_234_node *leaf = down(&walk, tree.root, &depth);
    int leaf_depth = depth;

    (void)queue;
    assert_null(tree.root->parent);
    assert_ptr_equal(tree.leftmost, leaf);
    while (leaf != NULL) {
        const struct hrli_tree_234_node *node = leaf;

        assert_int_equal(depth, leaf_depth);
        for (unsigned i = 0; i < leaf->count; i++) {
            pass(&walk, leaf, i);
        }
        leaf = NULL;
        while (leaf == NULL && node != tree.root) { /* up to the next item, and down behind it */
            unsigned i = index_in_parent(node);
            node = node->parent;
            depth--;
            if (i < node->count) {
                pass(&walk, node, i);
                depth++;
                leaf = down(&walk, node->children[i + 1], &depth);
            }
        }
    }
    assert_int_equal(walk.items, n);
    assert_int_equal(walk.nodes + unused(), HRLI_TREE_234_NODES(capacity));
}

static bool insert(void *queue, struct hrli_queue_node *item)
{
    return hrli_tree_234_insert(queue, item);
}

static struct hrli_queue_node *first(void *queue)
{
    return hrli_tree_234_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *item)
{
    hrli_tree_234_pop(queue, item);
}

static void take(void *queue, struct hrli_queue_node *item)
{
    hrli_tree_234_remove(queue, item);
}

static void test_it_is_a_234_tree_after_every_operation(void **state)
{
    const struct queue_exercise exercise = {&tree, insert, first, pop, take, check};

    (void)state;
    queue_exercise(&exercise, 40000);
}

static void test_pops_alone_keep_it_a_234_tree(void **state)
{
    const struct queue_exercise exercise = {&tree, insert, first, pop, NULL, check};

    (void)state;
    queue_exercise(&exercise, 10000);
}

/* There may be a tree node for each item, so that there must be as many. */
static void test_as_many_tree_nodes_as_items(void **state)
{
    struct hrli_queue_node items[4];

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        items[i].key = i;
        (void)hrli_tree_234_insert(&tree, &items[i]);
    }
    hrli_tree_234_remove(&tree, &items[3]);
    check(&tree, 3);
    assert_int_equal(unused(), HRLI_TREE_234_NODES(capacity) - 3);
}

static void test_capacities_of_none_and_one(void **state)
{
    struct hrli_queue_node item = {.key = 1};

    (void)state;
    for (capacity = 0; capacity < 2; capacity++) {
        hrli_tree_234_init(&tree, nodes, capacity);
        assert_null(hrli_tree_234_first(&tree));
        assert_int_equal(unused(), 0);
    }
    capacity = 1;
    assert_true(hrli_tree_234_insert(&tree, &item));
    assert_ptr_equal(hrli_tree_234_first(&tree), &item);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_it_is_a_234_tree_after_every_operation),
        TEST(test_pops_alone_keep_it_a_234_tree),
        TEST(test_as_many_tree_nodes_as_items),
        TEST(test_capacities_of_none_and_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
