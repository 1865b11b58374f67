/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "play_run.h"
#include <stdlib.h>

/*
 * libFuzzer: the services of the kernel, through the player of tests/model. The input is a script: HEAD bytes say
 * what the system is, then RECORD bytes each are a thread, an interrupt or a call of the thread or interrupt
 * before. There is no model here that knows what has to come out; after every call the kernel's structures
 * have to be whole (play_check.h), no assertion fails, nothing that the sanitizers watch happens, and the
 * run ends. So instants may be any, and time may pass in the kernel, which the model does not cover.
 *
 * HRL_TRACE=1 in the environment prints what happens: fuzz_services crash-...
 */
enum {
    HEAD = 6,
    RECORD = 5,
    MOST_THREADS = 8,
    STEPS = 400,
    SHORTEST_TICK = 200,
    TICKED_COUNTS = 40000,
    MOST_SHIFT = 26 /* of a byte: waits beyond what a stamp can tell are reached in hops */
};

static struct script script;
static struct script_body *body;
static bool in_interrupt;
static hrl_counts instant; /* of the interrupt read last */

static void read_head(const uint8_t *bytes)
{
    static const uint32_t ceilings[] = {0, 0, 31, 4};

    /* A tick leaves time for what is done in it. */
    script = (struct script){.tick = (bytes[0] & 3) == 0 ? SHORTEST_TICK + bytes[0] : 0,
                             .pace = bytes[1] % 24,
                             .steps = STEPS,
                             .semaphore_count = 2,
                             .mutex_count = 3,
                             .queue_count = 2,
                             .pool_count = 2,
                             .event_count = 2,
                             .alarm_count = 3,
                             .alarms = {{'w', 0}, {'g', 1}, {'c', -1}}};
    script.duration = script.tick != 0 ? TICKED_COUNTS : (hrl_counts)1 << 35;
    for (unsigned i = 0; i < SCRIPT_OBJECTS; i++) {
        unsigned bits = (unsigned)bytes[2 + i] >> 2;

        script.semaphores[i].limit = 1u + (bytes[2 + i] & 3u);
        script.semaphores[i].initial = bits & 1u;
        script.mutexes[i].ceiling = ceilings[bits >> 1 & 3u];
        script.queues[i].capacity = 1u + (bits >> 3) % 3u;
        script.queues[i].words = 1u + (bits >> 4) % 3u;
        script.pools[i].blocks = 1u + bits % 3u;
    }
    body = NULL;
    instant = 0;
}

static uint32_t level_of(uint8_t byte)
{
    static const uint32_t levels[] = {1, 2, 2, 3, 3, 3, 4, 31};

    return levels[byte % 8u];
}

static void read_thread(const uint8_t *bytes)
{
    struct script_thread *thread;

    if (script.thread_count == MOST_THREADS) {
        return;
    }
    thread = &script.threads[script.thread_count++];
    thread->level = level_of(bytes[1]);
    thread->repeats = 1u + bytes[2] % 12u;
    thread->started = bytes[3] % 5 != 4;
    body = &thread->body;
    in_interrupt = false;
}

/* Some come at instants, some only when a call says so. */
static void read_interrupt(const uint8_t *bytes)
{
    struct script_interrupt *interrupt;

    if (script.interrupt_count == SCRIPT_INTERRUPTS) {
        return;
    }
    interrupt = &script.interrupts[script.interrupt_count++];
    instant += (hrl_counts)bytes[1] << bytes[2] % 8u;
    interrupt->at = bytes[3] % 3 == 2 ? 0 : instant;
    body = &interrupt->body;
    in_interrupt = true;
}

static int64_t amount_of(const struct play_verb *verb, uint8_t byte, uint8_t shift)
{
    int64_t amount = (int64_t)byte << shift % (script.tick != 0 ? 8u : MOST_SHIFT);

    if (verb->call == play_find("set-level")) {
        return level_of(byte);
    }
    if (byte == 1 && verb->object == PLAY_THREAD && !verb->in_interrupts) {
        return 1; /* to sleep for */
    }
    if (verb->object == PLAY_ALARM && shift >= 128) {
        return -amount;
    }
    return byte == 1 ? -1 : amount;
}

/* An interrupt does not wait. */
static bool has_amount(const struct play_verb *verb)
{
    return !in_interrupt || verb->call == play_find("alarm-start") ||
           verb->call == play_find("alarm-every");
}

/* Of an event; or of a periodic alarm, so long that expiries leave time for others. */
static uint32_t flags_of(const struct play_verb *verb, const uint8_t *bytes)
{
    if (verb->object == PLAY_ALARM) {
        return ((1u + bytes[3]) << (script.tick != 0 ? 8 : 22)) + bytes[2] / 8u % 4u;
    }
    return 1u + bytes[2] / 4u % 15u;
}

static void read_call(const uint8_t *bytes)
{
    const struct play_verb *verb = &play_verbs[bytes[1] % play_verb_count];
    struct script_call *call;

    if (body == NULL || body->count == SCRIPT_CALLS || (in_interrupt && !verb->in_interrupts)) {
        return;
    }
    call = &body->calls[body->count++];
    *call =
        (struct script_call){.verb = verb->call,
                             .object = bytes[2],
                             .amount = has_amount(verb) ? amount_of(verb, bytes[3], bytes[4]) : 0,
                             .flags = flags_of(verb, bytes),
                             .after = in_interrupt || bytes[4] % 3 != 1 ? 0 : bytes[4] / 8u,
                             .interrupt = bytes[4],
                             .number = ++script.calls};
}

static unsigned count_of(script_verb call)
{
    const unsigned counts[] = {script.thread_count, script.semaphore_count, script.mutex_count,
                               script.queue_count,  script.pool_count,      script.event_count,
                               script.alarm_count};
    unsigned i = 0;

    while (play_verbs[i].call != call) {
        i++;
    }
    return counts[play_verbs[i].object];
}

/* Objects and interrupts that there are. */
static void bound(struct script_body *calls)
{
    for (unsigned i = 0; i < calls->count; i++) {
        struct script_call *call = &calls->calls[i];

        call->object %= count_of(call->verb);
        call->after = script.interrupt_count == 0 ? 0 : call->after;
        call->interrupt %= script.interrupt_count == 0 ? 1 : script.interrupt_count;
    }
}

static void read_script(const uint8_t *bytes, size_t size)
{
    read_head(bytes);
    for (size_t at = HEAD; at + RECORD <= size; at += RECORD) {
        if (bytes[at] < 18 || body == NULL) {
            read_thread(&bytes[at]);
        } else if (bytes[at] < 36) {
            read_interrupt(&bytes[at]);
        } else {
            read_call(&bytes[at]);
        }
    }
    script.alarms[2].target = script.interrupt_count == 0 ? -1 : 0;
    for (unsigned i = 0; i < script.thread_count; i++) {
        bound(&script.threads[i].body);
    }
    for (unsigned i = 0; i < script.interrupt_count; i++) {
        bound(&script.interrupts[i].body);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size >= HEAD) {
        read_script(bytes, size);
        play_script(&script, getenv("HRL_TRACE") == NULL ? NULL : stderr);
    }
    return 0;
}
