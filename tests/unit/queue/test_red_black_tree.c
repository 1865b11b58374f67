/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_exercise.h"
#include "red_black_tree.h"
#include "stamp.h"
#include "with_cmocka.h"

/*
 * What is the red-black tree's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static struct hrli_red_black_tree tree;

static const struct hrli_queue_node *parent_of(const struct hrli_queue_node *node)
{
    return (const struct hrli_queue_node *)node->spare[HRLI_RED_BLACK_TREE_PARENT];
}

static bool is_red(const struct hrli_queue_node *node)
{
    return node->spare[HRLI_RED_BLACK_TREE_COLOUR] == HRLI_RED_BLACK_TREE_RED;
}

/* A walk through the tree in its order, by its links up and down only. */
struct walk {
    const struct hrli_queue_node *head;
    const struct hrli_queue_node *before; /* the node passed last */
    int blacks;                           /* on the path to here */
    int blacks_to_missing;                /* on every path to a missing node; -1: not yet known */
    size_t count;
};

static void check_missing(struct walk *walk)
{
    if (walk->blacks_to_missing < 0) {
        walk->blacks_to_missing = walk->blacks;
    }
    assert_int_equal(walk->blacks, walk->blacks_to_missing);
}

/* On the way down to `node`. */
static void check_down(struct walk *walk, const struct hrli_queue_node *node)
{
    assert_true(!is_red(node) || !is_red(parent_of(node)));
    walk->blacks += is_red(node) ? 0 : 1;
    if (node->next == walk->head) {
        check_missing(walk);
    }
}

/* Between the left of `node` and its right. */
static void check_between(struct walk *walk, const struct hrli_queue_node *node)
{
    assert_true(walk->before == walk->head || !hrli_stamp_after(walk->before->key, node->key));
    if (walk->before == walk->head) {
        assert_ptr_equal(tree.first, node);
    }
    walk->before = node;
    walk->count++;
    if (node->previous == walk->head) {
        check_missing(walk);
    }
}

static void check(void *queue, size_t n)
{
    const struct hrli_queue_node *head = &((struct hrli_red_black_tree *)queue)->head;
    struct walk walk = {.head = head, .before = head, .blacks_to_missing = -1};
    const struct hrli_queue_node *from = head;
    const struct hrli_queue_node *node = head->next;

    assert_false(is_red(head));
    assert_false(is_red(node));
    while (node != head) {
        const struct hrli_queue_node *parent = parent_of(node);
        const struct hrli_queue_node *to = parent;

        if (from == parent) {
            check_down(&walk, node);
        }
        if (from == parent && node->next != head) {
            to = node->next;
        } else if (from == parent || from == node->next) {
            check_between(&walk, node);
            to = node->previous != head ? node->previous : parent;
        } else {
            assert_ptr_equal(from, node->previous);
        }
        if (to == parent) {
            walk.blacks -= is_red(node) ? 0 : 1;
        }
        from = node;
        node = to;
    }
    assert_int_equal(walk.count, n);
    assert_true(n != 0 || tree.first == head);
}

static bool insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_red_black_tree_insert(queue, node);
}

static struct hrli_queue_node *first(void *queue)
{
    return hrli_red_black_tree_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *node)
{
    hrli_red_black_tree_pop(queue, node);
}

static void take(void *queue, struct hrli_queue_node *node)
{
    hrli_red_black_tree_remove(queue, node);
}

static void test_it_is_a_red_black_tree_after_every_operation(void **state)
{
    const struct queue_exercise exercise = {&tree, insert, first, pop, take, check};

    (void)state;
    hrli_red_black_tree_init(&tree);
    queue_exercise(&exercise, 40000);
}

/* Without removals in the middle, so that pop meets every case of its own. */
static void test_pops_alone_keep_it_a_red_black_tree(void **state)
{
    const struct queue_exercise exercise = {&tree, insert, first, pop, NULL, check};

    (void)state;
    hrli_red_black_tree_init(&tree);
    queue_exercise(&exercise, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_a_red_black_tree_after_every_operation),
        cmocka_unit_test(test_pops_alone_keep_it_a_red_black_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
