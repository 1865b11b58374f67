/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, ucontext */
#include "hrlp_cpu.h"
#include "hrlp_upcalls.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

/* ThreadSanitizer must be told of switches, and has to see no entry into a function that it does not see left. */
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#if defined(__clang__) /* the attribute that gcc has leaves entries and returns in */
#define LEFT_BY_A_SWITCH __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define LEFT_BY_A_SWITCH __attribute__((noinline, no_sanitize("thread")))
#endif
#else
#define LEFT_BY_A_SWITCH __attribute__((noinline))
#define __tsan_get_current_fiber() NULL
#define __tsan_create_fiber(flags) NULL
#define __tsan_destroy_fiber(fiber) ((void)(fiber))
#define __tsan_switch_to_fiber(fiber, flags) ((void)(fiber))
#endif

/* AddressSanitizer must be told of stacks that the C library does not know. */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define __sanitizer_start_switch_fiber(save, bottom, bytes) ((void)(save))
#define __sanitizer_finish_switch_fiber(save, bottom, bytes) ((void)(save))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address))
#endif

/*
 * A thread is a fiber. The generated stack is meant for the board and far too small for a C library
 * and sanitizers, so each fiber has one of its own, above a page that faults. What the kernel takes
 * for a saved stack pointer is the fiber. The stack that called hrl_start is the idle thread's
 * fiber.
 */
struct fiber {
    ucontext_t context;
    const void *bottom;
    size_t bytes;
    void *fake_stack;
    void *seen_as; /* by ThreadSanitizer */
    void *local;
    bool leaving;
    void (*entry)(void *);
    void *argument;
    struct fiber *next; /* in the pool */
    const void *mark;   /* its own address: the kernel may be wrong about what it hands back */
};

enum { FIBER_BYTES = 256 * 1024, GUARD_BYTES = 64 * 1024 };

static HRLP_PER_CORE struct fiber first_fiber;
static HRLP_PER_CORE struct fiber *now_runs, *previous, *next; /* now_runs NULL: the first */
static HRLP_PER_CORE const char *ending;
static HRLP_PER_CORE struct fiber *dispatcher, *left; /* which chooses; which it has come from */
static HRLP_PER_CORE bool yields;                     /* of itself */
static struct fiber *pool, *unused; /* of all cores; stacks are kept for the next run */

HRLP_PER_CORE void *hrlp_host_fiber_local;

/* What belongs to a core is found anew behind each switch, as another core may go on with the fiber. */
#define FOUND_ANEW __attribute__((noinline))

static FOUND_ANEW struct fiber *current(void)
{
    return now_runs == NULL ? &first_fiber : now_runs;
}

void hrlp_host_fibers_reset(void)
{
    now_runs = NULL;
    dispatcher = NULL;
    unused = pool;
    ending = NULL;
    hrlp_host_fiber_local = NULL;
}

static FOUND_ANEW void arrive(void *fake_stack)
{
    __sanitizer_finish_switch_fiber(fake_stack, &previous->bottom, &previous->bytes);
    hrlp_host_fiber_local = current()->local;
}

static FOUND_ANEW const ucontext_t *say_who_leaves(void)
{
    previous = current();
    previous->leaving = false;
    previous->local = hrlp_host_fiber_local;
    now_runs = next;
    __sanitizer_start_switch_fiber(&previous->fake_stack, next->bottom, next->bytes);
    return &next->context;
}

static LEFT_BY_A_SWITCH void leave(void)
{
    const ucontext_t *to = say_who_leaves();

    __tsan_switch_to_fiber(next->seen_as, 0);
    (void)setcontext(to);
    hrlp_host_fatal("cannot switch stacks", 0);
}

/*
 * Not swapcontext: AddressSanitizer intercepts it, warns, and wipes what it knows of the stack.
 * getcontext returns a second time when a fiber switches back, so nothing here may live in a local
 * variable.
 */
static void switch_to(struct fiber *fiber)
{
    next = fiber;
    if (current()->seen_as == NULL) { /* the first */
        current()->seen_as = __tsan_get_current_fiber();
    }
    current()->leaving = true;
    (void)getcontext(&current()->context);
    if (current()->leaving) {
        leave();
    }
    arrive(current()->fake_stack);
}

static void begin(void)
{
    arrive(NULL);
    current()->entry(current()->argument);
    hrlp_host_fatal("a thread's entry function returned", 0);
}

