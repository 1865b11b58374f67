/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "play_run.h"
#include "hrlp_irq.h"
#include "play_check.h"
#include "system_under_test.h"
#include <inttypes.h>
#include <stdarg.h>

enum { MOST_AHEAD = 1 << 23 }; /* counts; what the cell of interrupts can time, halved */

struct play play;

static unsigned steps, next_interrupt;
static unsigned until_count; /* calls of the port before the next one that takes a count */

/* The interrupt that comes before a call of the port, at this instant and no later. */
static struct {
    unsigned calls; /* before it; 0: none will come */
    hrl_counts at;
    unsigned interrupt;
    bool raised;
} injection;

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
    va_list values;

    if (play.trace != NULL) {
        va_start(values, format);
        (void)vfprintf(play.trace, format, values);
        va_end(values);
    }
}

static void begin_call(unsigned thread, unsigned number, const struct script_call *call)
{
    if (steps == play.script->steps) {
        hrlp_host_end("enough");
    }
    steps++;
    play_check(true);
    say("%" PRIu64 " t%u %u\n", hrlp_host_now(), thread, number);
    injection.calls = call == NULL ? 0 : call->after;
    injection.at = hrlp_host_now();
    injection.interrupt = call == NULL ? 0 : call->interrupt;
}

static void end_call(unsigned thread, unsigned number, int64_t result)
{
    injection.calls = 0;
    play_check(true);
    say("%" PRIu64 " t%u %u = %" PRId64 "\n", hrlp_host_now(), thread, number, result);
}

static void run_thread(void *argument)
{
    const struct script_thread *self = argument;
    unsigned thread = (unsigned)(self - play.script->threads);

    for (unsigned round = 0; round < self->repeats; round++) {
        for (unsigned i = 0; i < self->body.count; i++) {
            const struct script_call *call = &self->body.calls[i];

            begin_call(thread, i, call);
            end_call(thread, i, call->verb(call));
        }
    }
    for (unsigned i = 0; i < play.script->mutex_count; i++) {
        if (hrl_mutex_owner(&play.mutexes[i]) == hrl_thread_current()) {
            begin_call(thread, self->body.count, NULL);
            hrl_mutex_unlock(&play.mutexes[i]);
            end_call(thread, self->body.count, 0);
        }
    }
    begin_call(thread, self->body.count, NULL);
}

static void run_interrupt(unsigned number)
{
    const struct script_body *body = &play.script->interrupts[number].body;

    say("%" PRIu64 " i%u\n", hrlp_host_now(), number);
    for (unsigned i = 0; i < body->count; i++) {
        int64_t result = body->calls[i].verb(&body->calls[i]);
        play_check(false);
        say("%" PRIu64 " i%u %u = %" PRId64 "\n", hrlp_host_now(), number, i, result);
    }
}

void play_alarm_function(void *script_alarm, uint32_t expiries)
{
    unsigned alarm = (unsigned)(uintptr_t)script_alarm;
    int64_t target = play.script->alarms[alarm].target;

    say("%" PRIu64 " a%u %" PRIu32 "\n", hrlp_host_now(), alarm, expiries);
    if (target >= 0) {
        play.in_function = true;
        run_interrupt((unsigned)target);
        play.in_function = false;
    }
}

/* What an instant holds, in the order of the script, and the next that holds any, or a hop to it. */
static void handle(void)
{
    hrl_counts ahead;

    play.in_interrupt = true;
    if (injection.raised) {
        injection.raised = false;
        run_interrupt(injection.interrupt);
    }
    while (next_interrupt < play.script->interrupt_count &&
           play.script->interrupts[next_interrupt].at <= hrlp_host_now()) {
        if (play.script->interrupts[next_interrupt].at != 0) {
            run_interrupt(next_interrupt);
        }
        next_interrupt++;
    }
    if (next_interrupt < play.script->interrupt_count) {
        ahead = play.script->interrupts[next_interrupt].at - hrlp_host_now();
        sut_interrupt_in(ahead < MOST_AHEAD ? ahead : MOST_AHEAD, handle);
    }
    play.in_interrupt = false;
}

/* Time may stand still in the kernel. An interrupt that is to come now does so as soon as it is let. */
static hrl_counts before_port_call(void)
{
    if (injection.calls != 0 && --injection.calls == 0 && injection.at == hrlp_host_now()) {
        injection.raised = true;
        hrlp_host_raise(3, injection.at);
        hrlp_irq_unlock(hrlp_irq_lock());
    }
    if (play.script->pace != 0 && --until_count == 0) {
        until_count = play.script->pace;
        return 1;
    }
    return 0;
}

void play_script(const struct script *script, FILE *trace)
{
    const char *status;

    play.script = script;
    play.trace = trace;
    sut_reset();
    hrlp_host_setup.port_call_counts = before_port_call;
    sut_add_releaser((struct sut_releaser){
        .one_shot = script->tick == 0, .cell_period = script->tick, .timeouts = true});
    steps = next_interrupt = 0;
    until_count = script->pace;
    injection.calls = 0;
    injection.raised = false;
    play.in_interrupt = play.in_function = false;
    play.starts_left = PLAY_STARTS;
    play_define_objects();
    for (unsigned i = 0; i < script->thread_count; i++) {
        const struct script_thread *thread = &script->threads[i];
        play.threads[i] = sut_define("thread", thread->level, run_thread, (void *)thread);
        if (thread->started) {
            hrl_thread_start(play.threads[i]);
        }
    }
    sut_interrupt_in(0, handle);
    status = sut_run(script->duration);
    say("%" PRIu64 " %s\n.\n", hrlp_host_now(), status);
}
