/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/hooks.h>
#include <hrl/kernel.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

/*
 * Two equal threads work for 20 ms, while a third, more urgent, sleeps; then it says which worked for how
 * long and in how many turns, and whether the idle hook is called once they are done. The build says which
 * timing model.
 */
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);

enum { MS = HRL_CLOCK_HZ / 1000, LASTS_MS = 20 };

static volatile uint32_t idles, turns;
static volatile char last;
static volatile bool is_over;

void hrl_idle_hook(void)
{
    idles++;
}

static void work(void *argument)
{
    char name = *(const char *)argument;

    while (!is_over) {
        if (last != name) {
            last = name;
            turns++;
        }
    }
}

static void watch(void *argument);

HRL_THREAD_DEFINE(first, work, "1", 3, 512);
HRL_THREAD_DEFINE(second, work, "2", 3, 512);
HRL_THREAD_DEFINE(watcher, watch, NULL, 5, 512);

static void print_number(const char *label, uint32_t number)
{
    char text[12];
    char *digit = &text[sizeof text - 2];

    digit[0] = '\n';
    digit[1] = '\0';
    do {
        *--digit = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    hrlp_cpu_print(label);
    hrlp_cpu_print(digit);
}

static void watch(void *argument)
{
    uint32_t seen;

    (void)argument;
    hrl_thread_sleep_for((hrl_counts)LASTS_MS * MS);
    print_number("turns ", turns);
    print_number("first us ", (uint32_t)hrl_thread_run_time(&first) / (MS / 1000));
    print_number("second us ", (uint32_t)hrl_thread_run_time(&second) / (MS / 1000));
    is_over = true;
    print_number("idles before ", idles);
    seen = idles;
    hrl_thread_sleep_for((hrl_counts)LASTS_MS * MS);
    hrlp_cpu_print(idles > seen ? "idles\n" : "does not idle\n");
    hrlp_cpu_halt(0);
}

int main(void)
{
    hrl_thread_start(&watcher);
    hrl_thread_start(&first);
    hrl_thread_start(&second);
    hrl_start();
}
