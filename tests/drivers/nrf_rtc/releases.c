/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 10^5 releases of each mode of the driver ports/cell/nrf-rtc over the model of the RTC, for `horolog bench releases`.
 * A line a mode, numbers apart by spaces: the mode, releases, those requested at another count than their instant's,
 * those whose handler found its cell fired later than the driver's bound, the latest of these in counts, interrupts for
 * no instant, and wraps of the counter of 24 bits. The argument is how many releases.
 */
#include "hrlp_nrf_rtc.h"
#include "rtc_model.h"

#include <stdio.h>
#include <stdlib.h>

enum { CELL = 0, LEAST = 150, MORE = 100, FIRST = 200, BITS = 24 };

static struct {
    uint64_t due; /* counts since the start, which are the clock's */
    unsigned long off, late, idle;
    uint64_t latest;
} seen;

static void start(void)
{
    rtc_reset(0, 1);
    rtc_set_pace(4, 4);
    hrlp_nrf_rtc_clock = (struct hrlp_nrf_rtc_clock){0, 0};
    hrlp_nrf_rtc_cell_0 = hrlp_nrf_rtc_cell_1 = hrlp_nrf_rtc_cell_3 =
        (struct hrlp_nrf_rtc_cell){0, 0};
    seen.off = seen.late = seen.idle = 0;
    seen.latest = 0;
    hrlp_clock_start();
    hrlp_nrf_rtc_prepare(CELL, HRLP_IRQ_OF_CELLS);
}

/* Lets time go on until the cell has been served; the next instant is `then`. */
static void serve(uint64_t then, bool again)
{
    for (;;) {
        uint64_t up, served;

        while (!rtc_is_up()) {
            rtc_pass(RTC_PARTS, true);
        }
        up = rtc_counts();
        if (hrlp_clock_wrap_pending()) {
            hrlp_nrf_rtc_acknowledge(HRLP_NRF_RTC_CLOCK);
        }
        if (!hrlp_nrf_rtc_fired(CELL)) {
            seen.idle++;
            continue;
        }
        served = rtc_counts();
        hrlp_nrf_rtc_acknowledge(CELL);
        seen.off += up != seen.due;
        seen.late += served - seen.due > HRLP_NRF_RTC_LATE_COUNTS;
        seen.latest = served - seen.due > seen.latest ? served - seen.due : seen.latest;
        seen.due = then;
        if (again) {
            hrlp_nrf_rtc_rearm(CELL, (hrl_stamp)then);
        }
        return;
    }
}

static void tell(const char *mode, unsigned long releases)
{
    printf("%s %lu %lu %lu %lu %lu %lu\n", mode, releases, seen.off, seen.late,
           (unsigned long)seen.latest, seen.idle, (unsigned long)(rtc_counts() >> BITS));
}

int main(int argc, char **argv)
{
    const unsigned long releases = argc == 2 ? strtoul(argv[1], NULL, 10) : 100000;
    const uint32_t period = LEAST + MORE;

    start();
    seen.due = rtc_counts() + FIRST;
    hrlp_nrf_rtc_start_periodic(CELL, (hrl_stamp)seen.due, period);
    for (unsigned long i = 0; i < releases; i++) {
        serve(seen.due + period, false);
    }
    tell("periodic", releases);
    start();
    seen.due = rtc_counts() + FIRST;
    hrlp_nrf_rtc_arm(CELL, (hrl_stamp)seen.due);
    for (unsigned long i = 0; i < releases; i++) {
        serve(seen.due + LEAST + rtc_chance(2 * MORE), true);
    }
    tell("one-shot", releases);
    return 0;
}
