/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: 0BSD */
#include <stdint.h>

void sense(void);
void act(void);

static volatile uint32_t sensed;
static volatile uint64_t quotient;

void sense(void)
{
    sensed = sensed * 1664525u + 1013904223u;
}

/* The 64-bit division is the library's, on behalf of this body. */
void act(void)
{
    quotient = (((uint64_t)sensed << 32) | 1u) / (sensed | 1u);
}