static void set_up(struct fiber *fiber)
{
    ASAN_UNPOISON_MEMORY_REGION(fiber->bottom, fiber->bytes); /* frames of the run before */
    (void)getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = (void *)fiber->bottom;
    fiber->context.uc_stack.ss_size = fiber->bytes;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, begin, 0);
    if (fiber->seen_as != NULL) {
        __tsan_destroy_fiber(fiber->seen_as); /* of the run before */
    }
    fiber->seen_as = __tsan_create_fiber(0);
}

/* A fiber and its stack, in one mapping: guard, stack, fiber. */
static struct fiber *new_fiber(void)
{
    char *base = mmap(NULL, GUARD_BYTES + FIBER_BYTES + sizeof(struct fiber),
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct fiber *fiber = (struct fiber *)(base + GUARD_BYTES + FIBER_BYTES);

    if (base == MAP_FAILED || mprotect(base, GUARD_BYTES, PROT_NONE) != 0) {
        hrlp_host_fatal("no memory for a stack", 0);
    }
    fiber->bottom = base + GUARD_BYTES;
    fiber->bytes = FIBER_BYTES;
    fiber->mark = fiber;
    fiber->next = pool;
    pool = fiber;
    return fiber;
}

static void guard_pool(bool begin)
{
    if (HRLP_HOST_CORES > 1) {
        hrlp_host_guard(begin);
    }
}

void *hrlp_cpu_stack_prepare(void *stack, size_t bytes, void (*entry)(void *), void *argument)
{
    struct fiber *fiber;

    (void)stack;
    (void)bytes;
    guard_pool(true);
    fiber = unused;
    if (fiber != NULL) {
        unused = fiber->next;
    } else {
        fiber = new_fiber();
    }
    guard_pool(false);
    fiber->entry = entry;
    fiber->argument = argument;
    fiber->local = NULL;
    set_up(fiber);
    return fiber;
}

static struct fiber *checked(struct fiber *fiber)
{
    if (fiber != &first_fiber && fiber->mark != fiber) {
        hrlp_host_fatal("switch to an address that is not a thread", 0);
    }
    return fiber;
}

static FOUND_ANEW void end_if_asked(void)
{
    if (ending != NULL) {
        hrlp_host_end(ending);
    }
}

/* Interrupts may come during the kernel's choice, and ask for another: only then is it final. */
static struct fiber *choose(struct fiber *to)
{
    while (hrlp_host_take_switch()) {
        to = checked(hrli_cpu_switch(checked(to)));
    }
    return to;
}

/*
 * Where threads may run on several cores, a core chooses on a stack of its own: when the kernel is asked, all of the
 * thread is saved, and another core may go on with it.
 */
static void run_dispatches(void *unused_argument)
{
    (void)unused_argument;
    for (;;) {
        struct fiber *to = left;

        if (yields) {
            yields = false;
            to = checked(hrli_cpu_yield(to));
        }
        switch_to(choose(to));
    }
}

static FOUND_ANEW void choose_elsewhere(bool by_yield)
{
    if (dispatcher == NULL) {
        dispatcher = hrlp_cpu_stack_prepare(NULL, 0, run_dispatches, NULL);
    }
    left = current();
    yields = by_yield;
    switch_to(dispatcher);
    end_if_asked();
}

static void dispatch(struct fiber *to)
{
    to = choose(to);
    if (to != current()) {
        switch_to(to);
    }
    end_if_asked();
}

void hrlp_host_dispatch(void)
{
    if (HRL_GLOBAL_THREADS) {
        choose_elsewhere(false);
    } else {
        dispatch(current());
    }
}

void hrlp_host_yield(void)
{
    hrlp_host_port_call();
    hrlp_host_begin_switch();
    if (HRL_GLOBAL_THREADS) {
        choose_elsewhere(true);
    } else {
        dispatch(checked(hrli_cpu_yield(current())));
    }
}

void hrlp_host_end(const char *status)
{
    ending = HRLP_HOST_CORES > 1 ? hrlp_host_cores_end(status) : status;
    if (current() != &first_fiber) {
        switch_to(&first_fiber);
    }
    if (HRLP_HOST_CORES > 1) {
        hrlp_host_cores_ended();
    }
    hrlp_host_setup.finish(ending);
    hrlp_host_fatal("finish returned", 0);
}

_Noreturn void hrlp_cpu_idle(void)
{
    (void)hrlp_host_mask(false);
    hrlp_host_idle();
}

_Noreturn void hrlp_cpu_become_idle(void *stack, size_t bytes)
{
    (void)stack;
    (void)bytes;
    hrlp_cpu_idle();
}

void hrlp_cpu_print(const char *text)
{
    (void)fputs(text, stderr);
}

_Noreturn void hrlp_cpu_halt(int status)
{
    (void)fflush(NULL);
    _exit(status);
}
