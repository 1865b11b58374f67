/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "static_stores_under_test.h"
#include "with_cmocka.h"
#include <string.h>

enum {
    MOST_ROWS = 200000,    /* of all tables of a system */
    MOST_PARTS = 400000,   /* of all masks */
    MOST_KNOWN = 64,       /* masks that a new one is compared with */
    LONGEST_CYCLE = 200000 /* counts */
};

/* Of all stores of the system; each takes what it needs. */
static struct hrli_mask_row rows[MOST_ROWS];
static struct hrli_release_mask masks[MOST_ROWS];
static struct hrli_mask_part parts[MOST_PARTS];
static struct hrli_period_group groups[SUT_TASKS];
static struct hrli_harmonic_level levels[SUT_TASKS];
static struct hrli_harmonic_chain chains[SUT_TASKS];
static struct hrli_waiter *waiting[SUT_TASKS];
static struct hrli_ready_node *by_bit[HRL_PRIORITIES][32];
static size_t row_count, mask_count, part_count, group_count, level_count, chain_count,
    waiter_count;

void sut_static_stores_reset(void)
{
    row_count = mask_count = part_count = 0;
    group_count = level_count = chain_count = waiter_count = 0;
    memset(waiting, 0, sizeof waiting);
    memset(by_bit, 0, sizeof by_bit);
}

/* ---- release masks ---------------------------------------------------------------------------- */

void sut_static_stores_place(const struct sut_task *tasks, struct hrli_periodic_thread *threads,
                             unsigned count, const bool *uses_masks)
{
#if HRL_RELEASE_MASKS /* as nodes have the fields */
    unsigned used[HRL_PRIORITIES] = {0}, on_level[HRL_PRIORITIES] = {0};

    for (unsigned i = 0; i < count; i++) {
        on_level[tasks[i].level]++;
    }
    for (unsigned i = count; i-- != 0;) {
        struct hrli_ready_node *node = &threads[i].thread.ready;
        if (uses_masks[tasks[i].releaser] && HRL_RELEASE_PRIORITIES &&
            on_level[node->priority] == 1) {
            node->mask_priority = HRLI_MASK_LEVELS;
            node->mask_bit = (uint32_t)1 << node->priority;
        } else if (uses_masks[tasks[i].releaser]) {
            unsigned bit = used[node->priority]++;
            assert_true(bit < 32);
            node->mask_priority = node->priority;
            node->mask_bit = (uint32_t)1 << bit;
            by_bit[node->priority][bit] = node;
        }
    }
    for (unsigned level = 0; level < HRL_PRIORITIES; level++) {
        hrli_ready_masked(&hrli_core.ready)->by_bit[level] = by_bit[level];
    }
#else
    (void)threads;
    for (unsigned i = 0; i < count; i++) {
        assert_false(uses_masks[tasks[i].releaser]); /* these exist in builds with masks only */
    }
#endif
}

/* Begins what is to be the next mask: where all parts of levels are one, that is the first. */
static size_t begin_mask(void)
{
    if (HRL_RELEASE_PRIORITIES) {
        assert_true(part_count < MOST_PARTS);
        parts[part_count] = (struct hrli_mask_part){.level = HRLI_MASK_LEVELS};
        return part_count++;
    }
    return part_count;
}

/* Adds the bit of `node` to what is to be the next mask, begun at `first`. */
static void add_to_mask(size_t first, const struct hrli_ready_node *node)
{
    size_t i = first;

    while (i < part_count && parts[i].level != hrli_mask_level(node)) {
        i++;
    }
    if (i == part_count) {
        assert_true(part_count < MOST_PARTS);
        parts[part_count++] = (struct hrli_mask_part){.level = hrli_mask_level(node)};
    }
    parts[i].bits |= hrli_mask_bit(node);
}

static bool is_mask(const struct hrli_release_mask *mask, size_t first)
{
    return mask->count == part_count - first &&
           memcmp(mask->parts, &parts[first], mask->count * sizeof parts[0]) == 0;
}

/* The parts from `first` on are a mask: a known one, from `known` on, or a new one. */
static size_t end_mask(size_t known, size_t first)
{
    for (size_t i = known; i < mask_count && i < known + MOST_KNOWN; i++) {
        if (is_mask(&masks[i], first)) {
            part_count = first;
            return i;
        }
    }
    masks[mask_count] = (struct hrli_release_mask){&parts[first], (uint32_t)(part_count - first)};
    return mask_count++;
}

/* ---- groups ----------------------------------------------------------------------------------- */

