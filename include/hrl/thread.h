/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_THREAD_H
#define HRL_THREAD_H

#include <hrl/objects.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Threads: a stack of their own, a priority, and either a function that runs once or, in generated
 * systems, a body that runs once a release.
 *
 *     HRL_THREAD_DEFINE(blinker, blink, NULL, 3, 512);
 *     int main(void) { hrl_thread_start(&blinker); hrl_start(); }
 *
 * Priorities are 1 to HRL_PRIORITIES - 1 (31, unless the build has more), larger is more urgent; within a
 * priority first come, first served, but for threads that masks release (systems with such a plan):
 * these come before the others of their priority, in the order of their rank. A call without a word
 * about its cost takes constant time.
 *
 * Contexts, here and in the other headers. "A thread" is code of a thread, with interrupts masked or
 * not, the idle thread's included. "A thread that may wait" is one other than the idle thread, with
 * interrupts enabled, that holds no resource; a call that waits is for these only, even if it would
 * find at once what it asks for. What "an interrupt" may call, handlers up to the kernel's priority
 * may, functions that alarms call, basic tasks, and start-up code before hrl_start. With checks a
 * call from anywhere else stops in hrl_assert_hook, with a reason that begins with its name.
 * docs/guide/contexts.md has them all in one table.
 *
 * With several cores (HRL_CORES) calls are for threads of any core. hrl_thread_suspend, hrl_thread_resume and
 * hrl_thread_set_priority of a thread of another core return at once, and never wait for that core: so two
 * threads may suspend each other. They take effect at that core's next dispatch, for which they ring: it is late by no
 * more than the interrupts and the time for which dispatch is held off or interrupts are masked there. Of
 * several such calls the last one holds. hrl_thread_state_of tells when a suspension has taken effect.
 */
struct hrl_thread {
    struct hrli_ready_node ready; /* first: a node of the ready queue is a thread */
    void *stack_pointer;          /* while it does not run */
    const HRLI_FLASH char *name;
    void *stack;
    hrli_number stack_bytes;
    void (*entry)(void *argument); /* NULL: of a periodic thread, and of idle */
    void *argument;
    struct hrli_wait wait;
    struct hrli_queue_node timeout; /* its place in the store of time-outs */
    volatile uint8_t timeout_state; /* enum hrli_timeout_state (thread/wait.h); right behind */
    volatile uint8_t wait_status;   /* an enum hrl_status, or HRLI_WAITING */
    volatile bool suspended;        /* it does not run, even if its wait has ended */
    uint8_t life;                   /* enum hrli_life */
    struct hrli_wait_queue joiners;
    struct hrl_mutex *held;    /* the first of its mutexes that count for its priority */
    struct hrl_mutex *awaited; /* the mutex that it waits for, or NULL */
#if HRL_RUN_TIME               /* as every thread would be larger by it */
    hrl_counts run_time;       /* kernel/thread/run_time.h */
#endif
#if HRL_CORES > 1     /* likewise */
    hrli_number core; /* where it runs, from its start on */
    struct hrl_thread
        *next; /* of the threads that its core is to make ready (kernel/thread/woken.h) */
    volatile bool is_woken; /* it is among these */
    bool is_changed;        /* another core has changed it (kernel/thread/change_elsewhere.h) */
    struct hrl_thread *next_changed; /* of these */
#endif
#if HRL_GLOBAL_THREADS    /* likewise; kernel/thread/global.h */
    hrli_number affinity; /* the cores that may run it, a bit each; 0: it is one core's */
    hrli_number on;       /* 1 more than the core that has its registers; 0: its stack has them */
    hrli_number claimed;  /* 1 more than the core that is asked to look at it; 0: none is */
    bool is_offered;      /* it is ready, and runs on no core */
    struct hrli_global_timeout *timeouts;        /* one for each core's store */
    struct hrli_global_timeout *awaited_timeout; /* of these; NULL: it waits for no instant */
    bool is_kept; /* it is in the ready queue of its core, which no other core looks at */
#endif
#if HRL_RUN_TIME && HRL_CORES > 1 /* likewise */
    struct {
        uint32_t high_before, low, high_behind; /* written in this order */
    } run_time_shown;                           /* as other cores see it */
#endif
};

