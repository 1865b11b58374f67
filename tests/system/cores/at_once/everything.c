/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_machine.h"
#include <hrl/alarm.h>
#include <hrl/event.h>
#include <hrl/kernel.h>
#include <hrl/message_queue.h>
#include <hrl/mutex.h>
#include <hrl/pool.h>
#include <hrl/semaphore.h>
#include <hrl/spinlock.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Threads of all cores make random calls of all services on the same objects. Nothing of what they do is checked but what
 * only a lock keeps right: ThreadSanitizer looks for accesses that no order between cores keeps apart, the kernel's own
 * and those that are the services' users'. All waits have an end, so the program has one. With HRL_GLOBAL_THREADS all cores may
 * run the last worker of each, which makes no call that is for threads of one core.
 *
 *   everything [<rounds of each thread>]
 */
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);

enum {
    WORKERS = 2 /* of a core */,
    OF_ONE_CORE = WORKERS - HRL_GLOBAL_THREADS,
    STACK = 4096,
    LEVELS = 6,
    SPAN = 4,
    BLOCKS = 4,
    CALLS = 20,
    LEADER = 1,
    ASKED = 50
};

static uint64_t stacks[HRL_CORES][WORKERS + 1][STACK / 8];
static struct hrl_thread workers[HRL_CORES][WORKERS];
static struct hrl_thread victims[HRL_CORES]; /* that others suspend, resume, start again */
static unsigned rounds = 60;

static struct hrl_semaphore tokens = HRL_SEMAPHORE_INIT(1, 4);
static struct hrl_semaphore expiries = HRL_SEMAPHORE_INIT(0, 4);
HRL_MUTEX_DEFINE(outer);
HRL_MUTEX_DEFINE(inner);
HRL_EVENT_DEFINE(event);
HRL_MESSAGE_QUEUE_DEFINE(inbox, 8 * sizeof(uint32_t), 2);
HRL_POOL_DEFINE(pool, 4 * sizeof(uintptr_t), BLOCKS);
static struct hrl_spinlock spinlock = HRL_SPINLOCK_INIT(1);
static struct hrl_alarm alarms[HRL_CORES] = {
    [0 ... HRL_CORES - 1] = HRL_ALARM_INIT_GIVE(expiries),
};
static uint32_t behind_outer, behind_inner, behind_spinlock; /* counted there only */

/* What a worker draws from. */
struct worker {
    uint64_t drawn;
    bool is_global;
};
static struct worker states[HRL_CORES][WORKERS];

/* SplitMix64: Steele, Lea and Flood (2014). */
static uint32_t draw(struct worker *self, uint32_t below)
{
    uint64_t z = self->drawn += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) % below);
}

/* Not for ever. */
static hrl_counts soon(struct worker *self)
{
    return draw(self, 3) == 0 ? HRL_NO_WAIT : hrl_now() + draw(self, SPAN);
}

static void use_semaphore(struct worker *self)
{
    if (draw(self, 2) == 0) {
        (void)hrl_semaphore_take(draw(self, 2) == 0 ? &tokens : &expiries, soon(self));
    } else {
        (void)hrl_semaphore_give(&tokens);
    }
}

static void use_mutexes(struct worker *self)
{
    if (self->is_global) {
        return;
    }
    if (hrl_mutex_lock(&outer, soon(self)) != HRL_OK) {
        return;
    }
    behind_outer++;
    if (draw(self, 2) == 0 && hrl_mutex_lock(&inner, soon(self)) == HRL_OK) {
        behind_inner++;
        hrl_mutex_unlock(&inner);
    }
    hrl_mutex_unlock(&outer);
}

static void use_event(struct worker *self)
{
    uint32_t flags = 1u << draw(self, 4), seen;

    switch (draw(self, 3)) {
    case 0:
        hrl_event_set(&event, flags);
        break;
    case 1:
        hrl_event_clear(&event, flags);
        break;
    default:
        (void)hrl_event_wait(&event, flags, HRL_EVENT_CLEAR, soon(self), &seen);
    }
}

