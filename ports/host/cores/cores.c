/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cores.h"
#include "hrlp_host_machine.h"
#include <hrl/kernel.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

/*
 * Several cores: each is a thread of the process, the first one its main thread. They share one clock. A core
 * either goes on or waits: for its turn, for an instant (it works until then, or is idle), for a lock, for the
 * meeting of all, for the end. One of those that can go on does so, drawn; or all do at once. If none can, the
 * clock goes on to the next instant for which one waits.
 */
enum { TURN_CALLS = 16 }; /* calls of the port in the longest turn, if the setup says nothing */
enum { LOOKS = 1000 };    /* of a core that waits for a lock, before it sleeps */
enum state { GONE, ASLEEP, WAITS, GOES_ON };

static struct core {
    enum state state;
    pthread_t thread;
    pthread_cond_t may_go_on;
    void *anchor; /* the address of `anchor` there */
    /* What it waits for: */
    hrl_counts until;
    uint32_t lines;       /* or that another core raises one of these */
    atomic_uint *awaited; /* or, instead, that this ... */
    unsigned value;       /* ... has this value; NULL: it waits for no such thing */
    atomic_uint raised;   /* lines, by other cores; not yet taken */
} cores[HRLP_HOST_CORES];

static struct {
    atomic_uint next;   /* ticket */
    atomic_uint served; /* ticket */
    atomic_uint holder; /* the core's number and 1; 0: none */
    atomic_uint asleep; /* so many cores wait for their turn, and do not look for it themselves */
} locks[HRLP_LOCKS];

/* All below, and `cores`, is changed under `guard`. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static unsigned going_on;   /* so many cores do */
static unsigned calls_left; /* of the port, in this turn */
static unsigned met;
static atomic_uint meetings;
static uint64_t drawn;
static _Atomic(const char *) ending; /* NULL: not yet */
static atomic_bool started;
static bool exist; /* the threads of the cores */

HRLP_PER_CORE unsigned hrlp_host_core;
static HRLP_PER_CORE char anchor;
static HRLP_PER_CORE jmp_buf core_ends;

/* SplitMix64: Steele, Lea and Flood (2014). */
static unsigned draw(unsigned below)
{
    uint64_t z = drawn += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (unsigned)((z ^ z >> 31) % below);
}

static bool can_go_on(struct core *core)
{
    if (core->state != WAITS || atomic_load(&ending) != NULL) {
        return core->state == WAITS;
    }
    if (core->awaited != NULL) {
        return atomic_load(core->awaited) == core->value;
    }
    return core->until <= hrlp_host_now() || (atomic_load(&core->raised) & core->lines) != 0;
}

static void let_go_on(struct core *core)
{
    core->state = GOES_ON;
    going_on++;
    (void)pthread_cond_signal(&core->may_go_on);
}

/* One of `count` cores has the turn, which is drawn. */
static void draw_turn(struct core **able, unsigned count)
{
    unsigned most = hrlp_host_setup.turn_calls == 0 ? TURN_CALLS : hrlp_host_setup.turn_calls;

    let_go_on(able[draw(count)]);
    calls_left = 1 + draw(most);
}

/* Lets one core go on that can, or all. False: none can. */
static bool let_some_go_on(void)
{
    struct core *able[HRLP_HOST_CORES];
    unsigned count = 0;

    for (unsigned i = 0; i < HRLP_HOST_CORES; i++) {
        able[count] = &cores[i];
        count += can_go_on(&cores[i]);
    }
    if (count == 0) {
        return false;
    }
    if (!hrlp_host_setup.at_once) {
        draw_turn(able, count);
        return true;
    }
    while (count-- > 0) {
        let_go_on(able[count]);
    }
    return true;
}

/* No core can go on before the next instant for which one waits. */
static void let_time_pass(void)
{
    hrl_counts next = UINT64_MAX;

    for (unsigned i = 0; i < HRLP_HOST_CORES; i++) {
        if (cores[i].state == WAITS && cores[i].awaited == NULL && cores[i].until < next) {
            next = cores[i].until;
        }
    }
    if (next != UINT64_MAX) {
        hrlp_host_advance(next);
        return;
    }
    for (unsigned i = 0; i < HRLP_HOST_CORES; i++) {
        if (cores[i].awaited != NULL) {
            hrlp_host_fatal("no core can go on, among them", i);
        }
    }
    atomic_store(&ending, "done");
}

/* The next core goes on, if none does, or all that can. Context: `guard` is held. */
static void choose(void)
{
    while ((going_on == 0 || hrlp_host_setup.at_once) && !let_some_go_on()) {
        if (going_on > 0) {
            return;
        }
        let_time_pass();
    }
}

