/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "play_script.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/message_queue.h>
#include <hrl/mutex.h>
#include <hrl/pool.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/*
 * Plays scripts from the standard input on the kernel, in virtual time, and prints what happened: README.md.
 * A script that the kernel cannot take ends the process.
 */
enum { SKIPPED = -1, SECONDS_PER_SCRIPT = 10, MOST_MESSAGES = 8, MOST_BLOCKS = 8 };

static struct script script;
static struct hrl_thread *threads[SCRIPT_THREADS];
static struct hrl_semaphore semaphores[SCRIPT_OBJECTS];
static struct hrl_mutex mutexes[SCRIPT_OBJECTS];
static struct hrl_message_queue queues[SCRIPT_OBJECTS];
static struct hrl_pool pools[SCRIPT_OBJECTS];
static unsigned steps, next_interrupt;

/* The interrupt that comes before a call of the port, at this instant and no later. */
static struct {
    unsigned calls; /* before it; 0: none will come */
    hrl_counts at;
    unsigned interrupt;
    bool raised;
} injection;

static hrl_counts until(int64_t amount)
{
    if (amount <= 0) {
        return amount == 0 ? HRL_NO_WAIT : HRL_FOREVER;
    }
    return hrl_now() + (hrl_counts)amount;
}

/* The calls. Each skips what its header forbids. */

static int64_t call_work(const struct script_call *call)
{
    hrlp_host_consume((hrl_counts)call->amount);
    hrlp_irq_unlock(hrlp_irq_lock()); /* interrupts of the instant at which it ends belong to it */
    return 0;
}

static int64_t call_take(const struct script_call *call)
{
    return hrl_semaphore_take(&semaphores[call->object], until(call->amount));
}

static int64_t call_give(const struct script_call *call)
{
    return hrl_semaphore_give(&semaphores[call->object]);
}

static int64_t call_count(const struct script_call *call)
{
    return hrl_semaphore_count(&semaphores[call->object]);
}

static int64_t call_sleep_for(const struct script_call *call)
{
    hrl_thread_sleep_for((hrl_counts)call->amount);
    return 0;
}

static int64_t call_sleep_until(const struct script_call *call)
{
    hrl_thread_sleep_until((hrl_counts)call->amount);
    return 0;
}

static int64_t call_state(const struct script_call *call)
{
    return hrl_thread_state_of(threads[call->object]);
}

static bool is_under_way(enum hrl_thread_state state)
{
    return state != HRL_THREAD_DORMANT && state != HRL_THREAD_ENDED;
}

static int64_t call_start(const struct script_call *call)
{
    enum hrl_thread_state state = hrl_thread_state_of(threads[call->object]);

    if (!is_under_way(state)) {
        hrl_thread_start(threads[call->object]);
    }
    return state;
}

static int64_t call_suspend(const struct script_call *call)
{
    enum hrl_thread_state state = hrl_thread_state_of(threads[call->object]);

    if (is_under_way(state)) {
        hrl_thread_suspend(threads[call->object]);
    }
    return state;
}

static int64_t call_resume(const struct script_call *call)
{
    hrl_thread_resume(threads[call->object]);
    return 0;
}

static int64_t call_yield(const struct script_call *call)
{
    (void)call;
    hrl_thread_yield();
    return 0;
}

static int64_t call_set_level(const struct script_call *call)
{
    hrl_thread_set_level(threads[call->object], (uint32_t)call->amount);
    return 0;
}

static int64_t call_get_level(const struct script_call *call)
{
    return hrl_thread_get_level(threads[call->object]);
}

static int64_t call_join(const struct script_call *call)
{
    struct hrl_thread *thread = threads[call->object];

    if (thread == hrl_thread_current() && call->amount != 0) {
        return SKIPPED;
    }
    return hrl_thread_join(thread, until(call->amount));
}

static int64_t call_lock(const struct script_call *call)
{
    struct hrl_mutex *mutex = &mutexes[call->object];
    struct hrl_thread *self = hrl_thread_current();

    if (hrl_mutex_owner(mutex) == self ||
        (mutex->ceiling != 0 && hrl_thread_get_level(self) > mutex->ceiling)) {
        return SKIPPED;
    }
    return hrl_mutex_lock(mutex, until(call->amount));
}

static int64_t call_unlock(const struct script_call *call)
{
    if (hrl_mutex_owner(&mutexes[call->object]) != hrl_thread_current()) {
        return SKIPPED;
    }
    hrl_mutex_unlock(&mutexes[call->object]);
    return 0;
}

