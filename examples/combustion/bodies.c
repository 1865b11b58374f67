/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: 0BSD */
#include "hrl_gen_tables.h" /* the tables, the counter and what they activate */

/* What the table of a cylinder sets. */
HRL_EVENT_DEFINE(cylinder_events);
#define IGNITED 1u
#define EXHAUSTED 2u

void tooth(void);
void inject(void);
void ignite(void);
void knock(void);
void sample(void);
void filter(void);
void report(void);

static volatile uint32_t injections, ignitions, cycles, knocks;
static volatile int32_t samples[2], filtered;
static volatile uint32_t newest;

void tooth(void)
{
    hrl_counter_increment(&counter_crankshaft);
}

void inject(void)
{
    injections++;
}

void ignite(void)
{
    ignitions++;
}

void knock(void)
{
    if ((hrl_event_flags(&cylinder_events) & IGNITED) != 0) {
        knocks += injections & 1u;
    }
}

/* A stand-in for a converter: a saw-tooth. */
void sample(void)
{
    newest++;
    samples[newest & 1u] = (int32_t)(newest * 37u % 1000u) - 500;
}

void filter(void)
{
    filtered += (samples[0] + samples[1] - 2 * filtered) / 8;
}

void report(void)
{
    if ((hrl_event_flags(&cylinder_events) & EXHAUSTED) != 0) {
        cycles++;
        hrl_event_clear(&cylinder_events, IGNITED | EXHAUSTED);
    }
}
