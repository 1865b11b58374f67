/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures a firmware on the simulated RP2040 from outside: the front end of watch/, which counts cycles.
 *
 *   rp2040-watcher CONFIGURATION PROGRAM ARGUMENT...
 *
 * CONFIGURATION is a file as watch/watch.h describes it. PROGRAM, the simulator (main.cjs), is run with the arguments and
 * `--steps 3`; file 3 is a pipe, which it writes records into that steps.cjs describes. It is ended when the watch is
 * over.
 *
 * Exit status: 0 if the watch is over; the simulator's own if the firmware ends before; 125 if the arguments or a file are
 * wrong.
 */
#define _POSIX_C_SOURCE 200809L
#include "watch/watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_WRONG = 125, WHY_BYTES = 2 * WATCH_PATH_BYTES, STEPS_FILE = 3, WORDS = 3 };
enum { LOAD = 1, STORE = 3, ENTRY = 5, SLEEP = 7, TURNS = 9, ALARM = 11, KIND_BITS = 4 };
enum { AT_SITE = 1, IN_SWITCH = 2 };
#define FLASH 0x10000000u
#define CODE_BYTES 0x200000u
#define RAM 0x20000000u
#define RAM_BYTES 0x42000u

enum { PLACES = (CODE_BYTES + RAM_BYTES) / 2 };

/* What is known of the code at each halfword of the flash, and behind that of RAM. */
struct place {
    struct watch_function *function;
    unsigned flags;
};

static struct watch watch;
static struct place *places; /* one more, behind all, is what is elsewhere */
static uint32_t ram[RAM_BYTES / 4];
static uint64_t now;       /* cycles */
static struct place *here; /* the instruction that is executed, and what it takes */
static uint32_t here_cycles, pc;
static uint32_t entry_cycles; /* of the interrupt that is taken */
static bool returning;        /* from the body of a job that has ended */
static struct watch_looks looks;

static struct place *place_of(uint32_t address)
{
    if (address - FLASH < CODE_BYTES) {
        return &places[(address - FLASH) / 2];
    }
    return &places[address - RAM < RAM_BYTES ? (CODE_BYTES + address - RAM) / 2 : PLACES];
}

static bool read_word(void *context, uint64_t address, uint32_t *word)
{
    (void)context;
    if (address - RAM >= RAM_BYTES || address % 4 != 0) {
        return false;
    }
    *word = ram[(address - RAM) / 4];
    return true;
}

/* --- Limits --------------------------------------------------------------------------------------- */

static void end_if_too_long(void)
{
    const char *too_long = now >= looks.look_at ? watch_too_long(&watch) : NULL;

    if (too_long != NULL) {
        watch_finish(&watch, too_long);
    }
}

/* Also how far idling may go on without a look: up to there nothing ends. */
static uint64_t next_look(void)
{
    return looks.done_from < looks.look_at ? looks.done_from : looks.look_at;
}

/* --- Charges -------------------------------------------------------------------------------------- */

static void charge(struct watch_function *to, uint64_t cycles)
{
    now += cycles;
    watch.total = now;
    watch_charge(&watch, to, cycles, returning);
}

static void reach_sites(void)
{
    size_t count;
    const struct watch_site *site = watch_sites_at(&watch, pc, &count);
    const bool was_open = watch.open;

    for (; count > 0; count--, site++) {
        watch_reach(&watch, site);
        returning = returning || site->event == WATCH_JOB_END;
    }
    if (watch.open != was_open) {
        looks = watch_looks(&watch);
    }
}

static void look(void)
{
    if (here->function->kind == 'i' && now >= looks.done_from && watch_is_done(&watch)) {
        watch_finish(&watch, "done");
    }
    if (!watch.over) {
        end_if_too_long();
    }
}

/* The instruction before is over; the one at `address` comes. */
static void go_to(uint32_t address)
{
    if (here != NULL) {
        charge(here->function, here_cycles);
    }
    pc = address;
    here = place_of(address);
    returning = returning && here->function->kind != 'k';
    charge(here->function, entry_cycles);
    entry_cycles = 0;
}

static void begin(uint32_t address, uint32_t cycles)
{
    go_to(address);
    here_cycles = cycles;
    if ((here->flags & AT_SITE) != 0) {
        reach_sites();
    }
    look();
    watch_count_instructions(&watch, here->function, 1);
}

/*
 * So many turns of the loop that begins at `address`: as one, or instruction by instruction where that may be the end.
 * Nothing else happens in it.
 */
static void turn(uint32_t address, uint32_t turns, uint32_t instructions, uint32_t cycles)
{
    uint64_t at_once;

    go_to(address);
    here_cycles = 0;
    at_once = next_look() > now ? (next_look() - now) / cycles : 0;
    at_once = at_once < turns ? at_once : turns;
    charge(here->function, at_once * cycles);
    watch_count_instructions(&watch, here->function, at_once * instructions);
    for (uint64_t i = 0; i < (turns - at_once) * instructions; i++) {
        const bool last = i % instructions == instructions - 1u;

        look();
        if (watch.over) {
            return;
        }
        charge(here->function, last ? cycles - (instructions - 1u) : 1u);
        watch_count_instructions(&watch, here->function, 1);
    }
}