/* Every word of a message is of one sender. */
static void use_queue(struct worker *self)
{
    uint32_t message[8];

    if (draw(self, 2) == 0) {
        message[0] = draw(self, 1000);
        for (unsigned i = 1; i < 8; i++) {
            message[i] = message[0] + i;
        }
        (void)hrl_message_send(&inbox, message, soon(self));
        return;
    }
    if (hrl_message_receive(&inbox, message, soon(self)) != HRL_OK) {
        return;
    }
    for (unsigned i = 1; i < 8; i++) {
        if (message[i] != message[0] + i) {
            hrlp_cpu_print("a message of two senders\n");
            hrlp_cpu_halt(1);
        }
    }
}

static void use_pool(struct worker *self)
{
    void *block;

    if (hrl_pool_take(&pool, &block, soon(self)) != HRL_OK) {
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        ((uintptr_t *)block)[i] = draw(self, 1000);
    }
    if (draw(self, 2) == 0) {
        hrl_thread_yield();
    }
    hrl_pool_give(&pool, block);
}

static void use_spinlock(struct worker *self)
{
    (void)self;
    hrl_spinlock_take(&spinlock);
    behind_spinlock++;
    hrl_spinlock_give(&spinlock);
}

/* Of any core: each belongs to the one that starts it first. */
static void use_alarm(struct worker *self)
{
    struct hrl_alarm *alarm = &alarms[draw(self, HRL_CORES)];

    if (draw(self, 3) == 0) {
        (void)hrl_alarm_stop(alarm);
    } else {
        hrl_alarm_start_periodic(alarm, hrl_now() + draw(self, SPAN), HRL_PERIOD_COUNTS(2),
                                 1 + draw(self, 3));
    }
}

static struct hrl_thread *any_victim(struct worker *self)
{
    return &victims[draw(self, HRL_CORES)];
}

/* A thread that is not started may be asked for nothing: the victims end in the end only. */
static void use_victim(struct worker *self)
{
    struct hrl_thread *victim = any_victim(self);

    switch (draw(self, 5)) {
    case 0:
        hrl_thread_suspend(victim);
        break;
    case 1:
        hrl_thread_resume(victim);
        break;
    case 2:
        hrl_thread_set_priority(victim, 1 + draw(self, LEVELS));
        break;
    case 3:
        hrl_thread_set_priority(&workers[draw(self, HRL_CORES)][draw(self, OF_ONE_CORE)],
                                1 + draw(self, LEVELS));
        break;
    default:
        (void)hrl_thread_join(victim, soon(self));
    }
}

static void look(struct worker *self)
{
    struct hrl_thread *worker = &workers[draw(self, HRL_CORES)][draw(self, WORKERS)];

    (void)hrl_semaphore_count(&tokens);
    (void)hrl_message_count(&inbox);
    (void)hrl_event_flags(&event);
    (void)hrl_mutex_owner(&outer);
    (void)hrl_thread_get_priority(worker);
    (void)hrl_thread_state_of(worker);
    (void)hrl_thread_run_time(worker);
    (void)hrl_thread_state_of(any_victim(self));
}

static void let_others_run(struct worker *self)
{
    if (draw(self, 2) == 0) {
        hrl_thread_sleep_for(draw(self, SPAN));
    } else {
        hrl_thread_yield();
    }
}

static void (*const uses[])(struct worker *self) = {
    use_semaphore, use_mutexes, use_event,  use_queue, use_pool,
    use_spinlock,  use_alarm,   use_victim, look,      let_others_run,
};

static void work(void *argument)
{
    struct worker *self = argument;

    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned call = 0; call < CALLS; call++) {
            uses[draw(self, sizeof uses / sizeof uses[0])](self);
        }
    }
}

static struct hrl_semaphore end = HRL_SEMAPHORE_INIT(0, HRL_CORES);

static void be_a_victim(void *argument)
{
    struct worker *self = argument;

    while (hrl_semaphore_take(&end, HRL_NO_WAIT) != HRL_OK) {
        if (hrl_mutex_lock(&inner, soon(self)) == HRL_OK) {
            behind_inner++;
            hrl_mutex_unlock(&inner);
        }
        hrl_thread_sleep_for(1 + draw(self, SPAN));
    }
}

/* Starts threads of all cores that end at once, again and again, and ends the others. */
static void start_and_end(void *argument);
HRL_THREAD_DEFINE_ON(LEADER, leader, start_and_end, NULL, LEVELS + 1, STACK);

static struct hrl_thread short_lived[HRL_CORES];
static uint64_t short_stacks[HRL_CORES][STACK / 8];
static struct worker victim_states[HRL_CORES];

