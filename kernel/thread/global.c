/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "global.h"
#include "no_timeouts.h"
#include "releaser.h"
#include "sync_lock.h"

#if HRL_GLOBAL_THREADS /* as threads and cores have no such fields otherwise */

/* What all cores share, under the lock of services: that of core 0 (shared). */
static HRLP_PER_CORE struct global {
    struct hrli_ready_queue offered;      /* ready threads that no core runs */
    hrli_level levels[HRL_CORES];         /* of what a core runs, or of the thread that claims it */
    struct hrl_thread *claims[HRL_CORES]; /* the thread for which a core is about to look */
} global;

static struct global *shared(void)
{
    void *own = &global;

    __asm__("" : "+r"(own)); /* the compiler does not know where core 0's is */
    return hrlp_core_object(own, 0);
}

/* Before hrl_start there is only core 0. */
static void prepare_set(void)
{
    if (shared()->offered.levels[0].next == NULL) {
        hrli_ready_init(&shared()->offered);
    }
}

void hrli_global_start(void)
{
    prepare_set();
    HRLP_SHOW(hrli_core.looks, true);
}

/* Has the dispatch of `core` look at the set. Context: the lock of services is held. */
static void have_look(unsigned core)
{
    if (core == hrlp_core_number()) {
        HRLP_SHOW(hrli_core.looks, true);
        if (hrli_core.threshold < HRL_PRIORITIES) {
            hrlp_cpu_request_switch();
        }
    } else {
        struct hrli_core *other = hrlp_core_object(&hrli_core, core);

        if (!other->looks) { /* else it was rung for that, or has asked, and has not looked since */
            HRLP_SHOW(other->looks, true);
            hrlp_core_ring(core);
        }
    }
}

/*
 * The core that runs the least urgent of what `thread` may take the place of, of equals that on which it was
 * last; HRL_CORES: none.
 */
static unsigned least_urgent(const struct global *all, const struct hrl_thread *thread)
{
    hrli_level least = (hrli_level)thread->ready.priority;
    unsigned found = HRL_CORES;

    for (unsigned core = 0; core < HRL_CORES; core++) {
        if ((thread->affinity >> core & 1u) != 0 &&
            (all->levels[core] < least ||
             (all->levels[core] == least && found != HRL_CORES && core == thread->core))) {
            least = all->levels[core];
            found = core;
        }
    }
    return found;
}

/* The claim of one that is displaced is made anew, on a core that runs something less urgent still. */
static void claim_core(struct global *all, struct hrl_thread *thread)
{
    while (thread != NULL) {
        unsigned core = least_urgent(all, thread);
        struct hrl_thread *displaced;

        if (core == HRL_CORES) {
            return;
        }
        displaced = all->claims[core];
        if (displaced != NULL) {
            displaced->claimed = 0;
        }
        all->claims[core] = thread;
        all->levels[core] = (hrli_level)thread->ready.priority;
        thread->claimed = (hrli_number)core + 1u;
        have_look(core);
        thread = displaced;
    }
}

static void end_claim(struct global *all, struct hrl_thread *thread)
{
    if (thread != NULL && thread->claimed != 0) {
        all->claims[thread->claimed - 1u] = NULL;
        thread->claimed = 0;
    }
}

/* Before hrl_start no core is asked: each looks when it starts. */
void hrli_global_wake(struct hrl_thread *thread)
{
    struct global *all = shared();

    HRLP_SHOW(thread->awaited_timeout, NULL);
    if (thread->is_offered || thread->is_kept) { /* it has not left the ready queue of its core */
        return;
    }
    hrli_ready_add(&all->offered, &thread->ready);
    thread->is_offered = true;
    if (thread->on == 0 && hrli_core.running != NULL) {
        claim_core(all, thread);
    }
}

