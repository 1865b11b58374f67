/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures a firmware from outside: the front end of watch/ that the STM32 machine calls, which counts cycles.
 * watch/watch.h describes what it reads and writes.
 *
 *  - All cycles of an instruction are charged to the function in which it lies. So are those in which the processor
 *    sleeps, to the code that waits. Those of an exception's entry are charged to the code of its handler.
 *  - An access happens at the begin of its instruction.
 */
#include "watch/watch.h"

#include <stdlib.h>

enum { PLACES = 1 << 15 };

/* What is known of the code at an address. */
struct place {
    uint64_t pc;
    struct watch_function *function;
    const struct watch_site *sites;
    size_t site_count;
    bool in_switch;
};

static struct watch core;
static struct place places[PLACES]; /* of instructions that were executed */
static struct watch_function
    *function; /* of the instruction that is executed, or the code that sleeps */
static bool in_switch, returning;
static struct watch_looks looks;
static uint32_t *round_begins; /* by releaser: the word at `begins`, as it was stored last */
static bool has_rounds;

static const struct place *place_at(uint64_t pc)
{
    struct place *place = &places[pc / 2 % PLACES];

    if (place->function == NULL || place->pc != pc) {
        place->pc = pc;
        place->function = watch_function_at(&core, pc);
        place->sites = watch_sites_at(&core, pc, &place->site_count);
        place->in_switch = pc >= core.switch_low && pc < core.switch_high;
    }
    return place;
}

static void end_if_due(void)
{
    const char *too_long;

    if (function->kind == 'i' && core.total >= looks.done_from && watch_is_done(&core)) {
        watch_finish(&core, "done");
    }
    if (!core.over && core.total >= looks.look_at) {
        too_long = watch_too_long(&core);
        if (too_long != NULL) {
            watch_finish(&core, too_long);
        }
    }
}

static bool read_line(void *context, const char *line)
{
    uint64_t n[2];

    (void)context;
    return watch_is_line(line, "bits", n, 2) || watch_is_line(line, "parts", n, 1) ||
           watch_is_line(line, "part", n, 2);
}

static bool read_word(void *context, uint64_t address, uint32_t *word)
{
    (void)context;
    for (size_t i = 0; i < core.releaser_count; i++) {
        if (core.releasers[i].begins == address) {
            *word = round_begins[i];
            return true;
        }
    }
    return false;
}

static void note_word(uint32_t address, uint32_t value)
{
    for (size_t i = 0; i < core.releaser_count; i++) {
        if (core.releasers[i].begins == address) {
            round_begins[i] = value;
        }
    }
}

bool watcher_configure(const char *path, char *why, size_t size);
bool watcher_configure(const char *path, char *why, size_t size)
{
    if (!watch_configure(&core, path, read_line, NULL, why, size)) {
        return false;
    }
    core.counts_instructions = true;
    core.read_word = read_word;
    round_begins = calloc(core.releaser_count + 1, sizeof *round_begins);
    if (round_begins == NULL) {
        (void)snprintf(why, size, "no memory");
        return false;
    }
    for (size_t i = 0; i < core.releaser_count; i++) {
        has_rounds = has_rounds || core.releasers[i].begins != WATCH_NOWHERE;
    }
    function = watch_function_at(&core, WATCH_NOWHERE);
    looks = watch_looks(&core);
    return true;
}

/* The instruction at `pc` is about to be executed, in cycle `now`. */
void watcher_begins(uint32_t pc, uint64_t now);
void watcher_begins(uint32_t pc, uint64_t now)
{
    const bool was_open = core.open;
    const struct place *place;

    core.total = now;
    if (core.over) {
        return;
    }
    place = place_at(pc);
    function = place->function;
    in_switch = place->in_switch;
    returning = returning && function->kind != 'k';
    for (size_t i = 0; i < place->site_count && !core.over; i++) {
        watch_reach(&core, &place->sites[i]);
        returning = returning || place->sites[i].event == WATCH_JOB_END;
    }
    if (core.open != was_open) {
        looks = watch_looks(&core);
    }
    end_if_due();
}

void watcher_loads(uint32_t address);
void watcher_loads(uint32_t address)
{
    if (core.over) {
        return;
    }
    if (in_switch) {
        watch_switch_load(&core, address);
    }
    if (function->kind == 'k') {
        watch_load(&core, address);
    }
}

void watcher_stores(uint32_t address, uint32_t value);
void watcher_stores(uint32_t address, uint32_t value)
{
    uint64_t level;

    if (has_rounds) {
        note_word(address, value);
    }
    if (core.over || function->kind != 'k') {
        return;
    }
    if (watch_is_waiting_word(&core, address, &level)) {
        watch_wait(&core, level, value);
    } else {
        watch_store(&core, address);
    }
}

/* The instruction has taken `cycles`. */
void watcher_ends(uint64_t cycles);
void watcher_ends(uint64_t cycles)
{
    core.total += cycles;
    watch_charge(&core, function, cycles, returning);
    watch_count_instructions(&core, function, 1);
}

/* An exception was entered in so many cycles; the instruction at `pc` is its handler's first. */
void watcher_entered(uint32_t pc, uint64_t cycles);
void watcher_entered(uint32_t pc, uint64_t cycles)
{
    core.total += cycles;
    function = place_at(pc)->function;
    returning = returning && function->kind != 'k';
    watch_charge(&core, function, cycles, returning);
}

/* The processor slept for so long, up to `now`. */
void watcher_slept(uint64_t cycles, uint64_t now);
void watcher_slept(uint64_t cycles, uint64_t now)
{
    core.total = now;
    watch_charge(&core, function, cycles, returning);
    end_if_due();
}

/* The cycle, later than `now`, up to which it may sleep at most. */
uint64_t watcher_sleeps_until(uint64_t now);
uint64_t watcher_sleeps_until(uint64_t now)
{
    const uint64_t late = core.open ? core.opened_at + watch_steps(&core, core.late_ns) : 0;
    const uint64_t stops[] = {looks.done_from, looks.look_at, late};
    uint64_t until = UINT64_MAX;

    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        until = stops[i] > now && stops[i] < until ? stops[i] : until;
    }
    return until;
}

/* The address of `clock` (watch/watch.h): a register of the clock's timer. */
uint64_t watcher_clock(void);
uint64_t watcher_clock(void)
{
    return core.clock;
}

/* In that cycle `source`, the base of a timer and the number of a flag, has requested its interrupt. */
void watcher_requested(uint64_t cycles, uint32_t source, uint32_t count);
void watcher_requested(uint64_t cycles, uint32_t source, uint32_t count)
{
    watch_request(&core, cycles, source, count);
}

/* 0: it goes on; 1: the results are written; 2: they could not be. */
int watcher_over(void);
int watcher_over(void)
{
    return !core.over ? 0 : core.unwritten ? 2 : 1;
}
