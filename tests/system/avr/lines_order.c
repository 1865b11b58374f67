/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/basic.h>
#include <hrl/interrupt.h>
#include <hrl/resource.h>

/*
 * Which job comes when: each writes a letter, capital where it is activated by another. `low` is released by a cell and
 * the least urgent, then `mid` and `even`, of one level, then `high`.
 */
extern const struct hrl_basic basic_mid, basic_even, basic_high;
extern struct hrl_resource bus;
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);
void low(void);
void mid(void);
void even(void);
void high(void);

static char said[80];
static uint8_t count;

static void say(char letter)
{
    said[count++] = letter;
}

static void activate(const struct hrl_basic *task)
{
    if (hrl_basic_activate(task) != HRL_OK) {
        say('?');
    }
}

#if WITH_THREADS
#include <hrl/semaphore.h>

extern struct hrl_semaphore activate_served;
void asks(void);
void served(void);

void served(void)
{
    say('S');
}
#endif

/* An equal one waits; a more urgent one comes at once; a thread waits for the end of all. */
void mid(void)
{
    static uint8_t jobs;

    say('M');
    if (jobs++ == 0) {
        activate(&basic_even);
        activate(&basic_high);
        say('m');
    }
}

void even(void)
{
    say('E');
}

void high(void)
{
#if WITH_THREADS
    static uint8_t jobs;

    if (jobs++ == 0) {
        hrl_semaphore_give(&activate_served);
    }
#endif
    say('H');
}

/* Those that the caller preempts nothing of come at once, or from the end of what holds them off. */
static void try_all(char letter)
{
    hrl_interrupt_state state;

    say(letter);
    activate(&basic_mid);
    say(letter);
    state = hrl_interrupt_lock();
    activate(&basic_mid);
    activate(&basic_high);
    activate(&basic_high); /* two jobs of a sporadic task may wait */
    say('l');
    hrl_interrupt_unlock(state);
    say(letter);
    hrl_resource_take(&bus);
    activate(&basic_even);
    activate(&basic_high);
    state = hrl_interrupt_lock();
    say('c');
    hrl_interrupt_unlock(state);
    hrl_resource_give(&bus);
    say(letter);
}

static void end(void)
{
    said[count] = '\0';
    hrlp_cpu_print(said);
    hrlp_cpu_print("\n");
    hrlp_cpu_halt(0);
}

void low(void)
{
    static uint8_t jobs;

    if (jobs++ == 0) {
        try_all('b');
    }
    if (jobs == 2 && !WITH_THREADS) {
        end();
    }
}

#if WITH_THREADS
/* Behind the job of `low`. */
void asks(void)
{
    static uint8_t jobs;

    if (jobs++ == 0) {
        say(' ');
        activate(&basic_high);
        say('t');
        hrl_resource_take(&bus);
        activate(&basic_mid);
        hrl_semaphore_give(&activate_served);
        say('c');
        hrl_resource_give(&bus);
        say('t');
        end();
    }
}
#endif
