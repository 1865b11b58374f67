/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * The level, every 100 ms; after a second the program ends.
 */
#include "tank.hpp"

#include <hrl/console.h>
#include <hrl/time.h>

extern "C" void log_step();

namespace
{

volatile unsigned last; /* one word: read and written at once */

void print(unsigned number)
{
    char text[12];
    char *at = text + sizeof text - 1;

    *at = '\0';
    do {
        *--at = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number != 0);
    hrl_console_print(at);
}

} // namespace

void log_level(unsigned millimetres)
{
    last = millimetres;
}

extern "C" void log_step()
{
    print(static_cast<unsigned>(hrl_now() / (HRL_CLOCK_HZ / 1000)));
    hrl_console_print(" ms: ");
    print(last);
    hrl_console_print(" mm\n");
    if (hrl_now() >= HRL_CLOCK_HZ) {
        hrl_program_end(0);
    }
}
