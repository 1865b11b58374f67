/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cores.h"
#include "hrlp_cpu.h"
#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "play_run.h"
#include "sync_lock.h"
#include "system_under_test.h"
#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Plays scripts for several cores (README.md) on the simulated machine in virtual time: one core runs at a time, so
 * that what follows needs no lock. A run is a process of its own, as it ends with all its cores.
 */
enum { SECONDS_PER_SCRIPT = 60, STACK_BYTES = 64, MOST_BLOCKS = 8, SKIPPED = -1, OWN_CELL = 2 };

struct play play;

static unsigned steps;
static bool started; /* the system: what was before is not told */

static struct {
    unsigned next; /* interrupt that has an instant, or one behind */
    bool in_interrupt;
    bool in_function;     /* of an alarm, in which interrupts may come */
    unsigned starts_left; /* of alarms by functions of alarms */
    unsigned
        calls; /* of the port, before an interrupt comes into a thread's call; 0: none will come */
    hrl_counts at; /* in this instant and no later */
    unsigned interrupt;
    bool raised;
} cores[HRL_CORES];

static struct hrl_thread threads[SCRIPT_THREADS], openers[HRL_CORES];
static uint64_t stacks[SCRIPT_THREADS + HRL_CORES][STACK_BYTES / 8];
static bool is_started[SCRIPT_THREADS];

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    (void)vprintf(format, values);
    va_end(values);
}

/* ---- calls that are others than on one core ----------------------------------------------------- */

/* Each thread returns the block that it borrowed last. */
static struct {
    void *blocks[MOST_BLOCKS];
    unsigned count;
} borrowed[SCRIPT_THREADS][SCRIPT_OBJECTS];

static unsigned self(void)
{
    return (unsigned)(hrl_thread_current() - threads);
}

static int64_t call_borrow(const struct script_call *call)
{
    hrl_counts until = call->amount < 0 ? HRL_FOREVER : HRL_NO_WAIT;
    unsigned thread = self();
    enum hrl_status status;
    void *block;

    if (call->amount > 0) {
        until = hrl_now() + (hrl_counts)call->amount;
    }
    status = hrl_pool_take(&play.pools[call->object], &block, until);
    if (status == HRL_OK) {
        memset(block, 0xa5, play.pools[call->object].block_bytes);
        borrowed[thread][call->object].blocks[borrowed[thread][call->object].count++] = block;
    }
    return status;
}

static int64_t call_return(const struct script_call *call)
{
    unsigned thread = self();

    if (borrowed[thread][call->object].count == 0) {
        return SKIPPED;
    }
    hrl_pool_give(&play.pools[call->object],
                  borrowed[thread][call->object].blocks[--borrowed[thread][call->object].count]);
    return 0;
}

/* A thread is started for the first time on any core; more is not allowed. */
static int64_t call_launch(const struct script_call *call)
{
    if (is_started[call->object]) {
        return SKIPPED;
    }
    is_started[call->object] = true;
    hrl_thread_start(&threads[call->object]);
    return 0;
}

/* Interrupts make no such calls; functions of alarms do, and start so many on each core. */
static int64_t call_alarm(const char *name, const struct script_call *call, bool starts)
{
    unsigned core = hrlp_core_number();

    play.in_interrupt = cores[core].in_interrupt;
    play.in_function = cores[core].in_function;
    play.starts_left = cores[core].starts_left;
    if (starts && !play.in_interrupt && play.in_function && play.starts_left > 0) {
        cores[core].starts_left--;
    }
    return play_find(name)(call);
}

static int64_t call_alarm_start(const struct script_call *call)
{
    return call_alarm("alarm-start", call, true);
}

static int64_t call_alarm_every(const struct script_call *call)
{
    return call_alarm("alarm-every", call, true);
}

static int64_t call_alarm_stop(const struct script_call *call)
{
    return call_alarm("alarm-stop", call, false);
}

/* Of alarms of this core only: one that has no core yet may be another core's when the call has the lock. */
static int64_t call_alarm_next(const struct script_call *call)
{
    return play.alarms[call->object].home == hrlp_core_number() + 1u
               ? call_alarm("alarm-next", call, false)
               : SKIPPED;
}

