/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watcher.h"

#include "access.h"

#include <simavr/avr_timer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AT_SITE = 1, IN_SWITCH = 2, VECTORS = 64 };

/* What is known of the code at each word of the flash. */
struct place {
    struct watch_function *function;
    unsigned flags;
};

struct firing {
    const avr_int_vector_t *of; /* NULL: of a releaser */
    uint64_t vector;
    size_t releaser;
    struct watcher *watcher;
};

struct watcher {
    struct machine *machine;
    struct watch core;
    struct place *places;
    struct firing *firing;
    size_t firing_count;
    const avr_timer_t *clock; /* timer 1 */
    struct access access;     /* of the instruction that is executed */
    bool returning;           /* from the body of a job that has ended */
    struct watch_looks looks;
};

static struct place *here(const struct watcher *watcher)
{
    const uint32_t pc = watcher->machine->avr->pc, end = watcher->machine->code_end;

    return &watcher->places[(pc < end ? pc : end) / 2];
}

/* Time goes on only here, so that it is the same for all that happens at once. */
static void set_time(struct watcher *watcher)
{
    watcher->core.total = watcher->machine->avr->cycle;
}

static bool read_word(void *context, uint64_t address, uint32_t *word)
{
    const struct watcher *watcher = context;
    const avr_t *avr = watcher->machine->avr;
    const uint64_t at = address - DATA_BASE;

    if (at + 3 > avr->ramend) {
        return false;
    }
    *word = machine_pair(avr, (unsigned)at) | (uint32_t)machine_pair(avr, (unsigned)at + 2) << 16;
    return true;
}

/* --- Limits --------------------------------------------------------------------------------------- */

static void end_if_over(struct watcher *watcher)
{
    if (watcher->core.over) {
        if (watcher->core.unwritten) {
            perror(watcher->core.out_path);
        }
        machine_end(watcher->machine, watcher->core.unwritten ? STATUS_WRONG : 0);
    }
}

static void end_if_too_long(struct watcher *watcher)
{
    const char *too_long = watch_too_long(&watcher->core);

    if (too_long != NULL) {
        watch_finish(&watcher->core, too_long);
    }
}

static void end_if_done(struct watcher *watcher)
{
    if (watcher->core.total >= watcher->looks.done_from && watch_is_done(&watcher->core)) {
        watch_finish(&watcher->core, "done");
    }
}

/* --- Charges -------------------------------------------------------------------------------------- */

static void charge(struct watcher *watcher, struct watch_function *to, uint64_t cycles)
{
    set_time(watcher);
    watch_charge(&watcher->core, to, cycles, watcher->returning);
}

static void reach_sites(struct watcher *watcher)
{
    size_t count;
    const struct watch_site *site =
        watch_sites_at(&watcher->core, watcher->machine->avr->pc, &count);
    const bool was_open = watcher->core.open;

    for (; count > 0; count--, site++) {
        watch_reach(&watcher->core, site);
        watcher->returning = watcher->returning || site->event == WATCH_JOB_END;
    }
    if (watcher->core.open != was_open) {
        watcher->looks = watch_looks(&watcher->core);
    }
}

static void begins(void *context)
{
    struct watcher *watcher = context;
    const avr_t *avr = watcher->machine->avr;
    const struct place *place = here(watcher);
    const char kind = place->function->kind;
    const uint16_t opcode = machine_word(avr, avr->pc);

    watcher->returning = watcher->returning && kind != 'k';
    if ((place->flags & AT_SITE) != 0) {
        reach_sites(watcher);
    }
    if (kind == 'i') {
        end_if_done(watcher);
    }
    if (watcher->core.total >= watcher->looks.look_at) {
        end_if_too_long(watcher);
    }
    end_if_over(watcher);
    watcher->access.kind = ACCESS_NONE;
    if ((kind == 'k' || (place->flags & IN_SWITCH) != 0) && access_kind_of(opcode) != ACCESS_NONE) {
        watcher->access = access_of(avr, opcode);
    }
}

