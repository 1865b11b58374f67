/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "ready_queue.h"
#include "with_cmocka.h"
#include <string.h>

/* In builds with HRL_RELEASE_MASKS only. */

enum { NODES = 60, MASKED = 45, TOP = HRL_PRIORITIES - 1 };

static struct hrli_ready_queue set;
static struct hrli_ready_node nodes[NODES];
static struct hrli_ready_node *by_bit[HRL_PRIORITIES][32];

static void empty(void)
{
    memset(&set, 0, sizeof set);
    memset(nodes, 0, sizeof nodes);
    memset(by_bit, 0, sizeof by_bit);
    hrli_ready_init(&set);
    for (uint32_t level = 0; level < HRL_PRIORITIES; level++) {
        set.masked.by_bit[level] = by_bit[level];
    }
}

static void place(struct hrli_ready_node *node, uint32_t level, unsigned bit)
{
    node->priority = node->mask_priority = level;
    node->mask_bit = (uint32_t)1 << bit;
    by_bit[level][bit] = node;
}

static uint32_t release(uint32_t level, uint32_t bits)
{
    struct hrli_mask_part part = {level, bits};
    uint32_t released = 0;

    if (set.masked.displaced == 0) {
        return hrli_ready_release(&set, &part);
    }
    while ((set.masked.waiting[level] & bits) != 0) {
        released |= hrli_ready_release_first(&set, &part);
    }
    return released;
}

static void test_of_a_mask_the_waiting_tasks_are_released(void **state)
{
    (void)state;
    empty();
    for (unsigned i = 0; i < 4; i++) {
        place(&nodes[i], 7, i);
    }
    hrli_ready_await(&set, &nodes[0]);
    hrli_ready_await(&set, &nodes[2]);
    assert_int_equal(release(7, 0x6), 0x4); /* 1 does not wait, 0 is not in the mask */
    assert_int_equal(set.masked.waiting[7], 0x1);
    assert_true(hrli_ready_contains(&set, &nodes[2]));
    assert_false(hrli_ready_contains(&set, &nodes[0]));
    assert_false(hrli_ready_contains(&set, &nodes[1]));
    assert_int_equal(release(7, 0x6), 0); /* it waits no more */
    assert_ptr_equal(hrli_ready_first(&set), &nodes[2]);
    hrli_ready_remove(&set, &nodes[2]);
    assert_int_equal(set.occupied[0], 0);
    assert_int_equal(release(7, 0x1), 0x1);
    assert_ptr_equal(hrli_ready_first(&set), &nodes[0]);
}

static void test_bits_come_before_the_ring_the_highest_first(void **state)
{
    (void)state;
    empty();
    nodes[0].priority = TOP;
    hrli_ready_add(&set, &nodes[0]);
    for (unsigned i = 1; i <= 32; i++) {
        place(&nodes[i], TOP, i - 1);
        hrli_ready_await(&set, &nodes[i]);
    }
    assert_int_equal(release(TOP, UINT32_MAX), UINT32_MAX);
    for (unsigned i = 32; i > 0; i--) {
        assert_ptr_equal(hrli_ready_first(&set), &nodes[i]);
        hrli_ready_remove(&set, &nodes[i]);
    }
    assert_ptr_equal(hrli_ready_first(&set), &nodes[0]);
    hrli_ready_remove(&set, &nodes[0]);
    assert_int_equal(set.occupied[TOP / 32], 0);
}

static void test_a_task_that_gives_way_goes_behind_the_ring(void **state)
{
    (void)state;
    empty();
    place(&nodes[0], 3, 0);
    place(&nodes[1], 3, 1);
    nodes[2].priority = 3;
    hrli_ready_add(&set, &nodes[2]);
    hrli_ready_add(&set, &nodes[1]);
    assert_ptr_equal(hrli_ready_give_way(&set, &nodes[1]), &nodes[2]);
    hrli_ready_add(&set, &nodes[0]);
    assert_ptr_equal(hrli_ready_give_way(&set, &nodes[2]), &nodes[0]);
    assert_ptr_equal(hrli_ready_give_way(&set, &nodes[0]), &nodes[1]);
    hrli_ready_remove(&set, &nodes[1]);
    hrli_ready_remove(&set, &nodes[2]);
    assert_ptr_equal(hrli_ready_give_way(&set, &nodes[0]), NULL);
    assert_ptr_equal(hrli_ready_first(&set), &nodes[0]);
}