/* The highest occupied level below `level`; 0 if there is none. */
static hrli_level next_level(const struct hrli_ready_queue *offered, hrli_level level)
{
    hrli_level word = hrli_ready_word(level);
    hrli_ready_levels bits = offered->occupied[word] & (hrli_ready_bit(level) - 1u);

    while (HRLI_READY_WORDS > 1 && bits == 0 && word > 0) {
        bits = offered->occupied[--word];
    }
    return bits == 0 ? 0 : (hrli_level)(32u * word + hrlp_cpu_highest_bit(bits));
}

/* The first thread of the highest level from `lowest` on that `core` may run, or NULL. */
static struct hrl_thread *most_urgent(struct global *all, unsigned core, hrli_level lowest)
{
    struct hrli_ready_queue *offered = &all->offered;

    if (hrli_ready_is_empty(offered)) {
        return NULL;
    }
    for (hrli_level level = hrli_ready_top(offered); level >= lowest && level > 0;
         level = next_level(offered, level)) {
        struct hrli_ready_link *ring = &offered->levels[level];

        for (struct hrli_ready_link *link = ring->next; link != ring; link = link->next) {
            struct hrl_thread *thread = (struct hrl_thread *)link;

            if ((thread->affinity >> core & 1u) != 0 &&
                (thread->on == 0 || thread->on == core + 1u)) {
                return thread;
            }
        }
    }
    return NULL;
}

/* `self`, which runs, comes into the set if it is ready, before its equals or behind them. */
static void give_up(struct global *all, struct hrl_thread *self, bool gives_way)
{
    if (!self->is_kept) {
        return;
    }
    hrli_ready_remove(&hrli_core.ready, &self->ready);
    self->is_kept = false;
    if (gives_way) {
        hrli_ready_add(&all->offered, &self->ready);
    } else {
        hrli_ready_add_first(&all->offered, &self->ready);
    }
    self->is_offered = true;
}

static void take(struct global *all, struct hrl_thread *thread, unsigned core)
{
    end_claim(all, thread);
    hrli_ready_remove(&all->offered, &thread->ready);
    thread->is_offered = false;
    thread->core = (hrli_number)core;
    thread->on = (hrli_number)core + 1u;
    hrli_ready_add_first(&hrli_core.ready, &thread->ready);
    thread->is_kept = true;
}

/* Whether `thread` of the set comes before `own`, the core's first, of the same level. */
static bool is_before_equal(const struct hrl_thread *thread, const struct hrl_thread *self,
                            bool gives_way)
{
    return thread == self ? !gives_way : gives_way && !hrli_is_global(self);
}

/* The first of the core's ready queue: mostly the idle thread, as the others are in the set. */
static struct hrl_thread *first_own(void)
{
    struct hrli_ready_queue *ready = &hrli_core.ready;
    bool is_idle = HRLI_READY_WORDS == 1 && ready->occupied[0] == hrli_ready_bit(0);

    return (struct hrl_thread *)hrli_ready_first_of(ready, is_idle ? 0 : hrli_ready_top(ready));
}

/* What runs next, which has left the set. */
static struct hrl_thread *choose(struct global *all, struct hrl_thread *self, bool gives_way)
{
    unsigned core = hrlp_core_number();
    struct hrl_thread *own = first_own();
    struct hrl_thread *found = most_urgent(all, core, (hrli_level)own->ready.priority);

    if (found == NULL || (found->ready.priority == own->ready.priority &&
                          !is_before_equal(found, self, gives_way))) {
        return own;
    }
    take(all, found, core);
    return found;
}

struct hrl_thread *hrli_global_choose(bool gives_way)
{
    hrlp_irq_state state = hrli_sync_lock();
    unsigned core = hrlp_core_number();
    struct global *all = shared();
    struct hrl_thread *self = hrli_core.running;
    struct hrl_thread *claimant = all->claims[core];
    struct hrl_thread *next;

