/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "binary_tree.h"
#include "queue_exercise.h"
#include "stamp.h"
#include "with_cmocka.h"

/*
 * What is the binary tree's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static struct hrli_binary_tree tree;

static struct hrli_queue_node *get(const struct hrli_queue_node *node, int which)
{
    return (struct hrli_queue_node *)node->spare[which];
}

/*
 * Goes through the tree in its order, by its links up and down only, and compares with the chain. Each node
 * is where its parent says, none is earlier than the one before.
 */
static void check(void *queue, size_t n)
{
    const struct hrli_queue_node *head = &((struct hrli_binary_tree *)queue)->head;
    const struct hrli_queue_node *chain = head;
    const struct hrli_queue_node *from = head;
    const struct hrli_queue_node *node = get(head, HRLI_BINARY_TREE_LEFT);
    size_t count = 0;

    while (node != NULL && node != head) {
        const struct hrli_queue_node *left = get(node, HRLI_BINARY_TREE_LEFT);
        const struct hrli_queue_node *right = get(node, HRLI_BINARY_TREE_RIGHT);
        const struct hrli_queue_node *parent = get(node, HRLI_BINARY_TREE_PARENT);
        const struct hrli_queue_node *to = parent;

        if (from == parent && left != NULL) {
            to = left;
        } else if (from == parent || from == left) { /* everything on the left has been seen */
            assert_ptr_equal(chain->next, node);
            assert_ptr_equal(node->previous, chain);
            assert_true(chain == head || !hrli_stamp_after(chain->key, node->key));
            chain = node;
            count++;
            to = right != NULL ? right : parent;
        } else {
            assert_ptr_equal(from, right);
        }
        from = node;
        node = to;
    }
    assert_ptr_equal(chain->next, head);
    assert_ptr_equal(head->previous, chain);
    assert_int_equal(count, n);
}

static bool insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_binary_tree_insert(queue, node);
}

static struct hrli_queue_node *first(void *queue)
{
    return hrli_binary_tree_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *node)
{
    hrli_binary_tree_pop(queue, node);
}

static void take(void *queue, struct hrli_queue_node *node)
{
    hrli_binary_tree_remove(queue, node);
}

static void test_tree_and_chain_agree_after_every_operation(void **state)
{
    const struct queue_exercise exercise = {&tree, insert, first, pop, take, check};

    (void)state;
    hrli_binary_tree_init(&tree);
    queue_exercise(&exercise, 40000);
}

/* A successor right below and one further down take the place of what is removed. */
static void test_removal_with_two_children(void **state)
{
    static const hrl_stamp keys[] = {40, 20, 60, 10, 30, 50, 70, 45, 55};
    struct hrli_queue_node nodes[9];

    (void)state;
    hrli_binary_tree_init(&tree);
    for (int i = 0; i < 9; i++) {
        nodes[i].key = keys[i];
        (void)hrli_binary_tree_insert(&tree, &nodes[i]);
    }
    hrli_binary_tree_remove(&tree, &nodes[0]); /* 40: 45 comes up */
    check(&tree, 8);
    assert_ptr_equal(get(&tree.head, HRLI_BINARY_TREE_LEFT), &nodes[7]);
    hrli_binary_tree_remove(&tree, &nodes[1]); /* 20: 30 comes up */
    check(&tree, 7);
    assert_ptr_equal(get(&nodes[7], HRLI_BINARY_TREE_LEFT), &nodes[4]);
    assert_ptr_equal(get(&nodes[4], HRLI_BINARY_TREE_LEFT), &nodes[3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_and_chain_agree_after_every_operation),
        cmocka_unit_test(test_removal_with_two_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