/* --- Accesses ------------------------------------------------------------------------------------- */

/* The word of level `level` with the byte that was stored at `address`. */
static void store_waiting(struct watcher *watcher, uint64_t level)
{
    const uint64_t first = watcher->core.waiting_base + 4 * level;
    uint32_t word = watcher->core.waits[level];
    const unsigned shift = 8 * (unsigned)(watcher->access.address - first);

    word = (word & ~((uint32_t)0xff << shift)) | (uint32_t)watcher->access.value << shift;
    watch_wait(&watcher->core, level, word);
}

static void tell_access(struct watcher *watcher, unsigned flags, char kind)
{
    struct watch *core = &watcher->core;
    const struct access *access = &watcher->access;
    uint64_t level;

    if (access->kind == ACCESS_LOAD && (flags & IN_SWITCH) != 0) {
        watch_switch_load(core, access->address);
    }
    if (kind != 'k') {
        return;
    }
    if (access->kind == ACCESS_LOAD) {
        watch_load(core, access->address);
    } else if (watch_is_waiting_word(core, access->address, &level)) {
        store_waiting(watcher, level);
    } else {
        watch_store(core, access->address);
    }
}

static void ends(void *context, uint16_t opcode, unsigned cycles)
{
    struct watcher *watcher = context;
    struct place *place = here(watcher);

    (void)opcode;
    if (watcher->access.kind != ACCESS_NONE) {
        tell_access(watcher, place->flags, place->function->kind);
    }
    charge(watcher, place->function, cycles);
    watch_count_instructions(&watcher->core, place->function, 1);
}

/* --- Sleep and interrupts ------------------------------------------------------------------------- */

static uint64_t sleeps_until(void *context)
{
    const struct watcher *watcher = context;
    const struct watch *core = &watcher->core;
    const uint64_t late = core->open ? core->opened_at + watch_steps(core, core->late_ns) : 0;
    const uint64_t stops[] = {watcher->looks.done_from, watcher->looks.look_at, late};
    uint64_t until = UINT64_MAX;

    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        until = stops[i] > core->total && stops[i] < until ? stops[i] : until;
    }
    return until;
}

/* The program counter is behind SLEEP. */
static void slept(void *context, uint64_t cycles)
{
    struct watcher *watcher = context;
    struct place *waits = &watcher->places[watcher->machine->avr->pc / 2 - 1];

    charge(watcher, waits->function, cycles);
    if (waits->function->kind == 'i') {
        end_if_done(watcher);
    }
    if (watcher->core.total >= watcher->looks.look_at) {
        end_if_too_long(watcher);
    }
    end_if_over(watcher);
}

static void entered(void *context, unsigned vector, uint64_t at, uint16_t stack)
{
    struct watcher *watcher = context;

    (void)vector;
    (void)stack;
    watcher->returning = watcher->returning && here(watcher)->function->kind != 'k';
    charge(watcher, here(watcher)->function, watcher->machine->avr->cycle - at);
}

static void fires(struct avr_irq_t *irq, uint32_t value, void *param)
{
    const struct firing *one = param;

    (void)irq;
    if (value != 0) {
        set_time(one->watcher);
        watch_announce(&one->watcher->core, one->releaser);
    }
}

/* The lower 16 bits of the clock, which is as the events up to now have left it. */
static uint64_t clock_count(const struct watcher *watcher)
{
    const avr_timer_t *clock = watcher->clock;

    return clock->cs_div_value == 0
               ? 0
               : (watcher->machine->avr->cycle - clock->tov_base) / clock->cs_div_value & 0xFFFFu;
}

static void requested(struct avr_irq_t *irq, uint32_t value, void *param)
{
    const struct firing *one = param;

    (void)irq;
    if (value != 0 && avr_regbit_get(one->watcher->machine->avr, one->of->enable)) {
        watch_request(&one->watcher->core, one->watcher->machine->avr->cycle, one->vector,
                      clock_count(one->watcher));
    }
}

/* --- The configuration ---------------------------------------------------------------------------- */

