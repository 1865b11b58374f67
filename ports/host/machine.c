/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_machine.h"
#include "hrlp_irq.h"
#include <hrl/hooks.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void end_process(const char *status)
{
    (void)status;
    exit(0);
}

/* A program that says nothing runs without an end, until the kernel stops it. */
struct hrlp_host_setup hrlp_host_setup = {.duration = UINT64_MAX / 2, .finish = end_process};

static hrl_counts now, window_start;
static HRLP_PER_CORE bool masked = true, switch_wanted, switching;
static HRLP_PER_CORE int active = -1; /* the priority of the handler that runs; -1: none does */
static HRLP_PER_CORE int ceiling =
    -1; /* no line up to it, as on a controller (controller/hrlp_line_arch.h) */
static HRLP_PER_CORE bool linked;     /* what hrlp_host_link has loaded */
static HRLP_PER_CORE bool any_raised; /* perhaps, of the lines that software raises */
static HRLP_PER_CORE void (*redirected)(void);
static HRLP_PER_CORE struct {
    int priority; /* or HRLP_HOST_DISABLED */
    bool pending;
    bool acknowledged;
    bool active;
    hrl_counts expiry;
} lines[HRLP_HOST_LINES] = {
    [0 ... HRLP_HOST_CLOCK_LINE] = {.priority = HRL_INTERRUPT_KERNEL},
    [HRLP_HOST_CLOCK_LINE + 1 ... HRLP_HOST_LINES - 1] = {.priority = HRLP_HOST_DISABLED}};

void hrlp_host_reset(void)
{
    if (HRLP_HOST_CORES > 1) {
        hrlp_host_cores_reset();
    }
    hrlp_host_setup = (struct hrlp_host_setup){0};
    now = window_start = 0;
    masked = true;
    active = ceiling = -1;
    any_raised = switch_wanted = switching = false;
    redirected = NULL;
    for (unsigned line = 0; line < HRLP_HOST_LINES; line++) {
        lines[line].pending = lines[line].active = false;
        lines[line].priority =
            line <= HRLP_HOST_CLOCK_LINE ? HRL_INTERRUPT_KERNEL : HRLP_HOST_DISABLED;
    }
    hrlp_host_timers_reset();
    hrlp_host_fibers_reset();
}

_Noreturn void hrlp_host_fatal(const char *reason, unsigned index)
{
    fprintf(stderr, "host port: %s %u, at count %" PRIu64 "\n", reason, index, now);
    abort();
}

hrl_counts hrlp_host_now(void)
{
    return now;
}

void hrlp_host_advance(hrl_counts to)
{
    now = to;
}

hrl_counts hrlp_host_window_start(void)
{
    return window_start;
}

hrl_counts hrlp_host_instant(hrl_stamp stamp)
{
    int32_t ahead = (int32_t)(stamp - (hrl_stamp)now);
    return ahead < 0 && now < (hrl_counts) - (int64_t)ahead ? 0 : now + (hrl_counts)(int64_t)ahead;
}

void hrlp_host_start_time(void)
{
    now = hrlp_host_setup.clock_start;
    window_start = now + (hrl_stamp)(hrlp_host_setup.start - (hrl_stamp)now);
}

bool hrlp_host_in_handler(void)
{
    return active >= 0;
}

bool hrlp_host_is_masked(void)
{
    return masked;
}

bool hrlp_host_interrupts_off(void)
{
    return masked || active >= HRL_INTERRUPT_KERNEL;
}

void hrlp_host_raise(unsigned line, hrl_counts expiry)
{
    if (!lines[line].pending) {
        lines[line].pending = true;
        lines[line].expiry = expiry;
        any_raised |= line > HRLP_HOST_CLOCK_LINE;
    }
}

void hrlp_host_clear(unsigned line)
{
    hrlp_host_forget(line);
    lines[line].acknowledged = true;
}

void hrlp_host_forget(unsigned line)
{
    lines[line].pending = false;
}

bool hrlp_host_pending(unsigned line)
{
    hrlp_host_timers_expire();
    return lines[line].pending;
}

/*
 * With basic tasks the lock masks everything, and all that is not masked may interrupt a handler.
 */
enum { HIGHEST_MASKED = HRL_BASIC_TASKS ? INT_MAX : HRL_INTERRUPT_KERNEL };