    end_claim(all, claimant);
    HRLP_SHOW(hrli_core.looks, false);
    gives_way |= hrli_core.gives_way;
    hrli_core.gives_way = false;
    if (hrli_is_global(self)) {
        give_up(all, self, gives_way);
    } else if (gives_way && hrli_core_runs_first()) {
        (void)hrli_ready_give_way(&hrli_core.ready, &self->ready);
    }
    next = choose(all, self, gives_way);
    HRLP_PUBLISH(hrli_core.running, next);
    hrli_core.shown = all->levels[core] = (hrli_level)next->ready.priority;
    if (next != self && hrli_is_global(self)) {
        self->on = 0;
        if (self->is_offered) {
            claim_core(all, self);
        }
    }
    if (claimant != NULL && claimant->is_offered && claimant->claimed == 0) {
        claim_core(all, claimant);
    }
    hrli_sync_unlock(state);
    return next;
}

/* ---- time-outs -------------------------------------------------------------------------------- */

static void expire(struct hrli_called_timeout *called)
{
    struct hrli_global_timeout *timeout = (struct hrli_global_timeout *)called;
    hrlp_irq_state state = hrli_sync_lock();

    timeout->is_stored = false;
    if (HRLP_SEE(timeout->thread->awaited_timeout) ==
        timeout) { /* a sleep begins without the lock */
        hrli_global_wake(timeout->thread);
    }
    hrli_sync_unlock(state);
}

void hrli_global_prepare(struct hrl_thread *thread)
{
    prepare_set();
    hrli_ready_is_out(&thread->ready);
    for (unsigned core = 0; core < HRL_CORES; core++) {
        thread->timeouts[core].thread = thread;
        thread->timeouts[core].called.expire = expire;
    }
}

void hrli_global_forget(struct hrl_thread *self)
{
    struct hrli_global_timeout *timeout = &self->timeouts[hrlp_core_number()];
    struct hrli_releaser *releaser;

    if (!timeout->is_stored) {
        return;
    }
    releaser = hrli_core.timeouts->releaser;
    hrli_releaser_begin_use(releaser);
    if (timeout->is_stored) { /* still, and no handler serves it now */
        hrli_core.timeouts->remove(&timeout->called.node);
        timeout->is_stored = false;
    }
    hrli_releaser_end_use(releaser);
    if (releaser->deferred) {
        hrli_releaser_catch_up(releaser);
    }
}

/* From now on `self` waits for `key`: returns what is to be put into the store. Context: interrupts masked. */
static struct hrli_queue_node *begin_wait(struct hrl_thread *self, hrl_stamp key)
{
    struct hrli_global_timeout *timeout = &self->timeouts[hrlp_core_number()];

    HRLI_CHECK(hrli_core.timeouts != NULL, HRLI_NO_TIMEOUTS_REASON);
    timeout->called.node.key = key;
    timeout->is_stored = true;
    HRLP_SHOW(self->awaited_timeout, timeout);
    hrli_ready_remove(&hrli_core.ready, &self->ready);
    self->is_kept = false;
    return &timeout->called.node;
}

/* It may be ready again, and even claimed, before it has left its core. */
void hrli_global_wait(struct hrl_thread *self, hrl_stamp key, hrlp_irq_state state)
{
    struct hrli_queue_node *node = begin_wait(self, key);

    hrli_sync_unlock(state);
    hrli_core.timeouts->put(node);
    hrlp_cpu_request_switch(); /* allows dispatch */
}

/* Without the lock: nothing can wake the thread before its time-out is in the store, which is this core's. */
void hrli_global_sleep(struct hrl_thread *self, hrl_stamp key)
{
    struct hrli_queue_node *node;
    hrlp_irq_state state;

    hrli_global_forget(self);
    state = hrlp_irq_lock();
    self->wait.queue = NULL;
    node = begin_wait(self, key);
    hrlp_irq_unlock(state);
    hrli_core.timeouts->put(node);
    hrlp_cpu_request_switch(); /* allows dispatch */
}

#endif