static bool read_line(void *context, const char *line)
{
    struct watcher *watcher = context;
    uint64_t n[3];

    if (watch_is_line(line, "fires", n, 3)) {
        struct firing *one = WATCH_ADD(struct firing, watcher->firing, watcher->firing_count);

        one->vector = n[0];
        one->releaser = watcher->core.releaser_count;
        return n[0] < VECTORS && watch_add_releaser(&watcher->core, n[1], n[2]);
    }
    return watch_is_line(line, "bits", n, 2) || watch_is_line(line, "parts", n, 1) ||
           watch_is_line(line, "part", n, 2);
}

static void find_places(struct watcher *watcher)
{
    struct watch *core = &watcher->core;
    const size_t words = watcher->machine->code_end / 2 + 1;

    watcher->places = calloc(words, sizeof *watcher->places);
    if (watcher->places == NULL) {
        abort();
    }
    for (size_t i = 0; i < words; i++) {
        struct place *place = &watcher->places[i];
        size_t count;

        place->function = watch_function_at(core, 2 * i);
        (void)watch_sites_at(core, 2 * i, &count);
        place->flags = (count > 0 ? AT_SITE : 0u) |
                       (2 * i >= core->switch_low && 2 * i < core->switch_high ? IN_SWITCH : 0u);
    }
}

static bool hear_flags(struct watcher *watcher, const char *path, char *why)
{
    for (size_t i = 0; i < watcher->firing_count; i++) {
        struct firing *one = &watcher->firing[i];
        avr_irq_t *irq = avr_get_interrupt_irq(watcher->machine->avr, (uint8_t)one->vector);

        if (irq == NULL) {
            (void)snprintf(why, WHY_BYTES, "%s: there is no interrupt %d", path, (int)one->vector);
            return false;
        }
        one->watcher = watcher;
        avr_irq_register_notify(irq + AVR_INT_IRQ_PENDING, fires, one);
    }
    return true;
}

static void hear_requests_of(struct watcher *watcher, const avr_timer_t *timer)
{
    for (size_t i = 0; i < AVR_TIMER_COMP_COUNT; i++) {
        const uint8_t vector = timer->comp[i].interrupt.vector;
        struct firing *one;

        if (vector != 0) {
            one = calloc(1, sizeof *one);
            if (one == NULL) {
                abort();
            }
            one->of = &timer->comp[i].interrupt;
            one->vector = vector;
            one->watcher = watcher;
            avr_irq_register_notify(avr_get_interrupt_irq(watcher->machine->avr, vector) +
                                        AVR_INT_IRQ_PENDING,
                                    requested, one);
        }
    }
}

/* Compare channels of all timers, if the watch writes down what is requested. */
static void hear_requests(struct watcher *watcher)
{
    for (avr_io_t *io = watcher->machine->avr->io_port; io != NULL; io = io->next) {
        const avr_timer_t *timer = (avr_timer_t *)io;

        if (strcmp(io->kind, "timer") == 0) {
            watcher->clock = timer->name == '1' ? timer : watcher->clock;
            hear_requests_of(watcher, timer);
        }
    }
}

bool watcher_begin(struct machine *machine, const char *path, char *why)
{
    static struct watcher watcher;
    struct machine_observer *observer;

    watcher.machine = machine;
    if (!watch_configure(&watcher.core, path, read_line, &watcher, why, WHY_BYTES) ||
        !hear_flags(&watcher, path, why)) {
        return false;
    }
    watcher.core.counts_instructions = true;
    watcher.core.read_word = read_word;
    watcher.core.word_context = &watcher;
    find_places(&watcher);
    if (watcher.core.requests != NULL) {
        hear_requests(&watcher);
    }
    watcher.looks = watch_looks(&watcher.core);
    observer = machine_observe(machine, &watcher);
    observer->begins = begins;
    observer->ends = ends;
    observer->slept = slept;
    observer->sleeps_until = sleeps_until;
    observer->entered = entered;
    return true;
}