static int64_t call_owner(const struct script_call *call)
{
    const struct hrl_thread *owner = hrl_mutex_owner(&mutexes[call->object]);
    int64_t thread = script.thread_count;

    while (--thread >= 0 && threads[thread] != owner) {
    }
    return thread; /* -1: nobody */
}

static int64_t call_send(const struct script_call *call)
{
    uint32_t message[SCRIPT_MESSAGE_WORDS];

    for (uint32_t word = 0; word < SCRIPT_MESSAGE_WORDS; word++) {
        message[word] = call->number + word;
    }
    return hrl_message_send(&queues[call->object], message, until(call->amount));
}

/* What came, behind the numbers of statuses. */
static int64_t call_receive(const struct script_call *call)
{
    uint32_t message[SCRIPT_MESSAGE_WORDS] = {0};
    enum hrl_status status =
        hrl_message_receive(&queues[call->object], message, until(call->amount));

    for (uint32_t word = 0; word < SCRIPT_MESSAGE_WORDS; word++) {
        bool sent = status == HRL_OK && word < queues[call->object].words;
        assert_int_equal(message[word], sent ? message[0] + word : 0);
    }
    return status == HRL_OK ? 10 + (int64_t)message[0] : status;
}

static int64_t call_messages(const struct script_call *call)
{
    return hrl_message_count(&queues[call->object]);
}

/* The blocks that have been borrowed; whoever returns one returns the last. */
static struct {
    void *blocks[MOST_BLOCKS];
    unsigned count;
} borrowed[SCRIPT_OBJECTS];

static int64_t call_borrow(const struct script_call *call)
{
    void *block = NULL;
    enum hrl_status status = hrl_pool_take(&pools[call->object], &block, until(call->amount));

    if (status == HRL_OK) {
        for (unsigned i = 0; i < borrowed[call->object].count; i++) {
            assert_ptr_not_equal(borrowed[call->object].blocks[i], block);
        }
        memset(block, 0xa5, pools[call->object].block_bytes);
        borrowed[call->object].blocks[borrowed[call->object].count++] = block;
    }
    return status;
}

static int64_t call_return(const struct script_call *call)
{
    if (borrowed[call->object].count == 0) {
        return SKIPPED;
    }
    hrl_pool_give(&pools[call->object],
                  borrowed[call->object].blocks[--borrowed[call->object].count]);
    return 0;
}

static bool owns_a_mutex(void)
{
    for (unsigned i = 0; i < script.mutex_count; i++) {
        if (hrl_mutex_owner(&mutexes[i]) == hrl_thread_current()) {
            return true;
        }
    }
    return false;
}

static int64_t call_exit(const struct script_call *call)
{
    (void)call;
    if (owns_a_mutex()) {
        return SKIPPED;
    }
    hrl_thread_exit();
}

static const struct {
    const char *name;
    script_verb verb;
} verbs[] = {
    {"work", call_work},           {"take", call_take},           {"give", call_give},
    {"count", call_count},         {"sleep-for", call_sleep_for}, {"sleep-until", call_sleep_until},
    {"state", call_state},         {"start", call_start},         {"suspend", call_suspend},
    {"resume", call_resume},       {"yield", call_yield},         {"set-level", call_set_level},
    {"get-level", call_get_level}, {"join", call_join},           {"exit", call_exit},
    {"lock", call_lock},           {"unlock", call_unlock},       {"owner", call_owner},
    {"send", call_send},           {"receive", call_receive},     {"messages", call_messages},
    {"borrow", call_borrow},       {"return", call_return},
};

static script_verb find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verbs[i].name, name) == 0) {
            return verbs[i].verb;
        }
    }
    return NULL;
}

/* Threads and interrupts. */

static void begin_call(unsigned thread, unsigned number, const struct script_call *call)
{
    if (steps == script.steps) {
        hrlp_host_end("enough");
    }
    steps++;
    printf("%" PRIu64 " t%u %u\n", hrlp_host_now(), thread, number);
    injection.calls = call == NULL ? 0 : call->after;
    injection.at = hrlp_host_now();
    injection.interrupt = call == NULL ? 0 : call->interrupt;
}

static void end_call(unsigned thread, unsigned number, int64_t result)
{
    injection.calls = 0;
    printf("%" PRIu64 " t%u %u = %" PRId64 "\n", hrlp_host_now(), thread, number, result);
}