static bool is_same_stream(const struct sut_task *a, const struct sut_task *b)
{
    return a->offset == b->offset && memcmp(&a->period, &b->period, sizeof a->period) == 0;
}

/* The first of the tasks that have its releaser, period and offset. */
static bool is_first_of_stream(const struct sut_static_input *input, unsigned task)
{
    for (unsigned i = 0; i < task; i++) {
        if (input->tasks[i].releaser == input->releaser &&
            is_same_stream(&input->tasks[i], &input->tasks[task])) {
            return false;
        }
    }
    return input->tasks[task].releaser == input->releaser;
}

static void build_groups(struct hrli_period_groups *store, const struct sut_static_input *input)
{
    *store = (struct hrli_period_groups){.groups = &groups[group_count]};
    for (unsigned i = 0; i < input->count; i++) {
        const struct sut_task *task = &input->tasks[i];
        struct hrli_period_group *group = &groups[group_count];
        size_t first;
        if (!is_first_of_stream(input, i)) {
            continue;
        }
        first = begin_mask();
        for (unsigned k = i; k < input->count; k++) {
            if (input->tasks[k].releaser == input->releaser &&
                is_same_stream(&input->tasks[k], task)) {
                add_to_mask(first, &input->threads[k].thread.ready);
            }
        }
        assert_int_equal(task->period.hops, 0);
        *group = (struct hrli_period_group){.next = input->zero + task->offset,
                                            .period = task->period,
                                            .mask = masks[end_mask(mask_count, first)]};
        if (store->count == 0 || hrli_stamp_after(store->due, group->next)) {
            store->due = group->next;
        }
        group_count++;
        store->count++;
    }
}

/* ---- tables ----------------------------------------------------------------------------------- */

/* The instants to come of each task, from t = 0; steps as the kernel does. */
struct merge {
    const struct sut_static_input *input;
    hrl_counts next[SUT_TASKS];
    struct hrli_period period[SUT_TASKS];
};

static void merge_begin(struct merge *merge, const struct sut_static_input *input)
{
    merge->input = input;
    for (unsigned i = 0; i < input->count; i++) {
        merge->next[i] = input->tasks[i].offset;
        merge->period[i] = input->tasks[i].period;
    }
}

/* The next instant, whose tasks go to the mask begun at `first`. */
static hrl_counts merge_step(struct merge *merge, size_t first)
{
    hrl_counts instant = UINT64_MAX;

    for (unsigned i = 0; i < merge->input->count; i++) {
        if (merge->input->tasks[i].releaser == merge->input->releaser && merge->next[i] < instant) {
            instant = merge->next[i];
        }
    }
    for (unsigned i = 0; i < merge->input->count; i++) {
        if (merge->input->tasks[i].releaser == merge->input->releaser &&
            merge->next[i] == instant) {
            add_to_mask(first, &merge->input->threads[i].thread.ready);
            merge->next[i] +=
                (hrl_stamp)(hrli_period_advance(&merge->period[i], (hrl_stamp)instant) -
                            (hrl_stamp)instant);
        }
    }
    return instant;
}