/* How often each was started, and has ended: it writes that itself, and the leader reads it once it has seen the end. */
static unsigned begun[HRL_CORES], ended[HRL_CORES];

static void do_little(void *argument)
{
    (void)hrl_semaphore_give(argument);
    ended[hrl_thread_current() - short_lived]++;
}

static bool asks; /* the leader; only its core looks at this */

/* While the leader asks, a thread that ends says so, and then waits for the lock that the leader has. */
static void be_slow(unsigned core, unsigned lock)
{
    (void)lock;
    if (core == LEADER && asks) {
        (void)usleep(20);
    }
}

/* Asks again and again, and for the thread of its own core waits. What the thread has done is looked at first of all. */
static void see_end(unsigned which)
{
    unsigned asked = 0;

    asks = which != LEADER;
    while (hrl_thread_join(&short_lived[which],
                           asks && asked < ASKED ? HRL_NO_WAIT : HRL_FOREVER) != HRL_OK) {
        asked++;
    }
    if (ended[which] != begun[which]) {
        hrlp_cpu_print("an end before what was done\n");
        hrlp_cpu_halt(1);
    }
    asks = false;
}

static struct hrl_thread thread(void (*entry)(void *), void *argument, unsigned core,
                                uint64_t *stack)
{
    return (struct hrl_thread){.name = "thread",
                               .stack = stack,
                               .stack_bytes = STACK,
                               .entry = entry,
                               .argument = argument,
                               .ready.base_priority = 3,
                               .core = (hrli_number)core};
}

static void start_and_end(void *argument)
{
    (void)argument;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned which =
            round / 2 % HRL_CORES; /* twice, so that it starts when it may still be on its stack */

        begun[which]++;
        hrl_thread_start(&short_lived[which]);
        see_end(which);
    }
    for (unsigned core = 0; core < HRL_CORES; core++) {
        for (unsigned which = 0; which < WORKERS; which++) {
            (void)hrl_thread_join(&workers[core][which], HRL_FOREVER);
        }
    }
    for (unsigned core = 0; core < HRL_CORES; core++) {
        hrl_thread_resume(&victims[core]);
        (void)hrl_semaphore_give(&end);
    }
    for (unsigned core = 0; core < HRL_CORES; core++) {
        (void)hrl_thread_join(&victims[core], HRL_FOREVER);
    }
    hrlp_cpu_print("all threads have ended\n");
    hrlp_cpu_halt(0);
}

#if HRL_GLOBAL_THREADS /* as threads have such fields only then */
static void make_global(struct hrl_thread *worker, struct worker *state, unsigned core)
{
    static struct hrli_global_timeout timeouts[HRL_CORES][HRL_CORES];

    worker->affinity = (1u << HRL_CORES) - 1u;
    worker->timeouts = timeouts[core];
    state->is_global = true;
}
#else
static void make_global(struct hrl_thread *worker, struct worker *state, unsigned core)
{
    (void)worker;
    (void)state;
    (void)core;
}
#endif

static void prepare(unsigned core, uint64_t seed)
{
    for (unsigned which = 0; which < WORKERS; which++) {
        states[core][which] = (struct worker){.drawn = seed + 8 * core + which};
        workers[core][which] = thread(work, &states[core][which], core, stacks[core][which]);
        if (which >= OF_ONE_CORE) {
            make_global(&workers[core][which], &states[core][which], core);
        }
        hrl_thread_start(&workers[core][which]);
    }
    victim_states[core] = (struct worker){.drawn = seed + 8 * core + WORKERS};
    victims[core] = thread(be_a_victim, &victim_states[core], core, stacks[core][WORKERS]);
    hrl_thread_start(&victims[core]);
    short_lived[core] = thread(do_little, &tokens, core, short_stacks[core]);
}

int main(int argc, char **argv)
{
    hrlp_host_setup.took_lock = be_slow;
    if (argc > 1) {
        rounds = (unsigned)strtoul(argv[1], NULL, 10);
    }
    for (unsigned core = 0; core < HRL_CORES; core++) {
        prepare(core, argc > 2 ? 1000 * strtoull(argv[2], NULL, 10) : 0);
    }
    hrl_thread_start(&leader);
    hrl_start();
}
