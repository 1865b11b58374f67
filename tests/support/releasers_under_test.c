/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "releasers_under_test.h"
#include "cooperative.h"
#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "one_shot_nodes.h"
#include "release_wait.h"
#include "sorted_list.h"
#include "stepped.h"
#include "store.h"
#include "unsorted_list.h"
#include "with_cmocka.h"
#include <string.h>

struct slot {
    union {
        struct hrli_releaser base;
        struct hrli_periodic periodic;
        struct hrli_one_shot one_shot;
        struct hrli_cooperative cooperative;
    };
    union {
        struct hrli_sorted_list list;
        struct hrli_unsorted_list unsorted;
        struct sut_static_stores statics;
    };
    struct sut_releaser asked;
    uint32_t span;                /* of a one-shot cell */
    struct hrli_cell_steps steps; /* of a stepped one */
    struct hrli_cell_steps_kind kind;
};

static struct slot slots[SUT_RELEASERS];
static struct hrli_releaser *releasers[SUT_RELEASERS];
static unsigned releaser_count;
static struct slot *timeouts_slot;
static struct slot *cooperative_slot;
static struct hrli_periodic *partners[SUT_RELEASERS];
static unsigned partner_count;

bool sut_inserts_take_time;
bool sut_serves_next;
hrl_counts (*sut_insert_counts)(void);
hrl_counts (*sut_remove_counts)(void);

/* ---- stores ----------------------------------------------------------------------------------- */

/* Time passes in a store that belongs to one at a time. */
static bool store_is_used;

static void pass_in_store(hrl_counts (*counts)(void))
{
    if (sut_inserts_take_time && counts != NULL) {
        if (store_is_used) {
            hrlp_host_fatal("two threads are in a store", 0);
        }
        store_is_used = true;
        hrlp_host_consume(counts());
        store_is_used = false;
    }
}

static bool insert(void *queue, struct hrli_queue_node *node)
{
    pass_in_store(sut_insert_counts);
    return hrli_sorted_list_insert(queue, node);
}

static bool put_in(void *queue, struct hrli_queue_node *node, hrl_stamp key)
{
    pass_in_store(sut_insert_counts);
    return hrli_sorted_list_put(queue, node, key);
}

static struct hrli_queue_node *first(void *queue)
{
    return hrli_sorted_list_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *node)
{
    if (timeouts_slot != NULL && queue == &timeouts_slot->list && store_is_used) {
        hrlp_host_fatal("an interrupt takes from a store that a thread is in", 0);
    }
    hrli_sorted_list_pop(queue, node);
}

static void take_out(void *queue, struct hrli_queue_node *node)
{
    pass_in_store(sut_remove_counts);
    hrli_sorted_list_remove(queue, node);
}

static void release(struct hrli_releaser *releaser, struct hrli_queue_node *node, hrl_stamp instant)
{
    if (((struct slot *)releaser)->asked.timeouts) {
        hrli_timeout_release(releaser, node, instant);
    } else {
        hrli_releaser_release(releaser, node, instant);
    }
}

static const hrl_stamp *due(void *queue)
{
    const struct hrli_queue_node *node = first(queue);

    return node == NULL ? NULL : &node->key;
}

static void release_due(struct hrli_releaser *releaser, void *queue, hrl_stamp instant);

static const struct hrli_store sorted_list = {insert,   put_in,  first, pop,
                                              take_out, release, due,   release_due};

static void release_due(struct hrli_releaser *releaser, void *queue, hrl_stamp instant)
{
    hrli_releaser_release_due(releaser, queue, &sorted_list, instant);
}

HRLI_STATIC_STORE(unsorted_list)
HRLI_STATIC_STORE(harmonic_array)
HRLI_STATIC_STORE(period_groups)
HRLI_STATIC_STORE(mask_table)

/* A static store as generated systems have it: of periodic cells, of one-shot cells, and its put. */
struct static_store {
    const struct hrli_store *periodic;
    const struct hrli_store *one_shot;
    void (*put)(struct hrli_releaser *releaser, void *store, struct hrli_waiter *waiter);
};
#define STATIC_STORE(store)                                                                        \
    {                                                                                              \
        &store##_periodic_store, &store##_store, HRLI_PUT_##store                                  \
    }
static const struct static_store static_stores[] = {
    [SUT_UNSORTED_LIST] = STATIC_STORE(unsorted_list),
    [SUT_HARMONIC_ARRAY] = STATIC_STORE(harmonic_array),
    [SUT_PERIOD_GROUPS] = STATIC_STORE(period_groups),
    [SUT_MASK_TABLE] = STATIC_STORE(mask_table),
};