/* What cores wait for may have come, if they run at once. Otherwise the one that goes on calls `choose` in time. */
static void choose_if_at_once(void)
{
    if (hrlp_host_setup.at_once && atomic_load(&started)) {
        (void)pthread_mutex_lock(&guard);
        choose();
        (void)pthread_mutex_unlock(&guard);
    }
}

/* Goes on when what it waits for has come; not at all, if the run ends. Context: `guard` is held; gives it. */
static void wait_for_it(struct core *self)
{
    if (atomic_load(&ending) == NULL) {
        self->state = WAITS;
        going_on--;
        choose();
        while (self->state != GOES_ON) {
            (void)pthread_cond_wait(&self->may_go_on, &guard);
        }
    }
    (void)pthread_mutex_unlock(&guard);
    if (atomic_load(&ending) != NULL) {
        hrlp_host_end(atomic_load(&ending));
    }
}

static void wait_for(hrl_counts until, uint32_t lines, atomic_uint *awaited, unsigned value)
{
    struct core *self = &cores[hrlp_host_core];

    (void)pthread_mutex_lock(&guard);
    self->until = until;
    self->lines = lines;
    self->awaited = awaited;
    self->value = value;
    wait_for_it(self);
}

void hrlp_host_wait_until(hrl_counts until, uint32_t lines)
{
    if (atomic_load(&started)) {
        wait_for(until, lines, NULL, 0);
    } else {
        hrlp_host_advance(until); /* before hrl_start there is one */
    }
}

void hrlp_host_wait_for_end(void)
{
    wait_for(UINT64_MAX, 0, NULL, 0);
}

bool hrlp_host_offer_turn(void)
{
    if (!atomic_load(&started)) {
        return false;
    }
    if (atomic_load(&ending) != NULL) {
        hrlp_host_end(atomic_load(&ending));
    }
    if (hrlp_host_setup.at_once) {
        return atomic_load_explicit(&cores[hrlp_host_core].raised, memory_order_relaxed) != 0;
    }
    if (calls_left > 0 && --calls_left > 0) {
        return false;
    }
    wait_for(0, 0, NULL, 0);
    return true;
}

/* ---- a core's thread -------------------------------------------------------------------------- */

/* From its reset on. */
static void *run_core(void *argument)
{
    struct core *self = argument;

    hrlp_host_core = (unsigned)(self - cores);
    (void)pthread_mutex_lock(&guard);
    self->anchor = &anchor;
    self->state = ASLEEP;
    (void)pthread_cond_broadcast(&self->may_go_on);
    while (self->state != GOES_ON) {
        (void)pthread_cond_wait(&self->may_go_on, &guard);
    }
    (void)pthread_mutex_unlock(&guard);
    if (setjmp(core_ends) == 0 && atomic_load(&ending) == NULL) {
        hrl_start();
    }
    (void)pthread_mutex_lock(&guard);
    self->state = GONE;
    going_on--;
    choose();
    (void)pthread_mutex_unlock(&guard);
    return NULL;
}

/* The cores have memory, and sleep. Context: core 0. */
static void make_cores(void)
{
    if (exist) {
        return;
    }
    (void)pthread_mutex_lock(&guard);
    exist = true;
    cores[0].anchor = &anchor;
    for (unsigned i = 0; i < HRLP_HOST_CORES; i++) {
        (void)pthread_cond_init(&cores[i].may_go_on, NULL);
        if (i > 0 && pthread_create(&cores[i].thread, NULL, run_core, &cores[i]) != 0) {
            hrlp_host_fatal("the process has no thread for core", i);
        }
        while (i > 0 && cores[i].state != ASLEEP) {
            (void)pthread_cond_wait(&cores[i].may_go_on, &guard);
        }
    }
    (void)pthread_mutex_unlock(&guard);
}

void hrlp_host_cores_start(void)
{
    make_cores();
    (void)pthread_mutex_lock(&guard);
    drawn = hrlp_host_setup.seed;
    going_on = 1;
    calls_left = 1;
    cores[0].state = GOES_ON;
    for (unsigned i = 1; i < HRLP_HOST_CORES; i++) {
        cores[i].state = WAITS;
        cores[i].until = 0;
        cores[i].awaited = NULL;
    }
    choose();
    atomic_store(&started, true);
    (void)pthread_mutex_unlock(&guard);
}

void hrlp_host_cores_meet(void)
{
    (void)pthread_mutex_lock(&guard);
    if (++met < HRLP_HOST_CORES) {
        struct core *self = &cores[hrlp_host_core];

        self->awaited = &meetings;
        self->value = atomic_load(&meetings) + 1u;
        wait_for_it(self);
    } else {
        met = 0;
        atomic_fetch_add(&meetings, 1u);
        choose();
        (void)pthread_mutex_unlock(&guard);
    }
    if (hrlp_host_core != 0) { /* it has the clock's interrupt, too */
        hrlp_host_timers_join(hrlp_host_setup.clock_start);
    }
}

