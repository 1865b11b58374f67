/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bucket.h"
#include "queue_exercise.h"
#include "stamp.h"
#include "with_cmocka.h"

/*
 * What is the bucket's own. That it keeps the contract of delay queues is shown by tests/conform/queue.
 */
static struct hrli_bucket bucket;

/* The list at `link` is sorted and each node knows what points to it; adds up its nodes. */
static size_t check_list(struct hrli_queue_node **link)
{
    size_t count = 0;

    while (*link != &bucket.end) {
        struct hrli_queue_node *node = *link;
        assert_ptr_equal((struct hrli_queue_node **)node->spare[HRLI_BUCKET_LINK], link);
        assert_true(node->next == &bucket.end || !hrli_stamp_after(node->key, node->next->key));
        link = &node->next;
        count++;
    }
    return count;
}

static size_t in_bucket(void)
{
    size_t count = 0;

    for (unsigned level = 0; level < HRLI_BUCKET_RUNS; level++) {
        size_t run = check_list(&bucket.runs[level]);
        assert_true(run <= (size_t)1 << level || level == HRLI_BUCKET_RUNS - 1);
        assert_true(run == 0 || level < bucket.used);
        count += run;
    }
    return count;
}

/* The list is sorted and before the bucket; the runs are sorted and of their lengths; the least is least. */
static void check(void *queue, size_t n)
{
    bool found = bucket.least == &bucket.end;

    (void)queue;
    assert_int_equal(check_list(&bucket.sorted) + in_bucket(), n);
    for (unsigned level = 0; level < HRLI_BUCKET_RUNS; level++) {
        const struct hrli_queue_node *run = bucket.runs[level];
        if (run != &bucket.end) {
            assert_true(bucket.least != &bucket.end);
            assert_false(hrli_stamp_after(bucket.least->key, run->key));
            found = found || run == bucket.least;
        }
    }
    assert_true(found);
    if (bucket.least != &bucket.end) {
        for (struct hrli_queue_node *node = bucket.sorted; node != &bucket.end; node = node->next) {
            assert_false(hrli_stamp_after(node->key, bucket.least->key));
        }
    }
}

static bool insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_bucket_insert(queue, node);
}

static struct hrli_queue_node *first(void *queue)
{
    return hrli_bucket_first(queue);
}

static void take(void *queue, struct hrli_queue_node *node)
{
    hrli_bucket_remove(queue, node);
}

static void test_lists_and_runs_are_whole_after_every_operation(void **state)
{
    const struct queue_exercise exercise = {&bucket, insert, first, take, take, check};

    (void)state;
    hrli_bucket_init(&bucket);
    queue_exercise(&exercise, 40000);
}

static void put(struct hrli_queue_node *node, hrl_stamp key)
{
    node->key = key;
    (void)hrli_bucket_insert(&bucket, node);
}

/* Algorithm 3 of the thesis. */
static void test_insertion_goes_where_the_thesis_says(void **state)
{
    struct hrli_queue_node nodes[8];

    (void)state;
    hrli_bucket_init(&bucket);
    put(&nodes[0], 50); /* both empty: into the bucket */
    assert_ptr_equal(bucket.sorted, &bucket.end);
    assert_ptr_equal(bucket.least, &nodes[0]);
    put(&nodes[1], 40); /* earlier than the bucket: into the list, no refill */
    assert_ptr_equal(bucket.sorted, &nodes[1]);
    put(&nodes[2], 45);
    assert_ptr_equal(nodes[1].next, &nodes[2]);
    put(&nodes[3], 70); /* not earlier: into the bucket */
    put(&nodes[4], 50);
    assert_int_equal(in_bucket(), 3);
    hrli_bucket_remove(&bucket, &nodes[1]);
    hrli_bucket_remove(&bucket, &nodes[2]);
    put(&nodes[5], 60); /* into the bucket, the list is empty: refill with the earlier half */
    assert_int_equal(in_bucket(), 2);
    assert_ptr_equal(bucket.sorted, &nodes[0]);
    assert_ptr_equal(nodes[0].next, &nodes[4]);
    assert_ptr_equal(bucket.least, &nodes[5]);
}

/* Where the thesis' algorithm would put what is earlier than the whole list. */
static void test_an_empty_bucket_takes_only_what_is_last(void **state)
{
    struct hrli_queue_node nodes[4];

    (void)state;
    hrli_bucket_init(&bucket);
    put(&nodes[0], 50);
    put(&nodes[1], 40);
    hrli_bucket_remove(&bucket, &nodes[0]);
    put(&nodes[2], 30);
    assert_ptr_equal(bucket.least, &bucket.end);
    assert_ptr_equal(hrli_bucket_first(&bucket), &nodes[2]);
    put(&nodes[3], 40);
    assert_ptr_equal(bucket.least, &nodes[3]);
}

static void test_more_than_the_runs_are_meant_for(void **state)
{
    enum { MANY = 3 << HRLI_BUCKET_RUNS };
    static struct hrli_queue_node nodes[MANY];

    (void)state;
    hrli_bucket_init(&bucket);
    for (unsigned i = 0; i < MANY; i++) {
        put(&nodes[i], i < 2 ? i : 1 + i * 7919u % 10007u); /* all but the first into the bucket */
    }
    assert_int_equal(in_bucket(), MANY - 1);
    check(&bucket, MANY);
    for (unsigned i = MANY; i-- > 0;) {
        hrli_bucket_remove(&bucket, hrli_bucket_first(&bucket));
        if (i % 1024 == 0) {
            check(&bucket, i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_and_runs_are_whole_after_every_operation),
        cmocka_unit_test(test_insertion_goes_where_the_thesis_says),
        cmocka_unit_test(test_an_empty_bucket_takes_only_what_is_last),
        cmocka_unit_test(test_more_than_the_runs_are_meant_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