#if HRL_GLOBAL_THREADS /* as above */
/* What a thread that may run on several cores has in the store of time-outs of each. */
struct hrli_global_timeout {
    struct hrli_called_timeout called;
    struct hrl_thread *thread;
    volatile bool is_stored; /* only its core looks at this */
};
#endif

/* As FreeRTOS' and Zephyr's: for people and debuggers, as of the moment of the call. */
enum hrl_thread_state {
    HRL_THREAD_DORMANT, /* not started yet */
    HRL_THREAD_RUNNING,
    HRL_THREAD_READY,
    HRL_THREAD_WAITING, /* for an instant, a release or an object */
    HRL_THREAD_SUSPENDED,
    HRL_THREAD_ENDED
};

/*
 * Defines the thread `thread_name`, dormant, with its stack: `bytes` is a multiple of 8. `function`
 * is called with `pointer` once it is started; returning from it is hrl_thread_exit. At file scope.
 */
#ifdef __cplusplus    /* has no designated initialisers before C++20 */
#if HRL_RELEASE_MASKS /* as the node has more fields */
#define HRLI_READY_FIELDS(priority)                                                                \
    {                                                                                              \
        {}, 0, priority, 0, 0                                                                      \
    }
#else
#define HRLI_READY_FIELDS(priority)                                                                \
    {                                                                                              \
        {}, 0, priority                                                                            \
    }
#endif
#if HRL_RUN_TIME /* as the thread has one more field */
#define HRLI_RUN_TIME_FIELD , 0
#else
#define HRLI_RUN_TIME_FIELD
#endif
#define HRLI_THREAD_FIELDS(text, function, pointer, priority, words)                               \
    HRLI_READY_FIELDS(priority), nullptr, text, words, sizeof words, function, pointer, {}, {}, 0, \
        0, false, 0, {}, nullptr, nullptr HRLI_RUN_TIME_FIELD
#else
#define HRLI_THREAD_FIELDS(text, function, pointer, priority, words)                               \
    .ready.base_priority = (priority), .name = (text), .stack = (words),                           \
    .stack_bytes = sizeof(words), .entry = (function), .argument = (pointer)