static void run_thread(void *argument)
{
    const struct script_thread *self = argument;
    unsigned thread = (unsigned)(self - script.threads);

    for (unsigned round = 0; round < self->repeats; round++) {
        for (unsigned i = 0; i < self->body.count; i++) {
            const struct script_call *call = &self->body.calls[i];

            begin_call(thread, i, call);
            end_call(thread, i, call->verb(call));
        }
    }
    for (unsigned i = 0; i < script.mutex_count; i++) {
        if (hrl_mutex_owner(&mutexes[i]) == hrl_thread_current()) {
            begin_call(thread, self->body.count, NULL);
            hrl_mutex_unlock(&mutexes[i]);
            end_call(thread, self->body.count, 0);
        }
    }
    begin_call(thread, self->body.count, NULL);
}

static void run_interrupt(unsigned number)
{
    const struct script_body *body = &script.interrupts[number].body;

    printf("%" PRIu64 " i%u\n", hrlp_host_now(), number);
    for (unsigned i = 0; i < body->count; i++) {
        int64_t result = body->calls[i].verb(&body->calls[i]);
        printf("%" PRIu64 " i%u %u = %" PRId64 "\n", hrlp_host_now(), number, i, result);
    }
}

/* What an instant holds, in the order of the script, and the next that holds any. */
static void handle(void)
{
    if (injection.raised) {
        injection.raised = false;
        run_interrupt(injection.interrupt);
    }
    while (next_interrupt < script.interrupt_count &&
           script.interrupts[next_interrupt].at <= hrlp_host_now()) {
        if (script.interrupts[next_interrupt].at != 0) {
            run_interrupt(next_interrupt);
        }
        next_interrupt++;
    }
    if (next_interrupt < script.interrupt_count) {
        sut_interrupt_in(script.interrupts[next_interrupt].at - hrlp_host_now(), handle);
    }
}

/* Time stands still in the kernel. An interrupt that is to come now does so as soon as it is let. */
static hrl_counts before_port_call(void)
{
    if (injection.calls != 0 && --injection.calls == 0 && injection.at == hrlp_host_now()) {
        injection.raised = true;
        hrlp_host_raise(3, injection.at);
        hrlp_irq_unlock(hrlp_irq_lock());
    }
    return 0;
}

static void define_objects(void)
{
    static uint32_t slots[SCRIPT_OBJECTS][MOST_MESSAGES * SCRIPT_MESSAGE_WORDS];
    static uint64_t blocks[SCRIPT_OBJECTS][MOST_BLOCKS];

    for (unsigned i = 0; i < script.semaphore_count; i++) {
        semaphores[i] = (struct hrl_semaphore){.count = script.semaphores[i].initial,
                                               .limit = script.semaphores[i].limit};
    }
    for (unsigned i = 0; i < script.mutex_count; i++) {
        mutexes[i] = (struct hrl_mutex){.ceiling = script.mutexes[i].ceiling};
    }
    for (unsigned i = 0; i < script.queue_count; i++) {
        uint32_t capacity = script.queues[i].capacity, words = script.queues[i].words;
        queues[i] = (struct hrl_message_queue){.capacity = capacity,
                                               .words = words,
                                               .oldest = slots[i],
                                               .next = slots[i],
                                               .slots = slots[i],
                                               .end = slots[i] + (size_t)capacity * words};
    }
    for (unsigned i = 0; i < script.pool_count; i++) {
        borrowed[i].count = 0;
        pools[i] = (struct hrl_pool){.fresh = blocks[i],
                                     .end = blocks[i] + script.pools[i].blocks,
                                     .blocks = blocks[i],
                                     .block_bytes = sizeof blocks[i][0]};
    }
}

static void play(void)
{
    const char *status;

    sut_reset();
    hrlp_host_setup.port_call_counts = before_port_call;
    sut_add_releaser((struct sut_releaser){
        .one_shot = script.tick == 0, .cell_period = script.tick, .timeouts = true});
    steps = next_interrupt = 0;
    injection.calls = 0;
    injection.raised = false;
    define_objects();
    for (unsigned i = 0; i < script.thread_count; i++) {
        struct script_thread *thread = &script.threads[i];
        threads[i] = sut_define("thread", thread->level, run_thread, thread);
        if (thread->started) {
            hrl_thread_start(threads[i]);
        }
    }
    sut_interrupt_in(0, handle);
    status = sut_run(script.duration);
    printf("%" PRIu64 " %s\n.\n", hrlp_host_now(), status);
}

int main(void)
{
    static char buffer[1 << 16];

    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    while (script_read(stdin, &script, find_verb)) {
        (void)alarm(SECONDS_PER_SCRIPT);
        play();
        (void)fflush(stdout);
    }
    return 0;
}
