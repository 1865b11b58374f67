/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"

/* One timer a line up to the clock's; the clock's wrap is a periodic one. */
enum { TIMERS = HRLP_HOST_CLOCK_LINE + 1 };

static HRLP_PER_CORE struct {
    bool let_through;
    bool running;
    hrl_counts due;
    hrl_counts period; /* 0: once */
    bool longer;       /* intervals are a count longer than `period` */
} timers[TIMERS] = {[HRLP_HOST_CLOCK_LINE] = {.let_through = true}};

static const unsigned widths[HRLP_HOST_CELLS] = {32, 32, 32, 24, 32, 32, 32, 32};

void hrlp_host_timers_reset(void)
{
    for (unsigned line = 0; line < TIMERS; line++) {
        timers[line].running = false;
        timers[line].let_through = line == HRLP_HOST_CLOCK_LINE;
    }
}

/* What `line`'s device raises next, if there is one and t = 0 is known. */
static bool device_due(unsigned line, hrl_counts *due)
{
    if (!timers[HRLP_HOST_CLOCK_LINE].running || hrlp_host_setup.devices[line].gap == 0 ||
        hrlp_host_setup.devices[line].core != hrlp_host_core) {
        return false;
    }
    *due = hrlp_host_window_start() + hrlp_host_setup.devices[line].first;
    return true;
}

/* From one raise of `line`'s device to the next. */
static hrl_counts step_of_device(unsigned line)
{
    hrl_counts gap = hrlp_host_setup.devices[line].gap;
    hrl_counts burst = hrlp_host_setup.devices[line].burst;

    if (burst == 0 || ++hrlp_host_setup.devices[line].raised < burst) {
        return gap;
    }
    hrlp_host_setup.devices[line].raised = 0;
    return hrlp_host_setup.devices[line].within - (burst - 1) * gap;
}

static void raise_devices(void)
{
    for (unsigned line = HRLP_HOST_CLOCK_LINE + 1; line < HRLP_HOST_LINES; line++) {
        for (hrl_counts due; device_due(line, &due) && due <= hrlp_host_now();) {
            hrlp_host_raise(line, due);
            hrlp_host_setup.devices[line].first += step_of_device(line);
        }
    }
}

void hrlp_host_timers_expire(void)
{
    raise_devices();
    for (unsigned line = 0; line < TIMERS; line++) {
        while (timers[line].running && timers[line].due <= hrlp_host_now()) {
            if (timers[line].let_through) {
                hrlp_host_raise(line, timers[line].due);
            }
            timers[line].running = timers[line].period != 0;
            timers[line].due += timers[line].period + timers[line].longer;
        }
    }
}

hrl_counts hrlp_host_timers_next(void)
{
    hrl_counts next = UINT64_MAX;

    for (unsigned line = 0; line < TIMERS; line++) {
        if (timers[line].running && timers[line].due < next) {
            next = timers[line].due;
        }
    }
    for (unsigned line = HRLP_HOST_CLOCK_LINE + 1; line < HRLP_HOST_LINES; line++) {
        hrl_counts due;

        next = device_due(line, &due) && due < next ? due : next;
    }
    return next;
}

void hrlp_host_timers_join(hrl_counts clock_start)
{
    timers[HRLP_HOST_CLOCK_LINE].due = ((clock_start >> 32) + 1) << 32;
    timers[HRLP_HOST_CLOCK_LINE].period = (hrl_counts)1 << 32;
    timers[HRLP_HOST_CLOCK_LINE].running = true;
}

void hrlp_clock_start(void)
{
    hrlp_host_start_time();
    hrlp_host_timers_join(hrlp_host_now());
}

