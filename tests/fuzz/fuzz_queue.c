/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_adapters.h"
#include "queue_model.h"
#include "sorted_list.h"
#include <stdlib.h>

/*
 * libFuzzer: every queue against the plain model. The input is a sequence of operations, four bytes each;
 * all queues run it, one after the other. A new queue adds a line to `queues`.
 */
enum { NODES = ADAPTER_NODES };

struct queue_operations {
    size_t bytes;
    void (*init)(void *queue);
    bool (*insert)(void *queue, struct hrli_queue_node *node);
    struct hrli_queue_node *(*first)(void *queue);
    void (*pop)(void *queue, struct hrli_queue_node *first);
    void (*remove)(void *queue, struct hrli_queue_node *node);
};

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

static const struct queue_operations queues[] = {
    {sizeof(struct hrli_sorted_list), sorted_list_init, sorted_list_insert, sorted_list_first,
     sorted_list_remove, sorted_list_remove},
    {sizeof(struct array_heap_with_storage), array_heap_init, array_heap_insert, array_heap_first,
     array_heap_pop, array_heap_remove},
    {sizeof(struct hrli_pairing_heap), pairing_heap_init, pairing_heap_insert, pairing_heap_first,
     pairing_heap_pop, pairing_heap_remove},
    {sizeof(struct timing_wheel_with_storage), timing_wheel_init, timing_wheel_insert,
     timing_wheel_first, timing_wheel_pop, timing_wheel_remove},
    {sizeof(struct hashed_wheel_with_storage), hashed_wheel_init, hashed_wheel_insert,
     hashed_wheel_first, hashed_wheel_pop, hashed_wheel_remove},
    {sizeof(struct hierarchical_wheel_with_storage), hierarchical_wheel_init,
     hierarchical_wheel_insert, hierarchical_wheel_first, hierarchical_wheel_pop,
     hierarchical_wheel_remove},
};

static void must(bool is_so)
{
    if (!is_so) {
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

static void pop(const struct queue_operations *operations, void *queue, struct queue_model *model,
                struct hrli_queue_node *nodes)
{
    struct hrli_queue_node *first = &nodes[model->order[0]];

    must(operations->first(queue) == first);
    operations->pop(queue, first);
    model_remove(model, model->order[0]);
}

static void run(const struct queue_operations *operations, const uint8_t *bytes, size_t size)
{
    static struct queue_model model;
    struct hrli_queue_node nodes[NODES];
    void *queue = malloc(operations->bytes); /* no more than it says: ASan watches */
    uint64_t now = ((uint64_t)1 << 40) - 100000;

    must(queue != NULL);
    operations->init(queue);
    model.count = 0;
    memset(model.is_in, 0, sizeof model.is_in);
    for (; size >= 4; bytes += 4, size -= 4) {
        size_t node = bytes[0] % NODES;

        if (!model.is_in[node]) {
            uint64_t instant = instant_of(&model, bytes, now);

            nodes[node].key = (hrl_stamp)instant;
            must(model_insert(&model, node, instant) == operations->insert(queue, &nodes[node]));
        } else if ((bytes[0] & 0x40) != 0) {
            operations->remove(queue, &nodes[node]);
            model_remove(&model, node);
        } else {
            now = model_first_instant(&model);
            pop(operations, queue, &model, nodes);
        }
        must(operations->first(queue) == (model.count == 0 ? NULL : &nodes[model.order[0]]));
    }
    while (model.count != 0) {
        pop(operations, queue, &model, nodes);
    }
    must(operations->first(queue) == NULL);
    free(queue);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        run(&queues[i], bytes, size);
    }
    return 0;
}