static const struct hrli_store *store_of(const struct slot *slot)
{
    const struct static_store *store = &static_stores[slot->asked.store];

    if (slot->asked.store == SUT_SORTED_LIST) {
        return &sorted_list;
    }
    return slot->asked.one_shot ? store->one_shot : store->periodic;
}

static void *queue_of(struct slot *slot)
{
    switch (slot->asked.store) {
    case SUT_UNSORTED_LIST:
        return &slot->unsorted;
    case SUT_HARMONIC_ARRAY:
        return &slot->statics.harmonic;
    case SUT_PERIOD_GROUPS:
        return &slot->statics.groups;
    case SUT_MASK_TABLE:
        return &slot->statics.table;
    default:
        return &slot->list;
    }
}

static bool uses_masks(const struct slot *slot)
{
    return slot->asked.store == SUT_PERIOD_GROUPS || slot->asked.store == SUT_MASK_TABLE;
}

/* ---- modes ------------------------------------------------------------------------------------ */

static struct hrli_one_shot_parts nodes_parts(struct slot *slot)
{
    return (struct hrli_one_shot_parts){&slot->base, &slot->list, &sorted_list, slot->base.cell,
                                        slot->span};
}

/* The host's timer is armed in one way. */
static struct hrli_one_shot_cell cell_of(const struct slot *slot)
{
    return (struct hrli_one_shot_cell){slot->base.cell->arm, slot->base.cell->disarm, slot->span,
                                       slot->base.ready, NULL};
}

/* `cell` is to live as long as what is returned. */
static struct hrli_cooperative_parts cooperative_parts(struct slot *slot,
                                                       struct hrli_one_shot_cell *cell)
{
    *cell = cell_of(slot);
    return (struct hrli_cooperative_parts){&slot->cooperative, queue_of(slot), store_of(slot),
                                           partners,           partner_count,  cell};
}

static void put(struct hrli_queue_node *node)
{
    struct slot *slot = timeouts_slot;

    if (slot->asked.one_shot) {
        struct hrli_one_shot_parts parts = nodes_parts(slot);
        hrli_one_shot_nodes_put(&parts, node);
    } else {
        hrli_periodic_put(&slot->periodic, node, &slot->list, &sorted_list);
    }
}

bool hrl_gen_insert_timeout(struct hrli_queue_node *node)
{
    if (timeouts_slot == NULL) { /* as the one that it replaces here, of no_timeouts.c */
        hrli_core.timeouts->put(node);
    }
    return insert(&timeouts_slot->list, node);
}

/* Of the parts of the kernel that are built as for size. */
void hrl_gen_put_timeout(struct hrli_queue_node *node)
{
    hrli_core.timeouts->put(node);
}

static void remove_timeout(struct hrli_queue_node *node)
{
    take_out(&timeouts_slot->list, node);
}

#if HRL_CORES > 1 /* as there is one field more */
static struct hrli_timeouts timeouts = {
    .put = put, .remove = remove_timeout, .insert = hrl_gen_insert_timeout};
#else
static struct hrli_timeouts timeouts = {.put = put, .remove = remove_timeout};
#endif

static void enrol(struct hrli_releaser *releaser, struct hrli_waiter *waiter)
{
    struct slot *slot = (struct slot *)releaser;

    if (slot->asked.store == SUT_SORTED_LIST) {
        insert(&slot->list, &waiter->node);
    } else {
        static_stores[slot->asked.store].put(releaser, queue_of(slot), waiter);
    }
}

static void start(struct hrli_releaser *releaser)
{
    struct slot *slot = (struct slot *)releaser;
    struct hrli_one_shot_cell cell = cell_of(slot);

    sut_inserts_take_time = true;
    if (slot->asked.one_shot && slot->asked.timeouts) {
        /* no thread sleeps before the start */
    } else if (slot->asked.cooperates) {
        struct hrli_cooperative_parts parts = cooperative_parts(slot, &cell);
        hrli_cooperative_start(&parts);
    } else if (slot->asked.one_shot) {
        hrli_one_shot_start(&slot->one_shot, queue_of(slot), store_of(slot), &cell);
    } else if (slot->asked.denominator != 0) {
        hrli_cell_steps_start(&slot->kind, &slot->steps, slot->base.next);
    } else {
        hrli_periodic_start(&slot->periodic);
    }
}

