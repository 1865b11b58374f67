/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/basic.h>
#include <hrl/hooks.h>

/*
 * Of four basic tasks one runs for longer than its period, once, and one is held off by another for
 * several periods. The last one prints jobs, overruns and calls of the hook of each, and ends.
 */
extern const struct hrl_basic hrl_gen_basic[];
void hrl_work(uint32_t turns);
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);
void late(void);
void high(void);
void low(void);
void finish(void);

enum { LATE, HIGH, LOW, TASKS };

static uint32_t jobs[TASKS];
static uint32_t hooks[TASKS];

void hrl_basic_overrun_hook(const struct hrl_basic *task)
{
    hooks[task - hrl_gen_basic]++;
}

void late(void)
{
    if (++jobs[LATE] == 3) {
        hrl_work(24000);
    }
}

void high(void)
{
    jobs[HIGH]++;
    hrl_work(55000);
}

void low(void)
{
    jobs[LOW]++;
}

static void print(uint32_t digit)
{
    char text[] = {(char)('0' + digit), '\0'};

    hrlp_cpu_print(text);
}

void finish(void)
{
    for (uint32_t i = 0; i < TASKS; i++) {
        hrlp_cpu_print(hrl_basic_name(&hrl_gen_basic[i]));
        hrlp_cpu_print(" ");
        print(jobs[i]);
        print(hrl_basic_overruns(&hrl_gen_basic[i]));
        print(hooks[i]);
        hrlp_cpu_print("\n");
    }
    hrlp_cpu_halt(0);
}