static const struct {
    const char *name;
    script_verb call;
} verbs[] = {
    {"borrow", call_borrow},           {"return", call_return},
    {"launch", call_launch},           {"alarm-start", call_alarm_start},
    {"alarm-every", call_alarm_every}, {"alarm-stop", call_alarm_stop},
    {"alarm-next", call_alarm_next},
};

static script_verb find(const char *name)
{
    for (unsigned i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verbs[i].name, name) == 0) {
            return verbs[i].call;
        }
    }
    return play_find(name);
}

/* Makes the calls of an interrupt on the alarm's core: in a thread's call, in the dispatch, or in the handler of time-outs. */
void play_alarm_function(void *script_alarm, uint32_t expiries)
{
    unsigned alarm_number = (unsigned)(uintptr_t)script_alarm, core = hrlp_core_number();
    int64_t target = play.script->alarms[alarm_number].target;

    say("%" PRIu64 " a%u %" PRIu32 "\n", hrlp_host_now(), alarm_number, expiries);
    if (target >= 0) {
        const struct script_body *body = &play.script->interrupts[target].body;

        cores[core].in_function = true;
        for (unsigned i = 0; i < body->count; i++) {
            int64_t result = body->calls[i].verb(&body->calls[i]);

            say("%" PRIu64 " a%u %u = %" PRId64 "\n", hrlp_host_now(), alarm_number, i, result);
        }
        cores[core].in_function = false;
    }
}

/* ---- threads and interrupts --------------------------------------------------------------------- */

static void begin_call(unsigned thread, unsigned number, const struct script_call *call)
{
    unsigned core = hrlp_core_number();

    if (steps == play.script->steps) {
        hrlp_host_end("enough");
    }
    steps++;
    say("%" PRIu64 " t%u %u\n", hrlp_host_now(), thread, number);
    cores[core].calls = 0;
    if (call != NULL && call->after != 0 && play.script->interrupts[call->interrupt].core == core) {
        cores[core].calls = call->after;
        cores[core].at = hrlp_host_now();
        cores[core].interrupt = call->interrupt;
    }
}

static void run_thread(void *argument)
{
    const struct script_thread *own = argument;
    unsigned thread = (unsigned)(own - play.script->threads);

    for (unsigned round = 0; round < own->repeats; round++) {
        for (unsigned i = 0; i < own->body.count; i++) {
            const struct script_call *call = &own->body.calls[i];
            int64_t result;

            begin_call(thread, i, call);
            result = call->verb(call);
            cores[hrlp_core_number()].calls = 0;
            say("%" PRIu64 " t%u %u = %" PRId64 "\n", hrlp_host_now(), thread, i, result);
        }
    }
    begin_call(thread, own->body.count, NULL);
}

static void run_interrupt(unsigned number)
{
    const struct script_body *body = &play.script->interrupts[number].body;

    say("%" PRIu64 " i%u\n", hrlp_host_now(), number);
    for (unsigned i = 0; i < body->count; i++) {
        int64_t result = body->calls[i].verb(&body->calls[i]);
        say("%" PRIu64 " i%u %u = %" PRId64 "\n", hrlp_host_now(), number, i, result);
    }
}

/* Of this core: what is due, in the order of the script; then its cell is for the next instant that holds any. */
static void serve_interrupts(void)
{
    unsigned core = hrlp_core_number();
    unsigned *next = &cores[core].next;

    if (cores[core].raised) {
        cores[core].raised = false;
        run_interrupt(cores[core].interrupt);
    }
    for (; *next < play.script->interrupt_count; (*next)++) {
        const struct script_interrupt *one = &play.script->interrupts[*next];

        if (one->core != core || one->at == 0) {
            continue;
        }
        if (one->at > hrlp_host_now()) {
            hrlp_irq_state state = hrlp_irq_lock();

            hrlp_host_arm(OWN_CELL, (hrl_stamp)one->at);
            hrlp_irq_unlock(state);
            return;
        }
        run_interrupt(*next);
    }
}

void host_cell2(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrlp_host_acknowledge(OWN_CELL);
    cores[hrlp_core_number()].in_interrupt = true;
    hrlp_irq_unlock(state);
    serve_interrupts();
    cores[hrlp_core_number()].in_interrupt = false;
}