static hrl_counts greatest_divisor(hrl_counts a, hrl_counts b)
{
    while (b != 0) {
        hrl_counts rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* After how many counts the instants repeat; 0: after too many for a table. */
static hrl_counts cycle_of(const struct sut_static_input *input)
{
    hrl_counts cycle = 1;

    for (unsigned i = 0; i < input->count; i++) {
        const struct hrli_period *period = &input->tasks[i].period;
        if (input->tasks[i].releaser != input->releaser) {
            continue;
        }
        if (period->numerator != 0) {
            return 0;
        }
        cycle = cycle / greatest_divisor(cycle, period->counts) * period->counts;
        if (cycle > LONGEST_CYCLE) {
            return 0;
        }
    }
    return cycle;
}

/* From here on the instants repeat. */
static hrl_counts settled_at(const struct sut_static_input *input)
{
    hrl_counts settled = 0;

    for (unsigned i = 0; i < input->count; i++) {
        const struct sut_task *task = &input->tasks[i];
        hrl_counts period = task->period.counts;
        if (task->releaser == input->releaser && task->offset >= period &&
            task->offset - period + 1 > settled) {
            settled = task->offset - period + 1;
        }
    }
    return settled;
}

static void build_table(struct hrli_mask_table *table, const struct sut_static_input *input)
{
    static struct merge merge;
    hrl_counts cycle = cycle_of(input), settled = settled_at(input), at = 0, first_of_cycle = 0;
    hrl_counts end = cycle != 0 ? settled + cycle : input->horizon;
    size_t known = mask_count;
    struct hrli_mask_row *row = &rows[row_count];

    *table = (struct hrli_mask_table){.rows = row, .masks = &masks[known]};
    merge_begin(&merge, input);
    for (;;) {
        size_t first = begin_mask();
        hrl_counts instant = merge_step(&merge, first);
        if (table->count != 0) {
            row[-1].gap = (uint32_t)(instant - at);
        } else {
            table->next = input->zero + (hrl_stamp)instant;
        }
        if (cycle != 0 && instant >= end) {
            part_count = first;
            break;
        }
        assert_true(row_count < MOST_ROWS);
        row->mask = (uint32_t)(end_mask(known, first) - known);
        if (instant < settled) {
            table->cycle++;
        } else if (table->cycle == table->count) {
            first_of_cycle = instant;
        }
        row++, row_count++, table->count++;
        at = instant;
        if (cycle == 0 && instant > end) {
            row[-1].gap = 1u << 30; /* never reached */
            break;
        }
    }
    if (cycle != 0) {
        row[-1].gap = (uint32_t)(first_of_cycle + cycle - at);
    }
}

/* ---- harmonic chains -------------------------------------------------------------------------- */

static bool holds(const struct sut_task *one, const struct sut_task *other)
{
    return other->period.counts % one->period.counts == 0 && other->offset >= one->offset &&
           (other->offset - one->offset) % one->period.counts == 0;
}

/* The stream, by its first task, that is next by period and offset and in no chain; -1: none. */
static int next_stream(const struct sut_static_input *input, const bool *is_placed,
                       const struct sut_task *after)
{
    int best = -1;

    for (unsigned i = 0; i < input->count; i++) {
        const struct sut_task *task = &input->tasks[i];
        if (is_placed[i] || !is_first_of_stream(input, i) ||
            (after != NULL && !holds(after, task))) {
            continue;
        }
        if (best < 0 || task->period.counts < input->tasks[best].period.counts ||
            (task->period.counts == input->tasks[best].period.counts &&
             task->offset < input->tasks[best].offset)) {
            best = (int)i;
        }
    }
    return best;
}

static void build_level(struct hrli_harmonic_level *level, const struct sut_static_input *input,
                        const struct sut_task *task, uint32_t interval, hrl_stamp origin)
{
    assert_int_equal(task->period.hops + task->period.numerator, 0);
    assert_int_equal(task->period.counts % interval + (task->offset - origin) % interval, 0);
    *level = (struct hrli_harmonic_level){.every = task->period.counts / interval,
                                          .left = (task->offset - origin) / interval + 1};
    for (unsigned k = 0; k < input->count; k++) {
        if (input->tasks[k].releaser == input->releaser && is_same_stream(&input->tasks[k], task)) {
            input->threads[k].waiter.node.spare[0] = (uintptr_t)&waiting[waiter_count++];
            level->tasks++;
        }
    }
}

static void build_harmonic(struct hrli_harmonic_array *array, const struct sut_static_input *input)
{
    bool is_placed[SUT_TASKS] = {false};
    int task = next_stream(input, is_placed, NULL);

    *array = (struct hrli_harmonic_array){.chains = &chains[chain_count]};
    for (; task >= 0; task = next_stream(input, is_placed, NULL)) {
        struct hrli_harmonic_chain *chain = &chains[chain_count++];
        uint32_t interval = input->interval;
        hrl_stamp origin = 0;

        *chain = (struct hrli_harmonic_chain){.levels = &levels[level_count],
                                              .waiting = &waiting[waiter_count]};
        while (task >= 0) {
            const struct sut_task *stream = &input->tasks[task];
            build_level(&levels[level_count++], input, stream, interval, origin);
            chain->count++;
            is_placed[task] = true;
            interval = stream->period.counts;
            origin = stream->offset;
            task = next_stream(input, is_placed, stream);
        }
        array->count++;
    }
}

void sut_static_stores_build(struct sut_static_stores *stores, enum sut_store store,
                             const struct sut_static_input *input)
{
    if (store == SUT_PERIOD_GROUPS) {
        build_groups(&stores->groups, input);
    } else if (store == SUT_MASK_TABLE) {
        build_table(&stores->table, input);
    } else if (store == SUT_HARMONIC_ARRAY) {
        build_harmonic(&stores->harmonic, input);
    }
}