/* --- Accesses ------------------------------------------------------------------------------------- */

static void load(uint32_t address)
{
    if ((here->flags & IN_SWITCH) != 0) {
        watch_switch_load(&watch, address);
    }
    if (here->function->kind == 'k') {
        watch_load(&watch, address);
    }
}

static void store(uint32_t address, uint32_t word)
{
    uint64_t level;

    if (address - RAM < RAM_BYTES) {
        ram[(address - RAM) / 4] = word;
    }
    if (here == NULL || here->function->kind != 'k') {
        return;
    }
    if (watch_is_waiting_word(&watch, address, &level)) {
        watch_wait(&watch, level, word);
    } else {
        watch_store(&watch, address);
    }
}

/* The cycle with those lower bits is near `now`, which is that of what was executed last. */
static void fire(uint32_t alarm, uint32_t count, uint32_t cycle)
{
    watch_request(&watch, now + (uint64_t)(int64_t)(int32_t)(cycle - (uint32_t)now), alarm, count);
}

static void take(const uint32_t *record)
{
    switch (record[0] & ((1u << KIND_BITS) - 1u)) {
    case LOAD:
        if (here != NULL) {
            load(record[1]);
        }
        break;
    case STORE:
        store(record[1], record[2]);
        break;
    case ENTRY:
        entry_cycles += record[1];
        break;
    case SLEEP:
        here_cycles += record[1];
        break;
    case ALARM:
        fire(record[0] >> KIND_BITS, record[1], record[2]);
        break;
    case TURNS:
        turn(record[1], record[2], record[0] >> KIND_BITS & 0xFFFu, record[0] >> 16);
        break;
    default:
        begin(record[0], record[1]);
    }
}

/* --- The configuration, and the simulator ----------------------------------------------------------- */

/* Lines for front ends that cannot see what is stored. */
static bool read_line(void *context, const char *line)
{
    uint64_t n[2];

    (void)context;
    return watch_is_line(line, "bits", n, 2) || watch_is_line(line, "parts", n, 1) ||
           watch_is_line(line, "part", n, 2);
}

static void find_places(void)
{
    places = calloc(PLACES + 1, sizeof *places);
    if (places == NULL) {
        abort();
    }
    for (uint32_t i = 0; i <= PLACES; i++) {
        const uint64_t address = i < CODE_BYTES / 2 ? FLASH + 2u * i : RAM + 2u * i - CODE_BYTES;
        size_t count;

        places[i].function = watch_function_at(&watch, address);
        (void)watch_sites_at(&watch, address, &count);
        places[i].flags =
            (count > 0 ? AT_SITE : 0u) |
            (address >= watch.switch_low && address < watch.switch_high ? IN_SWITCH : 0u);
    }
}

static pid_t start(char **arguments, int count, FILE **steps)
{
    char **command = calloc((size_t)count + 3, sizeof *command);
    int ends[2];
    pid_t child;

    if (command == NULL || pipe(ends) != 0) {
        abort();
    }
    memcpy(command, arguments, (size_t)count * sizeof *command);
    command[count] = "--steps";
    command[count + 1] = "3";
    child = fork();
    if (child == 0) {
        if (ends[1] != STEPS_FILE) {
            (void)dup2(ends[1], STEPS_FILE);
            (void)close(ends[1]);
        }
        if (ends[0] != STEPS_FILE) {
            (void)close(ends[0]);
        }
        (void)execvp(command[0], command);
        perror(command[0]);
        _exit(STATUS_WRONG);
    }
    free(command);
    (void)close(ends[1]);
    *steps = fdopen(ends[0], "rb");
    if (child < 0 || *steps == NULL) {
        abort();
    }
    return child;
}

int main(int argc, char **argv)
{
    char why[WHY_BYTES] = "";
    uint32_t record[WORDS];
    FILE *steps;
    pid_t child;
    int status = 0;

    if (argc < 3) {
        (void)fprintf(stderr, "rp2040-watcher: a configuration and a program are needed\n");
        return STATUS_WRONG;
    }
    if (!watch_configure(&watch, argv[1], read_line, NULL, why, sizeof why)) {
        (void)fprintf(stderr, "rp2040-watcher: %s\n", why);
        return STATUS_WRONG;
    }
    watch.counts_instructions = true;
    watch.read_word = read_word;
    find_places();
    looks = watch_looks(&watch);
    child = start(argv + 2, argc - 2, &steps);
    while (!watch.over && fread(record, sizeof record, 1, steps) == 1) {
        take(record);
    }
    if (watch.over) {
        (void)kill(child, SIGKILL);
    }
    (void)waitpid(child, &status, 0);
    if (watch.unwritten) {
        perror(watch.out_path);
        return STATUS_WRONG;
    }
    return watch.over ? 0 : WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_WRONG;
}