/* The level was changed while it waited: it is released all the same, and at the level that it has. */
static void test_a_displaced_thread_is_released_into_the_ring_of_its_level(void **state)
{
    (void)state;
    empty();
    place(&nodes[0], 5, 0);
    place(&nodes[1], 5, 1);
    nodes[2].priority = 9;
    hrli_ready_add(&set, &nodes[2]);
    hrli_ready_await(&set, &nodes[0]);
    hrli_ready_await(&set, &nodes[1]);
    hrli_ready_set_level(&set, &nodes[0], 9);
    assert_int_equal(release(5, 0x1), 0x1);
    assert_int_equal(set.occupied[0], 1u << 9);
    assert_ptr_equal(hrli_ready_give_way(&set, &nodes[2]), &nodes[0]);
    assert_int_equal(release(5, 0x2), 0x2);
    assert_int_equal(set.masked.ready[5], 0x2);
    hrli_ready_remove(&set, &nodes[0]);
    hrli_ready_set_level(&set, &nodes[0], 5);
    assert_int_equal(set.masked.displaced, 0);
    hrli_ready_add(&set, &nodes[0]);
    assert_int_equal(set.masked.ready[5], 0x3);
}

static void test_an_empty_set_has_no_bits(void **state)
{
    (void)state;
    empty();
    place(&nodes[0], 5, 0);
    place(&nodes[1], 5, 1);
    hrli_ready_add(&set, &nodes[0]);
    hrli_ready_await(&set, &nodes[1]);
    hrli_ready_init(&set);
    assert_false(hrli_ready_contains(&set, &nodes[0]));
    assert_int_equal(release(5, 0x3), 0);
    assert_int_equal(set.occupied[0], 0);
}

/* ---- against a plain model -------------------------------------------------------------------- */

enum where { OUT, AWAITS, RING, BIT };
static struct {
    enum where where;
    long added; /* in a ring: when; before 0: at the front */
} model[NODES];

static void model_enter(unsigned n, long moment)
{
    bool is_bit = n < MASKED && nodes[n].priority == nodes[n].mask_priority;

    model[n].where = is_bit ? BIT : RING;
    model[n].added = moment;
}

static bool model_is_in(unsigned n)
{
    return model[n].where == RING || model[n].where == BIT;
}

static bool model_is_before(unsigned a, unsigned b)
{
    if (nodes[a].priority != nodes[b].priority) {
        return nodes[a].priority > nodes[b].priority;
    }
    if (model[a].where != model[b].where) {
        return model[a].where == BIT;
    }
    return model[a].where == BIT ? nodes[a].mask_bit > nodes[b].mask_bit
                                 : model[a].added < model[b].added;
}

static int model_first(void)
{
    int best = -1;

    for (unsigned i = 0; i < NODES; i++) {
        if (model_is_in(i) && (best < 0 || model_is_before(i, (unsigned)best))) {
            best = (int)i;
        }
    }
    return best;
}

static void check(void)
{
    bool occupied[HRL_PRIORITIES] = {false};
    int first = model_first();

    for (unsigned i = 0; i < NODES; i++) {
        assert_int_equal(hrli_ready_contains(&set, &nodes[i]), model_is_in(i));
        assert_int_equal((set.masked.waiting[nodes[i].mask_priority] & nodes[i].mask_bit) != 0,
                         model[i].where == AWAITS);
        if (model_is_in(i)) {
            occupied[nodes[i].priority] = true;
        }
    }
    for (uint32_t level = 0; level < HRL_PRIORITIES; level++) {
        assert_int_equal(set.occupied[level / 32] >> (level % 32) & 1u, occupied[level]);
    }
    if (first >= 0) {
        assert_ptr_equal(hrli_ready_first(&set), &nodes[first]);
        assert_int_equal(hrli_ready_top(&set), nodes[first].priority);
    }
}