static bool enqueue(struct hrli_releaser *releaser, struct hrli_waiter *waiter, hrl_stamp from,
                    uint32_t span)
{
    struct slot *slot = (struct slot *)releaser;
    struct hrli_one_shot_cell cell = cell_of(slot);

    if (slot->asked.store != SUT_SORTED_LIST) {
        return hrli_releaser_enqueue_at_once(releaser, waiter, from, span, queue_of(slot),
                                             static_stores[slot->asked.store].put);
    }
    if (slot->asked.cooperates) {
        struct hrli_cooperative_parts parts = cooperative_parts(slot, &cell);
        return hrli_cooperative_enqueue(&parts, waiter, from, span);
    }
    if (slot->asked.one_shot) {
        return hrli_one_shot_enqueue(&slot->one_shot, waiter, from, span, &slot->list, &sorted_list,
                                     &cell);
    }
    return hrli_periodic_enqueue(&slot->periodic, waiter, from, span, &slot->list, &sorted_list);
}

/* A partner has served its own; `late`: in a thread, as it was deferred. */
static void visit(struct slot *partner, bool late)
{
    if (cooperative_slot != NULL && !partner->asked.timeouts) {
        struct hrli_one_shot_cell cell;
        struct hrli_cooperative_parts parts = cooperative_parts(cooperative_slot, &cell);
        if (late) {
            hrli_cooperative_visit_late(&parts, &partner->periodic);
        } else {
            hrli_cooperative_visit(&parts, &partner->periodic);
        }
    }
}

static void serve_stepped(struct hrli_releaser *releaser)
{
    struct slot *slot = (struct slot *)releaser;

    hrli_stepped_serve(&slot->periodic, queue_of(slot), store_of(slot), slot->periodic.divider,
                       &slot->steps, &slot->kind);
}

static void serve(struct hrli_releaser *releaser)
{
    struct slot *slot = (struct slot *)releaser;
    struct hrli_one_shot_cell cell = cell_of(slot);

    if (slot->asked.one_shot && slot->asked.timeouts) {
        struct hrli_one_shot_parts parts = nodes_parts(slot);
        hrli_one_shot_nodes_serve(&parts);
    } else if (slot->asked.cooperates) {
        struct hrli_cooperative_parts parts = cooperative_parts(slot, &cell);
        hrli_cooperative_serve(&parts);
    } else if (slot->asked.one_shot) {
        hrli_one_shot_serve(&slot->one_shot, queue_of(slot), store_of(slot), &cell);
    } else if (slot->asked.denominator != 0) {
        serve_stepped(releaser);
        visit(slot, true);
    } else {
        hrli_periodic_serve(&slot->periodic, queue_of(slot), store_of(slot),
                            slot->periodic.divider);
        visit(slot, true);
    }
}

static bool enqueue_thread(struct hrli_periodic_thread *self, hrl_stamp from, uint32_t span)
{
    return enqueue(self->waiter.releaser, &self->waiter, from, span);
}

static void run_jobs(void *self)
{
    hrli_release_run_jobs(self, enqueue_thread);
}

/* As in generated systems: threads that wait in a delay queue have a loop of jobs of the releaser. */
static const struct hrli_releaser_calls calls = {enrol, start, enqueue, serve, NULL};
static const struct hrli_releaser_calls queue_calls = {enrol, start, enqueue, serve, run_jobs};

void sut_interrupt(unsigned releaser)
{
    struct slot *slot = &slots[releaser];
    struct hrli_one_shot_cell cell = {sut_rearms[releaser], slot->base.cell->disarm, slot->span,
                                      slot->base.ready, NULL};

    if (slot->asked.one_shot && slot->asked.timeouts) {
        struct hrli_one_shot_parts parts = nodes_parts(slot);
        hrli_one_shot_nodes_interrupt(&parts);
    } else if (slot->asked.cooperates) {
        struct hrli_one_shot_cell of_threads;
        struct hrli_cooperative_parts parts = cooperative_parts(slot, &of_threads);
        hrli_cooperative_interrupt(&parts, &cell);
    } else if (slot->asked.one_shot) {
        hrli_one_shot_interrupt(&slot->one_shot, queue_of(slot), store_of(slot), &cell);
    } else if (slot->asked.denominator != 0) {
        hrli_stepped_interrupt(&slot->periodic, queue_of(slot), store_of(slot),
                               slot->periodic.divider, &slot->steps, &slot->kind, serve_stepped);
        visit(slot, false);
    } else if (sut_serves_next && cooperative_slot == NULL) {
        if (slot->base.busy) {
            slot->base.deferred = true;
        } else if (!hrli_periodic_serve_next(&slot->periodic, queue_of(slot), store_of(slot),
                                             slot->periodic.divider)) {
            serve(&slot->base);
        }
    } else {
        hrli_periodic_interrupt(&slot->periodic, queue_of(slot), store_of(slot),
                                slot->periodic.divider);
        visit(slot, false);
    }
    hrli_core_dispatch_after_interrupt();
}

