/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_QUEUE_MODEL_H
#define SUPPORT_QUEUE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The plain model of a delay queue: numbers of nodes in an array, stably sorted by instants that do
 * not wrap.
 */
enum { MODEL_NODES = 1500, MODEL_SPAN = 0x7FFFFFFE /* between keys, at most */ };

struct queue_model {
    size_t count;
    size_t order[MODEL_NODES];      /* the nodes that are in, first to last */
    uint64_t instants[MODEL_NODES]; /* by node */
    bool is_in[MODEL_NODES];        /* by node */
};

static inline uint64_t model_first_instant(const struct queue_model *model)
{
    return model->instants[model->order[0]];
}

static inline uint64_t model_last_instant(const struct queue_model *model)
{
    return model->instants[model->order[model->count - 1]];
}

/* The instant nearest to `instant` at which the contract allows a node. */
static inline uint64_t model_admissible(const struct queue_model *model, uint64_t instant)
{
    if (model->count != 0 && instant > model_first_instant(model) + MODEL_SPAN) {
        return model_first_instant(model) + MODEL_SPAN;
    }
    if (model->count != 0 && instant + MODEL_SPAN < model_last_instant(model)) {
        return model_last_instant(model) - MODEL_SPAN;
    }
    return instant;
}

/* Puts `node` in; returns whether it is now the first. */
static inline bool model_insert(struct queue_model *model, size_t node, uint64_t instant)
{
    size_t low = 0;
    size_t high = model->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (model->instants[model->order[middle]] <= instant) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    memmove(&model->order[low + 1], &model->order[low],
            (model->count - low) * sizeof model->order[0]);
    model->order[low] = node;
    model->count++;
    model->instants[node] = instant;
    model->is_in[node] = true;
    return low == 0;
}

static inline void model_remove(struct queue_model *model, size_t node)
{
    size_t place = 0;

    while (model->order[place] != node) {
        place++;
    }
    model->count--;
    memmove(&model->order[place], &model->order[place + 1],
            (model->count - place) * sizeof model->order[0]);
    model->is_in[node] = false;
}

#endif
