/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_model.h"
#include "queues_under_test.h"
#include <stdio.h>
#include <stdlib.h>

/*
 * libFuzzer: every queue against the plain model. The input is a sequence of operations, four bytes each;
 * all queues run it, one after the other.
 */
enum { NODES = 64 };

static const struct queue_under_test queues[] = QUEUE_TABLE;

static const char *running; /* the queue at work, for the message */

static void must(bool is_so)
{
    if (!is_so) {
        fprintf(stderr, "%s is not what the model says\n", running);
        abort();
    }
}

/* What bytes[1..3] say: how far from the first node, and on which side; or another node's instant. */
static uint64_t instant_of(const struct queue_model *model, const uint8_t *bytes, uint64_t now)
{
    uint64_t distance = ((uint64_t)bytes[2] << 8 | bytes[3]) << (bytes[1] & 15);

    if ((bytes[1] & 0xC0) == 0x40 && model->count != 0) {
        return model->instants[model->order[bytes[2] % model->count]];
    }
    return model_admissible(model, (bytes[1] & 0x80) != 0 ? now - distance : now + distance);
}

static void pop(const struct queue_under_test *test, void *queue, struct queue_model *model,
                struct hrli_queue_node *nodes)
{
    struct hrli_queue_node *first = &nodes[model->order[0]];

    must(test->calls->first(queue) == first);
    test->calls->pop(queue, first);
    model_remove(model, model->order[0]);
}

static void run(const struct queue_under_test *test, const uint8_t *bytes, size_t size)
{
    static struct queue_model model;
    struct hrli_queue_node nodes[NODES];
    void *queue = queue_under_test_init(test);
    uint64_t now = ((uint64_t)1 << 40) - 100000;

    running = test->name;
    model.count = 0;
    memset(model.is_in, 0, sizeof model.is_in);
    for (; size >= 4; bytes += 4, size -= 4) {
        size_t node = bytes[0] % NODES;

        if (!model.is_in[node]) {
            uint64_t instant = instant_of(&model, bytes, now);

            nodes[node].key = (hrl_stamp)instant;
            must(model_insert(&model, node, instant) == test->calls->insert(queue, &nodes[node]));
        } else if ((bytes[0] & 0x40) != 0) {
            test->calls->remove(queue, &nodes[node]);
            model_remove(&model, node);
        } else {
            now = model_first_instant(&model);
            pop(test, queue, &model, nodes);
        }
        must(test->calls->first(queue) == (model.count == 0 ? NULL : &nodes[model.order[0]]));
    }
    while (model.count != 0) {
        pop(test, queue, &model, nodes);
    }
    must(test->calls->first(queue) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        run(&queues[i], bytes, size);
    }
    return 0;
}
