/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/basic.h>
#include <hrl/hooks.h>

/*
 * On timer cells: a task at 100, 200, 300 and 700 us of each millisecond. Its third job runs over the next
 * two points; and in one round `hog`, which is more urgent, holds off the first one until after the third.
 * The last task prints jobs, overruns and calls of the hook, and how far any job was from its point, and ends.
 */
#define TIME (*(volatile uint32_t *)0xFFFFFF20u)

enum { US = 50, ROUND = 1000 * US, LATE = 100 };

extern const struct hrl_basic hrl_gen_basic[];
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);
void hog(void);
void points(void);
void finish(void);

static uint32_t began; /* an instant at which a round begins */
static uint32_t jobs;
static uint32_t late;
static uint32_t hooks;

void hrl_basic_overrun_hook(const struct hrl_basic *task)
{
    hooks += task == &hrl_gen_basic[1];
}

static void until(uint32_t phase)
{
    while ((TIME - began) % ROUND < phase) {
    }
}

void hog(void)
{
    until(350 * US);
}

void points(void)
{
    if (jobs++ == 0) {
        began = TIME - 100 * US;
        began -= began % US;
    } else {
        uint32_t phase = (TIME - began) % ROUND;

        late += phase % (100 * US) > LATE;
    }
    if (jobs == 3) {
        until(750 * US);
    }
}

static void print(uint32_t number)
{
    char text[] = "00 ";

    text[0] = (char)('0' + number / 10);
    text[1] = (char)('0' + number % 10);
    hrlp_cpu_print(text);
}

void finish(void)
{
    print(jobs);
    print(hrl_basic_overruns(&hrl_gen_basic[1]));
    print(hooks);
    print(late);
    hrlp_cpu_halt(0);
}