const char *hrlp_host_cores_end(const char *status)
{
    const char *first = NULL;

    return atomic_compare_exchange_strong(&ending, &first, status) ? status : first;
}

void hrlp_host_cores_ended(void)
{
    if (hrlp_host_core != 0) {
        longjmp(core_ends, 1);
    }
    hrlp_host_cores_reset();
}

/* All are gone but core 0, and nothing is left of the run. */
void hrlp_host_cores_reset(void)
{
    if (exist) {
        (void)hrlp_host_cores_end("reset");
        (void)pthread_mutex_lock(&guard);
        going_on++; /* so that none that goes lets time pass */
        for (unsigned i = 1; i < HRLP_HOST_CORES; i++) {
            if (cores[i].state == WAITS || cores[i].state == ASLEEP) {
                let_go_on(&cores[i]);
            }
        }
        (void)pthread_mutex_unlock(&guard);
        for (unsigned i = 1; i < HRLP_HOST_CORES; i++) {
            (void)pthread_join(cores[i].thread, NULL);
        }
    }
    memset(cores, 0, sizeof cores);
    memset(locks, 0, sizeof locks);
    exist = false;
    atomic_store(&started, false);
    atomic_store(&ending, NULL);
    going_on = met = 0;
}

/* ---- what cores do to each other -------------------------------------------------------------- */

void hrlp_host_raise_on(unsigned core, unsigned line)
{
    hrlp_host_port_call();
    make_cores();
    atomic_fetch_or(&cores[core].raised, 1u << line);
    choose_if_at_once();
}

void hrlp_host_guard(bool begin)
{
    (void)(begin ? pthread_mutex_lock(&guard) : pthread_mutex_unlock(&guard));
}

uint32_t hrlp_host_raised_here(void)
{
    atomic_uint *raised = &cores[hrlp_host_core].raised;

    return atomic_load_explicit(raised, memory_order_relaxed) == 0 ? 0 : atomic_exchange(raised, 0);
}

/* What the compiler finds by the thread is at the same distance from each other in all. */
void *hrlp_host_core_object(void *own, unsigned core)
{
    make_cores();
    return (void *)((uintptr_t)own - (uintptr_t)&anchor + (uintptr_t)cores[core].anchor);
}

static bool has_it(unsigned lock)
{
    return atomic_load_explicit(&locks[lock].holder, memory_order_relaxed) == hrlp_host_core + 1u;
}

/*
 * Waits for the turn of `ticket`. Cores that run at once look for it themselves, as real ones do: waiting by `guard`, and any
 * order of tickets, would put accesses into an order in which the lock alone does not, and hide races from ThreadSanitizer.
 * After so many looks they do wait by `guard`, since the holder may wait for time, which passes only when no core goes on.
 */
static void wait_for_turn(unsigned lock, unsigned ticket)
{
    for (unsigned look = 0; look < LOOKS && hrlp_host_setup.at_once; look++) {
        if (atomic_load(&locks[lock].served) == ticket) {
            return;
        }
        (void)sched_yield();
    }
    atomic_fetch_add(&locks[lock].asleep, 1u);
    while (atomic_load(&locks[lock].served) != ticket) {
        wait_for(0, 0, &locks[lock].served, ticket);
    }
    atomic_fetch_sub(&locks[lock].asleep, 1u);
}

void hrlp_host_lock_take(unsigned lock)
{
    unsigned ticket;

    hrlp_host_port_call();
    if (!hrlp_host_is_masked() || has_it(lock)) {
        hrlp_host_fatal("interrupts are enabled, or the core has it: lock", lock);
    }
    ticket = atomic_fetch_add_explicit(&locks[lock].next, 1u, memory_order_relaxed);
    wait_for_turn(lock, ticket);
    atomic_store_explicit(&locks[lock].holder, hrlp_host_core + 1u, memory_order_relaxed);
    if (hrlp_host_setup.took_lock != NULL) {
        hrlp_host_setup.took_lock(hrlp_host_core, lock);
    }
}

void hrlp_host_lock_give(unsigned lock)
{
    hrlp_host_port_call();
    if (!has_it(lock)) {
        hrlp_host_fatal("another core has it, or none: lock", lock);
    }
    if (hrlp_host_setup.gives_lock != NULL) {
        hrlp_host_setup.gives_lock(hrlp_host_core, lock);
    }
    atomic_store_explicit(&locks[lock].holder, 0, memory_order_relaxed);
    atomic_fetch_add(&locks[lock].served, 1u);
    if (atomic_load(&locks[lock].asleep) != 0) {
        choose_if_at_once();
    }
}
