/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/time.h>
#include <stdint.h>

/*
 * One basic task, with a period of WHOLE + PART / OF counts: every job looks at the clock. No release may come before
 * its instant, the floor of the sum of all periods, and none later than LATEST counts behind it. In the first job the
 * clock moves to a little before its wrap.
 */
extern struct {
    volatile uint16_t high;
} hrlp_avr_timer16; /* ports/cell/avr-timer16/avr_timer16.h */
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);
void each(void);

static uint32_t jobs, instant;
static uint16_t parts;

void each(void)
{
    uint32_t now = (uint32_t)hrl_now();

    if (jobs == 0) {
        hrlp_avr_timer16.high = UINT16_MAX - 1u;
        instant = 0xFFFE0000u + ((uint16_t)now - EARLIEST);
    }
    if (now - instant > LATEST && jobs != 0) {
        hrlp_cpu_print((int32_t)(now - instant) < 0 ? "too early\n" : "too late\n");
        hrlp_cpu_halt(1);
    }
    if (++jobs == RELEASES) {
        hrlp_cpu_print(instant < 0xFFFE0000u ? "all on time\n" : "no wrap\n");
        hrlp_cpu_halt(0);
    }
    instant += WHOLE;
    parts += PART;
    if (parts >= OF) {
        parts -= OF;
        instant++;
    }
}