/* ---- building --------------------------------------------------------------------------------- */

void sut_releasers_reset(void)
{
    memset(slots, 0, sizeof slots);
    releaser_count = partner_count = 0;
    timeouts_slot = cooperative_slot = NULL;
    sut_insert_counts = NULL;
    sut_remove_counts = NULL;
    store_is_used = false;
    sut_inserts_take_time = false;
    sut_cells_reset();
}

unsigned sut_add_releaser(struct sut_releaser releaser)
{
    assert_true(releaser_count < SUT_RELEASERS);
    slots[releaser_count].asked = releaser;
    releasers[releaser_count] = &slots[releaser_count].base;
    return releaser_count++;
}

static void build_releaser(unsigned i, hrl_stamp zero)
{
    static const uint32_t half_widths[SUT_RELEASERS] = {1u << 31, 1u << 31, 1u << 31, 1u << 23};
    struct slot *slot = &slots[i];
    const struct sut_releaser *asked = &slot->asked;

    slot->base =
        (struct hrli_releaser){.served = zero - 1u,
                               .next = zero,
                               .cell = sut_cells[i],
                               .calls = asked->store == SUT_SORTED_LIST ? &queue_calls : &calls};
    if (asked->one_shot) {
        slot->span = asked->span == 0 ? half_widths[i] : asked->span;
    } else {
        slot->periodic.cell_period = asked->cell_period;
        slot->periodic.divider = asked->divider == 0 ? 1 : asked->divider;
        slot->kind = (struct hrli_cell_steps_kind){asked->cell_period,           asked->numerator,
                                                   asked->denominator,           i > 1,
                                                   sut_cells[i]->start_periodic, sut_stretches[i]};
        slot->steps = (struct hrli_cell_steps)HRLI_CELL_STEPS_FROM(
            zero, asked->cell_period, asked->numerator, asked->denominator, asked->accumulated,
            i > 1);
    }
    if (asked->timeouts) {
        timeouts_slot = slot;
        slot->base.served = (hrl_stamp)hrlp_host_setup.clock_start - 1u;
        timeouts.releaser = &slot->base;
    } else if (asked->cooperates) {
        assert_true(asked->one_shot && cooperative_slot == NULL);
        cooperative_slot = slot;
    } else if (!asked->one_shot) {
        partners[partner_count++] = &slot->periodic;
    }
}

void sut_releasers_build(hrl_stamp zero, hrl_counts horizon, const struct sut_task *tasks,
                         struct hrli_periodic_thread *threads, unsigned count)
{
    struct sut_static_input input = {
        .tasks = tasks, .threads = threads, .count = count, .zero = zero, .horizon = horizon};
    bool with_masks[SUT_RELEASERS] = {false};

    partner_count = 0;
    cooperative_slot = NULL;
    for (unsigned i = 0; i < releaser_count; i++) {
        build_releaser(i, zero);
        with_masks[i] = uses_masks(&slots[i]);
    }
    sut_static_stores_reset();
    sut_static_stores_place(tasks, threads, count, with_masks);
    for (input.releaser = 0; input.releaser < releaser_count; input.releaser++) {
        struct slot *slot = &slots[input.releaser];
        input.interval = slot->periodic.cell_period * slot->periodic.divider;
        sut_static_stores_build(&slot->statics, slot->asked.store, &input);
    }
}

void sut_releasers_prepare(void)
{
    for (unsigned i = 0; i < releaser_count; i++) {
        if (slots[i].asked.store == SUT_SORTED_LIST) {
            hrli_sorted_list_init(&slots[i].list);
        } else if (slots[i].asked.store == SUT_UNSORTED_LIST) {
            hrli_unsorted_list_init(&slots[i].unsorted);
        }
        hrlp_host_prepare(i, slots[i].asked.timeouts ? HRLP_IRQ_OF_DISPATCH : HRLP_IRQ_OF_CELLS);
    }
}

unsigned sut_releasers_count(void)
{
    return releaser_count;
}

struct hrli_releaser *const *sut_releasers_all(void)
{
    return releasers;
}

const struct hrli_timeouts *sut_releasers_timeouts(void)
{
    return timeouts_slot == NULL ? NULL : &timeouts;
}

struct hrli_releaser *sut_releaser_of(unsigned releaser)
{
    return &slots[releaser].base;
}

const struct hrli_queue_node *sut_timeouts(void)
{
    return &timeouts_slot->list.head;
}
