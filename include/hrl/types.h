/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_TYPES_H
#define HRL_TYPES_H

#include <stdint.h>

/*
 * The kernel's units of time.
 *
 * A count is one step of the board's clock. An instant is a number of counts since the clock
 * started; the nominal first release of the system (t = 0) is a small constant number of counts
 * after that.
 */

/* An instant or a span in counts, 64 bits: more than 20,000 years at 25 MHz. */
typedef uint64_t hrl_counts;

/*
 * The low 32 bits of an instant. Stamps wrap; two stamps can be ordered while they are less than
 * 2^31 counts apart (the horizon: 85 s at 25 MHz).
 */
typedef uint32_t hrl_stamp;

/*
 * How long a call waits: until an absolute instant in counts of hrl_now, or one of these. An
 * instant that has passed waits for nothing, but may switch to others of the same priority first.
 */
#define HRL_NO_WAIT ((hrl_counts)0)
#define HRL_FOREVER (~(hrl_counts)0)

/*
 * What a call returns. Conditions of the running system; broken promises go to hrl_assert_hook
 * instead.
 */
enum hrl_status {
    HRL_OK = 0,
    HRL_WOULD_WAIT,  /* it was asked not to wait, and would have to */
    HRL_TIMED_OUT,   /* the instant came first */
    HRL_FULL,        /* there is no room for more */
    HRL_UNSUPPORTED, /* this board's hardware cannot do it */
    HRL_STATE,       /* not in the state that it has */
    HRL_VALUE,       /* a value is out of its range */
    HRL_ID,          /* not for an object of this kind, or not with that one */
    HRL_NOT_RUNNING  /* it does not run */
};

/*
 * How many priorities threads have: 0 is the idle thread's, HRL_PRIORITIES - 1 the most urgent. A multiple
 * of 32, up to 1,024; a build that wants more than 32 says so with -DHRL_PRIORITIES=64 to the kernel
 * and all that includes its headers. Beyond 32 a priority is found by two words instead of one. Or 4, 8 or 16, where
 * memory is short: each takes two pointers. On processors with addresses of 16 bits it is 16, unless the build says otherwise.
 */
#ifndef HRL_PRIORITIES
#if UINTPTR_MAX < UINT32_MAX /* as memory is short there */
#define HRL_PRIORITIES 16
#else
#define HRL_PRIORITIES 32
#endif
#endif

/*
 * Whether releasers may release by masks (kernel/ready/release_mask.h): 1 costs three words for
 * each priority and two for each thread, and a test whenever one becomes ready. The tool says
 * -DHRL_RELEASE_MASKS=1 for systems that have such a store in their plan.
 */
#ifndef HRL_RELEASE_MASKS
#define HRL_RELEASE_MASKS 0
#endif

/*
 * Whether masks release all threads of a priority (kernel/ready/release_mask.h): 1 needs HRL_RELEASE_MASKS,
 * and is for systems of periodic threads that never wait for anything else, of which some have a priority
 * of their own. The tool says -DHRL_RELEASE_PRIORITIES=1 for such systems.
 */
#ifndef HRL_RELEASE_PRIORITIES
#define HRL_RELEASE_PRIORITIES 0
#endif

/*
 * Whether every thread has a priority of its own, for ever, and never waits for anything but its release
 * (kernel/ready/ready_queue.h): 1 is for systems of periodic threads without release masks, services
 * and basic tasks. The tool says -DHRL_OWN_PRIORITIES=1 for such systems.
 */
#ifndef HRL_OWN_PRIORITIES
#define HRL_OWN_PRIORITIES 0
#endif

/*
 * Whether the system has basic tasks (hrl/basic.h), of which any may call the kernel: 1 makes the
 * kernel's lock mask all interrupts, whatever their priority. The tool, and horolog_application
 * with BASIC, say -DHRL_BASIC_TASKS=1.
 */
#ifndef HRL_BASIC_TASKS
#define HRL_BASIC_TASKS 0
#endif

/*
 * Whether threads have a field for how long they ran (hrl_thread_run_time). horolog_application with
 * RUN_TIME says -DHRL_RUN_TIME=1, and that the dispatch counts it.
 */
#ifndef HRL_RUN_TIME
#define HRL_RUN_TIME 0
#endif

/*
 * Whether there are threads that may run on several cores (HRL_THREAD_DEFINE_GLOBAL): an application says
 * GLOBAL_THREADS for it. Every switch then takes the lock of services.
 */
#ifndef HRL_GLOBAL_THREADS
#define HRL_GLOBAL_THREADS 0
#endif