/* The first thread of each core. */
static void open_core(void *argument)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)argument;
    hrlp_host_prepare(OWN_CELL, HRL_INTERRUPT_KERNEL);
    hrlp_irq_unlock(state);
    serve_interrupts();
}

/* An interrupt that is to come into a call does so as soon as it is let. */
static hrl_counts before_port_call(void)
{
    unsigned core = hrlp_core_number();

    if (cores[core].calls != 0 && --cores[core].calls == 0 && cores[core].at == hrlp_host_now()) {
        cores[core].raised = true;
        hrlp_host_raise(OWN_CELL, hrlp_host_now());
        hrlp_irq_unlock(hrlp_irq_lock());
    }
    return 0;
}

/* ---- what is told beside -------------------------------------------------------------------------- */

static bool is_opener(const struct hrl_thread *thread)
{
    return thread >= openers && thread < openers + HRL_CORES;
}

/*
 * A core changes what all share: from here on the others see it. Or it takes those that others have woken; or does so for
 * an alarm, in the handler of time-outs.
 */
static void took_lock(unsigned core, unsigned lock)
{
    bool in_interrupt = hrlp_cpu_in_interrupt();

    if (!started || lock != HRLI_LOCK_OF_SERVICES) {
        return;
    }
    if (in_interrupt && !cores[core].in_interrupt) {
        say("%" PRIu64 " %c%u\n", hrlp_host_now(),
            hrlp_host_is_active(HRLP_HOST_DOORBELL) ? 'd' : 'e', core);
    } else if (in_interrupt || !is_opener(hrl_thread_current())) {
        say("%" PRIu64 " c%u\n", hrlp_host_now(), core);
    }
}

/* A core begins to serve its time-outs. */
static void observe(char kind, unsigned index, hrl_counts value)
{
    (void)value;
    if (kind == 'I' && index == 0) {
        say("%" PRIu64 " w%u\n", hrlp_host_now(), hrlp_core_number());
    }
}

static void finish(const char *status)
{
    say("%" PRIu64 " %s\n.\n", hrlp_host_now(), status);
    (void)fflush(stdout);
    _exit(0);
}

static void define(struct hrl_thread *thread, unsigned stack, uint32_t level, void (*entry)(void *),
                   void *argument, unsigned core)
{
    *thread = (struct hrl_thread){.name = "thread",
                                  .stack = stacks[stack],
                                  .stack_bytes = STACK_BYTES,
                                  .entry = entry,
                                  .argument = argument,
                                  .ready.base_priority = (hrli_kept_level)level,
                                  .core = (hrli_number)core};
}

static void play_on_cores(const struct script *script)
{
    play.script = script;
    hrlp_host_reset();
    hrlp_host_setup.duration = script->duration;
    hrlp_host_setup.limit = 2 * script->duration + 1000000;
    hrlp_host_setup.seed = script->seed;
    hrlp_host_setup.turn_calls = script->turn;
    hrlp_host_setup.port_call_counts = before_port_call;
    hrlp_host_setup.took_lock = took_lock;
    hrlp_host_setup.observe = observe;
    hrlp_host_setup.finish = finish;
    play_define_objects();
    for (unsigned core = 0; core < HRL_CORES; core++) {
        cores[core].starts_left = PLAY_STARTS;
        define(&openers[core], SCRIPT_THREADS + core, HRL_PRIORITIES - 1, open_core, NULL, core);
        hrl_thread_start(&openers[core]);
    }
    for (unsigned i = 0; i < script->thread_count; i++) {
        const struct script_thread *thread = &script->threads[i];

        play.threads[i] = &threads[i];
        define(&threads[i], i, thread->level, run_thread, (void *)thread, thread->core);
        is_started[i] = thread->started;
        if (thread->started) {
            hrl_thread_start(&threads[i]);
        }
    }
    started = true;
    hrl_start();
}

int main(void)
{
    static struct script script;
    static char buffer[1 << 16];

    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    while (script_read(stdin, &script, find)) {
        pid_t child = fork();
        int status;

        if (child == 0) {
            (void)alarm(SECONDS_PER_SCRIPT);
            play_on_cores(&script);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            return 1;
        }
    }
    return 0;
}