static void start_timer(unsigned channel, hrl_stamp due, uint32_t period)
{
    hrl_counts at;

    hrlp_host_port_call();
    at = hrlp_host_instant(due);
    if (channel >= HRLP_HOST_CELLS) {
        hrlp_host_fatal("there is no cell", channel);
    }
    if (!hrlp_host_interrupts_off()) {
        hrlp_host_fatal("interrupts are enabled while arming cell", channel);
    }
    if ((at > hrlp_host_now() && (at - hrlp_host_now()) >> widths[channel] != 0) ||
        (hrl_counts)period >> widths[channel] != 0) {
        hrlp_host_fatal("too far ahead for cell", channel);
    }
    hrlp_host_forget(channel);
    timers[channel].due = at < hrlp_host_setup.cells_early ? 0 : at - hrlp_host_setup.cells_early;
    timers[channel].period = period;
    timers[channel].longer = false;
    timers[channel].running = true;
}

void hrlp_host_prepare(unsigned channel, unsigned priority)
{
    timers[channel].let_through = true;
    hrlp_irq_enable_at((int)channel, priority);
}

void hrlp_host_prepare_at(unsigned channel, unsigned level)
{
    hrlp_host_prepare(channel, level);
}

void hrlp_host_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    if (period == 0 || hrlp_host_instant(first) <= hrlp_host_now()) {
        hrlp_host_fatal("no period, or started too late: cell", channel);
    }
    start_timer(channel, first, period);
}

void hrlp_host_stretch(unsigned channel, hrl_stamp due, uint32_t period, bool longer)
{
    (void)due;
    hrlp_host_port_call();
    hrlp_host_timers_expire();
    if (timers[channel].period != period) {
        hrlp_host_fatal("another period than it was started with: cell", channel);
    }
    timers[channel].longer = longer;
}

void hrlp_host_arm(unsigned channel, hrl_stamp due)
{
    start_timer(channel, due, 0);
}

void hrlp_host_disarm(unsigned channel)
{
    hrlp_host_port_call();
    hrlp_host_timers_expire();
    timers[channel].running = false;
}

/* A slice that was restarted is forgotten with its interrupt, so that none that comes is stale. */
static void run_slices(unsigned channel, uint32_t first, uint32_t counts)
{
    hrlp_host_port_call();
    hrlp_host_timers_expire();
    hrlp_host_forget(channel);
    timers[channel].due = hrlp_host_now() + first;
    timers[channel].period = counts;
    timers[channel].running = true;
}

void hrlp_host_slice_start(unsigned channel, uint32_t counts)
{
    run_slices(channel, counts, counts);
}

void hrlp_host_slice_restart(unsigned channel)
{
    run_slices(channel, (uint32_t)timers[channel].period, (uint32_t)timers[channel].period);
}

bool hrlp_host_slice_is_over(unsigned channel)
{
    (void)channel;
    return true;
}

void hrlp_host_slice_prolong(unsigned channel, uint32_t by, uint32_t counts)
{
    run_slices(channel, by, counts);
}

void hrlp_host_acknowledge(unsigned channel)
{
    hrlp_host_port_call();
    hrlp_host_clear(channel);
}

#define UNHANDLED(channel)                                                                         \
    __attribute__((weak)) void host_cell##channel(void)                                            \
    {                                                                                              \
        hrlp_host_fatal("no handler for cell", channel);                                           \
    }
UNHANDLED(0)
UNHANDLED(1)
UNHANDLED(2)
UNHANDLED(3)
UNHANDLED(4)
UNHANDLED(5)
UNHANDLED(6)
UNHANDLED(7)

/* Linked if the application attaches no handler. */
__attribute__((weak)) void hrli_interrupt_taken(int line)
{
    hrlp_irq_unhandled(line);
}

void hrlp_host_handle(unsigned line)
{
    static void (*const handlers[HRLP_HOST_CELLS])(void) = {host_cell0, host_cell1, host_cell2,
                                                            host_cell3, host_cell4, host_cell5,
                                                            host_cell6, host_cell7};

    if (line == HRLP_HOST_CLOCK_LINE) {
        hrlp_irq_state state = hrlp_irq_lock();
        hrlp_host_clear(line);
        hrli_clock_wrapped();
        hrlp_irq_unlock(state);
    } else if (HRLP_HOST_CORES > 1 && line == HRLP_HOST_DOORBELL) {
        hrli_core_rung();
    } else if (line > HRLP_HOST_CLOCK_LINE) {
        hrli_interrupt_taken((int)line);
    } else {
        handlers[line]();
    }
}