bool hrlp_host_is_above(void)
{
    return active > HIGHEST_MASKED;
}

static bool may_be_interrupted(void)
{
    return HRL_BASIC_TASKS ? !masked : !hrlp_host_interrupts_off();
}

/*
 * An interrupt that is not more urgent than this waits. The dispatch has a priority of its own,
 * too.
 */
static int threshold(void)
{
    int above =
        switching && active < (int)HRLP_IRQ_OF_DISPATCH ? (int)HRLP_IRQ_OF_DISPATCH : active;

    above = above > ceiling ? above : ceiling;
    return masked && above < HIGHEST_MASKED ? HIGHEST_MASKED : above;
}

/* What other cores have raised here is pending from now on. */
static void take_what_others_raised(void)
{
    uint32_t set = HRLP_HOST_CORES > 1 ? hrlp_host_raised_here() : 0;

    for (unsigned line = 0; set != 0; line++, set >>= 1) {
        if ((set & 1u) != 0) {
            hrlp_host_raise(line, now);
        }
    }
}

/* The line that interrupts now; HRLP_HOST_LINES: none. */
static __attribute__((noinline)) unsigned most_urgent(void)
{
    unsigned found = HRLP_HOST_LINES;
    int above = threshold();

    hrlp_host_timers_expire();
    take_what_others_raised();
    for (unsigned line = 0; line < HRLP_HOST_LINES; line++) {
        if (lines[line].pending && lines[line].priority > above) {
            above = lines[line].priority;
            found = line;
        }
    }
    return found;
}

static void handle(unsigned line)
{
    int interrupted = active;

    active = lines[line].priority;
    lines[line].active = true;
    lines[line].acknowledged = false;
    if (line < HRLP_HOST_CELLS && hrlp_host_setup.observe != NULL) {
        hrlp_host_setup.observe('I', line, lines[line].expiry);
    }
    if (line > HRLP_HOST_CLOCK_LINE) {
        hrlp_host_clear(line); /* as the controller does, not the handler */
    }
    hrlp_host_handle(line);
    if (!lines[line].acknowledged) {
        hrlp_host_fatal("the handler did not acknowledge cell", line);
    }
    lines[line].active = false;
    active = interrupted;
    linked = false; /* a return from an interrupt ends it, as the interrupt has */
    if (redirected != NULL) {
        void (*to)(void) = redirected;

        redirected = NULL;
        to();
    }
}

void hrlp_host_redirect(void (*to)(void))
{
    redirected = to;
}

bool hrlp_host_is_switching(void)
{
    return switching;
}

bool hrlp_host_interrupted(int level, int by)
{
    int most = -1;

    for (unsigned line = 0; line < HRLP_HOST_LINES; line++) {
        if (lines[line].active && lines[line].priority < by && lines[line].priority > most) {
            most = lines[line].priority;
        }
    }
    return most == level;
}

/* Found anew behind a switch, as the next few are, too: another core may go on (cpu.c). */
static __attribute__((noinline)) void forget_link(void)
{
    linked = false;
}

/* Takes all interrupts that are due by now, and the dispatch that they ask for. False: none. */
static __attribute__((noinline)) bool take_interrupts(void)
{
    bool taken = false;

    for (unsigned line; (line = most_urgent()) != HRLP_HOST_LINES;) {
        handle(line);
        taken = true;
    }
    if (active < 0 && ceiling < 0 && !masked && switch_wanted && !switching) {
        hrlp_host_dispatch();
        forget_link();
        return true;
    }
    return taken;
}

void hrlp_host_begin_switch(void)
{
    switching = true;
}

bool hrlp_host_take_switch(void)
{
    switching = switch_wanted;
    switch_wanted = false;
    return switching;
}

static void settle(void)
{
    take_what_others_raised();
    while ((may_be_interrupted() || any_raised) && take_interrupts()) {
    }
    any_raised = any_raised && hrlp_host_interrupts_off();
}

void hrlp_host_enable(unsigned line, int priority)
{
    hrlp_host_port_call();
    lines[line].priority = priority;
    any_raised |= lines[line].pending && line > HRLP_HOST_CLOCK_LINE;
    settle();
}

void hrlp_host_raise_now(unsigned line)
{
    hrlp_host_port_call();
    hrlp_host_raise(line, now);
    settle();
}

