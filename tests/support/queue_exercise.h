/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_QUEUE_EXERCISE_H
#define SUPPORT_QUEUE_EXERCISE_H

#include "queue_node.h"
#include "random.h"
#include "with_cmocka.h"
#include <stdbool.h>

/*
 * Operations on a delay queue in many orders, with the unit test's look at the structure after
 * each. That the queue keeps its contract is for tests/conform/queue; here only its count and its
 * order are looked at.
 */
struct queue_exercise {
    void *queue;
    bool (*insert)(void *queue, struct hrli_queue_node *node);
    struct hrli_queue_node *(*first)(void *queue);
    void (*pop)(void *queue, struct hrli_queue_node *first);
    void (*remove)(void *queue, struct hrli_queue_node *node); /* NULL: cannot */
    /* Asserts that the structure is whole and holds `n` nodes. */
    void (*check)(void *queue, size_t n);
};

enum { QUEUE_EXERCISE_NODES = 70 };

/* How keys follow one another. */
enum queue_order {
    ORDER_ASCENDING,
    ORDER_DESCENDING,
    ORDER_EQUAL,
    ORDER_EXTREMES, /* the nearest, the furthest, ... */
    ORDER_ONE_SLOT, /* all distinct, within a millisecond or so */
    ORDER_RANDOM,   /* some equal */
    ORDERS
};

/* The `i`-th delay of `n` in an order: below 2^31 - 1. */
static inline uint32_t queue_order_delay(enum queue_order order, uint32_t i, uint32_t n,
                                         struct random *random)
{
    switch (order) {
    case ORDER_ASCENDING:
        return i * 1000u;
    case ORDER_DESCENDING:
        return (n - i) * 1000u;
    case ORDER_EQUAL:
        return 500;
    case ORDER_EXTREMES:
        return i % 2 == 0 ? i : INT32_MAX - 1u - i;
    case ORDER_ONE_SLOT:
        return i * 37u % 8191u; /* prime: distinct for 8,191 in a row */
    default:
        return random_below(random, n);
    }
}

struct queue_exercise_state {
    struct hrli_queue_node nodes[QUEUE_EXERCISE_NODES];
    bool in[QUEUE_EXERCISE_NODES];
    size_t n;
    uint32_t now; /* the key popped last */
};

static inline void queue_exercise_out(struct queue_exercise_state *state,
                                      const struct hrli_queue_node *node)
{
    state->in[node - state->nodes] = false;
    state->n--;
}

/* Takes one out: the first, or any if the queue can. Returns whether there was one. */
static inline bool queue_exercise_take(const struct queue_exercise *exercise,
                                       struct queue_exercise_state *state, struct random *random)
{
    struct hrli_queue_node *first = exercise->first(exercise->queue);
    uint32_t any = random_below(random, QUEUE_EXERCISE_NODES);

    assert_true((first == NULL) == (state->n == 0));
    if (first == NULL) {
        return false;
    }
    if (exercise->remove != NULL && state->in[any] && random_below(random, 2) == 0) {
        exercise->remove(exercise->queue, &state->nodes[any]);
        queue_exercise_out(state, &state->nodes[any]);
    } else {
        exercise->pop(exercise->queue, first);
        queue_exercise_out(state, first);
        assert_true((int32_t)(first->key - state->now) >= 0);
        state->now = first->key;
    }
    return true;
}

/* Fills and empties the queue again and again, not always wholly. */
static inline void queue_exercise_order(const struct queue_exercise *exercise,
                                        enum queue_order order, unsigned operations)
{
    static struct queue_exercise_state state;
    struct random random = {(uint64_t)order + 3u};
    uint32_t inserted = 0;

    state = (struct queue_exercise_state){.now = UINT32_MAX - 20000u};
    for (unsigned done = 0; done < operations;) {
        uint32_t puts = random_below(&random, QUEUE_EXERCISE_NODES);
        uint32_t takes = random_below(&random, QUEUE_EXERCISE_NODES);

        for (uint32_t i = 0; i < puts; i++, inserted++) {
            uint32_t one = inserted % QUEUE_EXERCISE_NODES;
            if (!state.in[one]) {
                struct hrli_queue_node *node = &state.nodes[one];
                bool is_first;
                node->key = state.now + queue_order_delay(order, i, QUEUE_EXERCISE_NODES, &random);
                state.in[one] = true;
                state.n++;
                is_first = exercise->insert(exercise->queue, node);
                assert_int_equal(is_first, exercise->first(exercise->queue) == node);
                exercise->check(exercise->queue, state.n);
                done++;
            }
        }
        for (uint32_t i = 0; i < takes && queue_exercise_take(exercise, &state, &random); i++) {
            exercise->check(exercise->queue, state.n);
            done++;
        }
    }
    while (queue_exercise_take(exercise, &state, &random)) {
        exercise->check(exercise->queue, state.n);
    }
}

/* All orders, `operations` of each. */
static inline void queue_exercise(const struct queue_exercise *exercise, unsigned operations)
{
    for (int order = 0; order < ORDERS; order++) {
        queue_exercise_order(exercise, (enum queue_order)order, operations);
    }
}

#endif
