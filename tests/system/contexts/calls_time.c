/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"
#include <hrl/chronometer.h>
#include <hrl/console.h>
#include <hrl/time.h>
#include <hrl/wall_clock.h>

static struct hrl_chronometer chronometer;

static void chronometer_start(void)
{
    hrl_chronometer_start(&chronometer);
}

static void chronometer_lap(void)
{
    (void)hrl_chronometer_lap(&chronometer);
}

static void chronometer_stop(void)
{
    (void)hrl_chronometer_stop(&chronometer);
}

static void chronometer_resume(void)
{
    hrl_chronometer_resume(&chronometer);
}

static void chronometer_read(void)
{
    (void)hrl_chronometer_read(&chronometer);
}

static void chronometer_read_ns(void)
{
    (void)hrl_chronometer_read_ns(&chronometer);
}

static void now(void)
{
    (void)hrl_now();
}

static void now_ns(void)
{
    (void)hrl_now_ns();
}

static void console_write(void)
{
    hrl_console_write("", 0);
}

static void console_print(void)
{
    hrl_console_print("");
}

static void console_put(void)
{
    hrl_console_put('\0'); /* which prints nothing */
}

static void counts_to_ns(void)
{
    (void)hrl_counts_to_ns(1000);
}

static void ns_to_counts(void)
{
    (void)hrl_ns_to_counts(1000);
}

static void wall_clock_set(void)
{
    hrl_wall_clock_set(1000);
}

static void wall_clock_read(void)
{
    (void)hrl_wall_clock_read();
}

const struct call time_calls[TIME_CALLS] = {
    {"hrl_chronometer_start", chronometer_start},
    {"hrl_chronometer_lap", chronometer_lap},
    {"hrl_chronometer_stop", chronometer_stop},
    {"hrl_chronometer_resume", chronometer_resume},
    {"hrl_chronometer_read", chronometer_read},
    {"hrl_chronometer_read_ns", chronometer_read_ns},
    {"hrl_console_write", console_write},
    {"hrl_console_print", console_print},
    {"hrl_console_put", console_put},
    {"hrl_now", now},
    {"hrl_now_ns", now_ns},
    {"hrl_counts_to_ns", counts_to_ns},
    {"hrl_ns_to_counts", ns_to_counts},
    {"hrl_wall_clock_set", wall_clock_set},
    {"hrl_wall_clock_read", wall_clock_read},
};