void hrlp_host_raise_set(uint32_t set)
{
    hrlp_host_port_call();
    for (unsigned line = 0; line < HRLP_HOST_LINES; line++) {
        if ((set >> line & 1u) != 0) {
            hrlp_host_raise(line, now);
        }
    }
    settle();
}

uint32_t hrlp_host_open(void)
{
    uint32_t set = 0;

    hrlp_host_port_call();
    for (unsigned line = 0; line < HRLP_HOST_LINES; line++) {
        set |= (uint32_t)(lines[line].pending || lines[line].active) << line;
    }
    return set;
}

bool hrlp_host_is_active(unsigned line)
{
    return lines[line].active;
}

int hrlp_host_ceiling(void)
{
    return ceiling;
}

void hrlp_host_set_ceiling(int level)
{
    hrlp_host_port_call();
    ceiling = level;
    settle();
}

/* The lines that interrupt now if they are raised. */
static __attribute__((noinline)) uint32_t open_lines(void)
{
    uint32_t set = 0;

    for (unsigned line = 0; line < HRLP_HOST_LINES; line++) {
        set |= (uint32_t)(lines[line].priority > threshold()) << line;
    }
    return set;
}

/* So many pass, or fewer, if another core interrupts this one; returns how many. */
static hrl_counts let_pass(hrl_counts counts)
{
    hrl_counts before = now;

    if (HRLP_HOST_CORES > 1) {
        hrlp_host_wait_until(now + counts, open_lines());
    } else {
        now += counts;
    }
    return now - before;
}

void hrlp_host_pass(hrl_counts counts, hrl_counts *charged)
{
    const hrl_counts limit = hrlp_host_setup.limit == 0 ? 0 : window_start + hrlp_host_setup.limit;

    while (counts != 0) {
        hrl_counts step = counts;

        settle();
        if (may_be_interrupted() && hrlp_host_timers_next() - now < step) {
            step = hrlp_host_timers_next() - now;
        }
        if (now < limit && limit - now < step) {
            step = limit - now;
        }
        step = let_pass(step);
        counts -= step;
        if (charged != NULL) {
            *charged += step;
        }
        if (limit != 0 && now == limit) { /* another core may come in at 0 */
            hrlp_host_end("busy");
        }
    }
}

void hrlp_host_port_call(void)
{
    hrlp_host_look_for_end();
    if (HRLP_HOST_CORES > 1 && hrlp_host_offer_turn()) {
        settle();
    }
    if (hrlp_host_setup.port_call_counts != NULL) {
        hrlp_host_pass(hrlp_host_setup.port_call_counts(), NULL);
    }
}

bool hrlp_host_mask(bool mask)
{
    bool before;

    hrlp_host_port_call();
    before = masked;
    masked = mask;
    settle();
    return before;
}

/* The caller loads the word behind this, and stores to it behind the next. */
void hrlp_host_link(void)
{
    hrlp_host_port_call();
    linked = true;
}

bool hrlp_host_is_linked(void)
{
    bool was_linked;

    hrlp_host_port_call();
    was_linked = linked;
    linked = false;
    return was_linked;
}

void hrlp_host_request_switch(void)
{
    hrlp_host_port_call();
    switch_wanted = true;
    settle();
}

/* NULL unless the application defines it. */
__attribute__((weak)) void hrl_idle_hook(void);

/* The last core that is idle at the end of the window, or after it, ends the run. */
static void idle_beside_others(hrl_counts end)
{
    hrl_counts next = hrlp_host_timers_next();

    if (now >= end) {
        hrlp_host_wait_for_end();
    } else {
        hrlp_host_wait_until(next < end ? next : end, open_lines());
    }
}

_Noreturn void hrlp_host_idle(void)
{
    masked = false;
    for (;;) {
        hrl_counts end = window_start + hrlp_host_setup.duration;

        if (now < end && take_interrupts()) {
            continue;
        }
        if (hrl_idle_hook != NULL) {
            hrl_idle_hook();
        }
        if (HRLP_HOST_CORES > 1) {
            idle_beside_others(end);
            continue;
        }
        if (now < end && hrlp_host_timers_next() < end) {
            now = hrlp_host_timers_next();
            continue;
        }
        now = now < end ? end : now;
        hrlp_host_end("done");
    }
}