static uint32_t some_level(struct random *random)
{
    static const uint32_t levels[] = {1, 2, 5, TOP - 1, TOP};

    return levels[random_below(random, 5)];
}

/* As level.c does. */
static void change_level(struct random *random, unsigned n, long moment)
{
    bool is_in = model_is_in(n);

    if (is_in) {
        hrli_ready_remove(&set, &nodes[n]);
    }
    hrli_ready_set_level(&set, &nodes[n], some_level(random));
    if (n < MASKED && random_below(random, 2) == 0) {
        hrli_ready_set_level(&set, &nodes[n], nodes[n].mask_priority);
    }
    if (is_in && random_below(random, 2) == 0) {
        hrli_ready_add(&set, &nodes[n]);
        model_enter(n, moment);
    } else if (is_in) {
        hrli_ready_add_first(&set, &nodes[n]);
        model_enter(n, -moment);
    }
}

static void release_some(struct random *random, long moment)
{
    struct hrli_mask_part part = {some_level(random), random_next(random)};
    uint32_t released = release(part.level, part.bits);

    for (unsigned bit = 0; bit < 32;
         bit++) { /* displaced ones are put into rings: the highest bit first */
        unsigned n = (unsigned)(by_bit[part.level][31 - bit] - nodes);
        uint32_t mask = (uint32_t)1 << (31 - bit);
        if (by_bit[part.level][31 - bit] == NULL) {
            assert_int_equal(released & mask, 0);
            continue;
        }
        assert_int_equal((released & mask) != 0,
                         model[n].where == AWAITS && (part.bits & mask) != 0);
        if ((released & mask) != 0) {
            model_enter(n, moment++);
        }
    }
}

static void give_way(long moment)
{
    int first = model_first();
    struct hrli_ready_node *next;

    if (first < 0) {
        return;
    }
    next = hrli_ready_give_way(&set, &nodes[first]);
    model[first].where = RING;
    model[first].added = moment;
    if (model_first() == first) {
        assert_null(next);
    } else {
        assert_ptr_equal(next, &nodes[model_first()]);
    }
}

static void step(struct random *random, long moment)
{
    unsigned n = random_below(random, NODES);

    switch (random_below(random, 6)) {
    case 0:
        change_level(random, n, moment);
        break;
    case 1:
        release_some(random, moment);
        break;
    case 2:
        give_way(moment);
        break;
    default:
        if (model_is_in(n)) {
            hrli_ready_remove(&set, &nodes[n]);
            model[n].where = OUT;
            if (n < MASKED && random_below(random, 2) == 0) {
                hrli_ready_await(&set, &nodes[n]);
                model[n].where = AWAITS;
            }
        } else if (model[n].where == OUT) {
            hrli_ready_add(&set, &nodes[n]);
            model_enter(n, moment);
        }
    }
}

static void test_random_operations(void **state)
{
    struct random random = {11};
    unsigned used[HRL_PRIORITIES] = {0};

    (void)state;
    empty();
    memset(model, 0, sizeof model);
    for (unsigned i = 0; i < NODES; i++) {
        uint32_t level = i < 32 ? TOP : some_level(&random); /* one level is full */
        nodes[i].priority = level;
        if (i < MASKED && used[level] < 32) {
            place(&nodes[i], level, used[level]++);
        } else if (i < MASKED) {
            place(&nodes[i], 2, used[2]++);
        }
    }
    for (long moment = 1; moment < 6400000; moment += 64) {
        step(&random, moment);
        check();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_a_mask_the_waiting_tasks_are_released),
        cmocka_unit_test(test_bits_come_before_the_ring_the_highest_first),
        cmocka_unit_test(test_a_task_that_gives_way_goes_behind_the_ring),
        cmocka_unit_test(test_a_displaced_thread_is_released_into_the_ring_of_its_level),
        cmocka_unit_test(test_an_empty_set_has_no_bits),
        cmocka_unit_test(test_random_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