#endif
#define HRL_THREAD_DEFINE(thread_name, function, pointer, priority, bytes)                         \
    HRLI_THREAD_DEFINE_REQUIRES(priority, bytes)                                                   \
    static uint64_t thread_name##_stack[(bytes) / 8];                                              \
    HRLI_NAME_DEFINE(thread_name)                                                                  \
    struct hrl_thread thread_name = {HRLI_THREAD_FIELDS(HRLI_NAME(thread_name), function, pointer, \
                                                        priority, thread_name##_stack)}

/*
 * The same of a thread that runs on core `number`, in memory of that core (hrl/types.h, HRL_ON_CORE). Others run on
 * core 0.
 */
#define HRL_THREAD_DEFINE_ON(number, thread_name, function, pointer, priority, bytes)              \
    HRLI_THREAD_DEFINE_REQUIRES(priority, bytes)                                                   \
    HRLI_STATIC_ASSERT((number) < HRL_CORES, "the system has no such core");                       \
    HRL_ON_CORE(number) static uint64_t thread_name##_stack[(bytes) / 8];                          \
    HRLI_NAME_DEFINE(thread_name)                                                                  \
    HRL_ON_CORE(number)                                                                            \
    struct hrl_thread thread_name = {HRLI_THREAD_FIELDS(HRLI_NAME(thread_name), function, pointer, \
                                                        priority, thread_name##_stack)             \
                                         HRLI_CORE_FIELD(number)}

/*
 * The same of a thread that any core of `cores`, a bit each, may run, in memory that all cores share. Of the ready threads
 * the most urgent run, one a core, as they are allowed to: none waits while one of its cores runs a less urgent one, but
 * for the time that a core takes to look. Among equals, those of a core come first. An application with such threads says
 * GLOBAL_THREADS. They keep their priority, are not suspended, and lock no mutex, start and stop no alarm.
 */
#define HRL_THREAD_DEFINE_GLOBAL(cores, thread_name, function, pointer, priority, bytes)           \
    HRLI_THREAD_DEFINE_REQUIRES(priority, bytes)                                                   \
    HRLI_STATIC_ASSERT(HRL_GLOBAL_THREADS, "the application says GLOBAL_THREADS");                 \
    HRLI_STATIC_ASSERT((cores) > 0 && (cores) < 1u << HRL_CORES, "the system has no such core");   \
    static uint64_t thread_name##_stack[(bytes) / 8];                                              \
    static struct hrli_global_timeout thread_name##_timeouts[HRL_CORES];                           \
    HRLI_NAME_DEFINE(thread_name)                                                                  \
    struct hrl_thread thread_name = {HRLI_THREAD_FIELDS(HRLI_NAME(thread_name), function, pointer, \
                                                        priority, thread_name##_stack)             \
                                         HRLI_GLOBAL_FIELDS(cores, thread_name##_timeouts)}
#ifdef __cplusplus /* has no designated initialisers before C++20 */
#define HRLI_GLOBAL_FIELDS(cores, words)                                                           \
    , 0, nullptr, false, false, nullptr, cores, 0, 0, false, words, nullptr
#else
#define HRLI_GLOBAL_FIELDS(cores, words) , .affinity = (cores), .timeouts = (words)
#endif

#define HRLI_THREAD_DEFINE_REQUIRES(priority, bytes)                                               \
    HRLI_STATIC_ASSERT((bytes) % 8 == 0 && (bytes) > 0, "a stack is a multiple of 8 bytes");       \
    HRLI_STATIC_ASSERT((priority) >= 1 && (priority) < HRL_PRIORITIES,                             \
                       "the priority of a thread is from 1 to HRL_PRIORITIES - 1");
#if HRL_CORES == 1 /* as threads have no such field then */
#define HRLI_CORE_FIELD(number)
#elif defined __cplusplus /* has no designated initialisers before C++20 */
#define HRLI_CORE_FIELD(number) , number
#else
#define HRLI_CORE_FIELD(number) , .core = (number)
#endif

/*
 * The initialiser of one, for arrays, with its name, a text, and a stack of its own, an array of
 * uint64_t:
 *
 *     static uint64_t stacks[2][512 / 8];
 *     struct hrl_thread workers[2] = {HRL_THREAD_INIT("left", work, &left, 3, stacks[0]),
 *                                     HRL_THREAD_INIT("right", work, &right, 3, stacks[1])};
 */
#define HRL_THREAD_INIT(text, function, pointer, priority, words)                                  \
    {                                                                                              \
        HRLI_THREAD_FIELDS(HRLI_TEXT(text), function, pointer,                                     \
                           (priority) + HRLI_THREAD_REQUIRES(priority, words), words)              \
    }
#define HRLI_THREAD_REQUIRES(priority, words)                                                      \
    HRLI_REQUIRE((priority) >= 1 && (priority) < HRL_PRIORITIES && sizeof(words)[0] == 8)

/*
 * Lets a dormant or ended thread begin at its priority. It runs at once if it is more urgent than the
 * caller; before hrl_start it waits for that. Two starts of the same thread at once are an error.
 * Context: a thread, start-up. Cost: in proportion to its stack, which is painted for
 * hrl_thread_stack_unused, interrupts on. A thread of another core that has just ended may still be on its
 * stack: the call waits, interrupts on, until that core has switched from it.
 */
void hrl_thread_start(struct hrl_thread *thread);

/*
 * As hrl_thread_start, but the thread is suspended from the start and begins when it is resumed:
 * for threads that are prepared one after the other. Context and cost: as hrl_thread_start.
 */
void hrl_thread_start_suspended(struct hrl_thread *thread);

/*
 * Ends the calling thread, which holds no mutex; the threads that join it go on. Context: a thread
 * that may wait and is not periodic. Cost: in proportion to the threads that join it, interrupts on
 * between two of them.
 */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void hrl_thread_exit(void);

/*
 * Waits until `thread` has ended: HRL_OK, HRL_WOULD_WAIT or HRL_TIMED_OUT. Context: a thread that
 * may wait; with HRL_NO_WAIT also any other and an interrupt. Cost: constant, and for an instant an
 * insertion into the store of time-outs.
 */
enum hrl_status hrl_thread_join(struct hrl_thread *thread, hrl_counts until);

/*
 * Keeps `thread`, which has been started, from running until it is resumed. Meanwhile the thread
 * may still be given what it waits for, or its wait may time out. Suspensions are not counted: one
 * resume ends any number of them. Not for periodic threads. A thread of another core may go on until that core
 * dispatches, as said above. Context: a thread, start-up; of the caller itself, a thread that may wait.
 */
void hrl_thread_suspend(struct hrl_thread *thread);

/*
 * Ends a suspension; does nothing to a thread that is not suspended. Context: a thread, an
 * interrupt.
 */
void hrl_thread_resume(struct hrl_thread *thread);

/* Lets the other ready threads of the caller's priority run first. Context: a thread that may wait. */
void hrl_thread_yield(void);

/*
 * `get` returns the priority that a thread was given; `set` gives it a new one. The thread becomes the
 * last of the new priority, or the first if it is the running thread; the same priority again changes
 * nothing. A higher priority that the thread inherits from threads that wait for its mutexes holds
 * until it unlocks them. A thread that waits for a mutex with a ceiling may not get a priority above
 * that ceiling, and a caller that holds a resource may not change its own priority. Context: a thread,
 * start-up; `get`: any.
 */
uint32_t hrl_thread_get_priority(const struct hrl_thread *thread);
void hrl_thread_set_priority(struct hrl_thread *thread, uint32_t priority);

/*
 * Waits until `instant`, or for `span`, in counts of hrl_now. A loop that adds its period to an
 * instant and sleeps until then does not drift. For an instant that has passed the call does not
 * wait, but other threads of the priority may run first. Context: a thread that may wait. Cost: an
 * insertion into the store of time-outs, interrupts on.
 */
void hrl_thread_sleep_until(hrl_counts instant);
void hrl_thread_sleep_for(hrl_counts span);

/*
 * Ends the calling periodic thread's job and waits for its next release.
 *
 * Returns the number of releases that were skipped because the job was still running when they fell
 * (always 0 with overrun policy "queue", where late jobs follow one another without waiting).
 * Context: a periodic thread that may wait. The kernel's own thread loop calls it between two
 * bodies; a body that loops by itself may call it instead of returning.
 */
uint32_t hrl_release_wait(void);

/* The name given in the description; a constant string, on AVR in flash. Context: any. */
const HRLI_FLASH char *hrl_thread_name(const struct hrl_thread *thread);

/*
 * What `thread` is doing. A thread of another core that was suspended is said to be running until that core has switched
 * from it; of a periodic thread only its own core can tell. Context: any.
 */
enum hrl_thread_state hrl_thread_state_of(const struct hrl_thread *thread);

/*
 * The bytes of its stack that `thread` has never used since it was started: its low end is still
 * painted. On the host port, which has stacks of its own, all of them. Context: any. Cost: in
 * proportion to the result.
 */
uint32_t hrl_thread_stack_unused(const struct hrl_thread *thread);

/*
 * How many releases of `thread` fell while its previous job was unfinished, modulo 2^32; known when
 * the late job has ended. Context: any.
 */
uint32_t hrl_thread_overruns(const struct hrl_thread *thread);

/*
 * For how many counts `thread` has had the processor, interrupts meanwhile included, over all its
 * starts. 0 in systems that do not count: an application without the tool says RUN_TIME, and pays
 * for a reading of the clock and a subtraction at each switch. Context: a thread. With several cores: of a thread
 * that another core runs, up to that core's last switch from it.
 */
hrl_counts hrl_thread_run_time(const struct hrl_thread *thread);

/* The thread that runs, or that the running interrupt interrupted; the idle thread included. */
struct hrl_thread *hrl_thread_current(void);

#ifdef __cplusplus
}
#endif

#endif