/*
 * How many processor cores the system runs on, each with tasks of its own (docs/adr/0026-kernel-on-cores.md): the
 * tool says -DHRL_CORES=2 and so on for systems with several.
 */
#ifndef HRL_CORES
#define HRL_CORES 1
#endif

/*
 * Where an object lies that one core uses much, such as the stack of a thread of that core: in memory of
 * its own, where its accesses never wait for another's. All cores can access it. With one core it changes
 * nothing. HRL_ON_CORE(1) uint32_t samples[64];
 */
#if HRL_CORES > 1 /* as linker scripts for one core have no such sections */
#define HRL_ON_CORE(number) __attribute__((section(".hrl_on_core_" #number)))
#else
#define HRL_ON_CORE(number)
#endif

/*
 * Whether the usual expiry of an alarm has code of its own where 32 bits are many instructions: a third of the cycles for
 * some 1,000 bytes of ROM. A build for size says -DHRL_SHORT_ALARMS=0.
 */
#ifndef HRL_SHORT_ALARMS
#define HRL_SHORT_ALARMS 1
#endif

/*
 * How many words each node of a delay queue has for what the queue keeps there: 3 serve every queue. A build with
 * queues that need fewer may say so where memory is short; horolog_application says -DHRL_QUEUE_SPARE_WORDS=0 on AVR
 * with STORE sorted_list.
 */
#ifndef HRL_QUEUE_SPARE_WORDS
#define HRL_QUEUE_SPARE_WORDS 3
#endif

/*
 * What the macros that define objects ask of their arguments, when the program is compiled: at file
 * scope with a text; and in an initialiser, where 0 is the value if it holds.
 */
#ifdef __cplusplus
#define HRLI_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define HRLI_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif
#define HRLI_REQUIRE(condition) (0u * sizeof(char[(condition) ? 1 : -1]))

/* Whether this is built for size (-Os): then much is called that is inlined for the sake of cycles. */
#ifndef HRLI_SMALL /* tests say so */
#ifdef __OPTIMIZE_SIZE__
#define HRLI_SMALL 1
#else
#define HRLI_SMALL 0
#endif
#endif

/* How many bytes a stack has, or tokens a semaphore: no more than there are addresses, where these have 16 bits. */
#if UINTPTR_MAX < UINT32_MAX
typedef uint16_t hrli_number;
#define HRLI_NUMBER_MAX UINT16_MAX
#else
typedef uint32_t hrli_number;
#define HRLI_NUMBER_MAX UINT32_MAX
#endif

/*
 * Names and the kernel's constants, where a processor does not read flash as it reads data (ports/include/hrlp_cpu.h):
 * the address space of a name; where an object stands that only the kernel reads; and a name in an initialiser
 * at file scope. Where the compiler knows no address spaces, as in C++ and with -std=c11, a name in an array is left
 * out.
 */
#if defined __FLASH && !defined __STRICT_ANSI__ /* GNU C for AVR */
#define HRLI_FLASH __flash
#else
#define HRLI_FLASH
#endif
#ifdef __AVR__ /* constants take RAM there */
#define HRLI_CONSTANT __attribute__((__progmem__))
#else
#define HRLI_CONSTANT
#endif
#if defined __FLASH && !defined __STRICT_ANSI__ /* as above */
#define HRLI_TEXT(text) ((const __flash char[]){text})
#elif defined __AVR__ /* as above */
#define HRLI_TEXT(text) (sizeof(text) == 0 ? (text) : 0)
#else
#define HRLI_TEXT(text) (text)
#endif
/* The name of the object `object`, of which HRLI_NAME_DEFINE(object) stands ahead of it, at file scope. */
#if defined __AVR__ && (!defined __FLASH || defined __STRICT_ANSI__) /* as above */
#define HRLI_NAME_DEFINE(object) static const char object##_name[] HRLI_CONSTANT = #object;
#define HRLI_NAME(object) object##_name
#else
#define HRLI_NAME_DEFINE(object)
#define HRLI_NAME(object) HRLI_TEXT(#object)
#endif

/* What an object of one core has as its last field, in which checks write which core uses it; and its initialiser. */
#if HRL_CORES > 1 /* as such objects have no such field on one core */
struct hrli_home {
    hrli_number owner; /* 1 more than the number of the core that used it first; 0: none did yet */
};
#define HRLI_HOME_FIELD                                                                            \
    ,                                                                                              \
    {                                                                                              \
        0                                                                                          \
    }
#else
#define HRLI_HOME_FIELD
#endif

struct hrl_thread;

#endif
