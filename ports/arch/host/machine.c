/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_machine.h"
#include <hrl/hooks.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct hrlp_host_setup hrlp_host_setup;

static hrl_counts now, window_start;
static bool masked = true, in_handler, acknowledged, switch_wanted, switching;
static struct {
    bool pending;
    hrl_counts expiry;
} lines[HRLP_HOST_LINES];

void hrlp_host_reset(void)
{
    hrlp_host_setup = (struct hrlp_host_setup){0};
    now = window_start = 0;
    masked = true;
    in_handler = switch_wanted = switching = false;
    for (unsigned line = 0; line < HRLP_HOST_LINES; line++) {
        lines[line].pending = false;
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
    return in_handler;
}

bool hrlp_host_interrupts_off(void)
{
    return masked || in_handler;
}

void hrlp_host_raise(unsigned line, hrl_counts expiry)
{
    if (!lines[line].pending) {
        lines[line].pending = true;
        lines[line].expiry = expiry;
    }
}

void hrlp_host_clear(unsigned line)
{
    hrlp_host_forget(line);
    acknowledged = true;
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

static void handle(unsigned line)
{
    acknowledged = false;
    if (line < HRLP_HOST_CELLS && hrlp_host_setup.observe != NULL) {
        hrlp_host_setup.observe('I', line, lines[line].expiry);
    }
    hrlp_host_handle(line);
    if (!acknowledged) {
        hrlp_host_fatal("the handler did not acknowledge cell", line);
    }
}

/* Everything that is due by now, and the dispatch it asks for. False: there was nothing. */
static bool take_interrupts(void)
{
    bool taken = switch_wanted && !switching;

    in_handler = true;
    for (unsigned line = 0; line < HRLP_HOST_LINES;) {
        if (hrlp_host_pending(line)) {
            taken = true;
            handle(line);
            line = 0;
        } else {
            line++;
        }
    }
    in_handler = false;
    if (switch_wanted && !switching) {
        hrlp_host_dispatch();
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
    while (!hrlp_host_interrupts_off() && take_interrupts()) {
    }
}

void hrlp_host_pass(hrl_counts counts, hrl_counts *charged)
{
    const hrl_counts limit = hrlp_host_setup.limit == 0 ? 0 : window_start + hrlp_host_setup.limit;

    while (counts != 0) {
        hrl_counts step = counts;

        settle();
        if (!hrlp_host_interrupts_off() && hrlp_host_timers_next() - now < step) {
            step = hrlp_host_timers_next() - now;
        }
        if (now < limit && limit - now < step) {
            step = limit - now;
        }
        now += step;
        counts -= step;
        if (charged != NULL) {
            *charged += step;
        }
        if (now == limit) {
            hrlp_host_end("busy");
        }
    }
}

void hrlp_host_port_call(void)
{
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

void hrlp_host_request_switch(void)
{
    hrlp_host_port_call();
    switch_wanted = true;
    settle();
}

/* NULL unless the application defines it. */
__attribute__((weak)) void hrl_idle_hook(void);

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
        if (now < end && hrlp_host_timers_next() < end) {
            now = hrlp_host_timers_next();
            continue;
        }
        now = now < end ? end : now;
        hrlp_host_end("done");
    }
}
