/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 */
#include <stdint.h>

void step(void); /* the body, as system.toml names it */

volatile uint32_t steps; /* for a debugger to read */

void step(void)
{
    steps++;
}
