/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine.h"

#include "loading.h"
#include "mends.h"
#include "watch/lines.h"

#include <simavr/sim_core.h>
#include <simavr/sim_gdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    OPCODE_SLEEP = 0x9588,
    POLL_US = 50000,      /* between looks at a debugger of a machine that is halted */
    ONE_INSTRUCTION = -1, /* avr->interrupt_state: so many more before an interrupt, negated */
};

static struct machine *logged; /* which libsimavr's messages are about: it does not say */

void machine_end(struct machine *machine, int status)
{
    if (!machine->over) {
        machine->over = true;
        machine->status = status;
    }
}

void machine_fault(struct machine *machine, const char *what)
{
    if (!machine->over) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "horolog-simavr: at %#x, in cycle %llu: %s\n", machine->avr->pc,
                      (unsigned long long)machine->avr->cycle, what);
    }
    machine_end(machine, STATUS_FAULT);
}

/* libsimavr says so what it cannot do; an invalid instruction is a message, no more. */
static void log_message(avr_t *avr, int level, const char *format, va_list arguments)
{
    char text[WHY_BYTES];
    const char *from = text;

    (void)avr;
    if (level != LOG_ERROR || logged == NULL) {
        return;
    }
    (void)vsnprintf(text, sizeof text, format, arguments);
    if (from[0] == '\033' && strchr(from, 'm') != NULL) { /* colours */
        from = strchr(from, 'm') + 1;
    }
    text[strcspn(text, "\n")] = '\0';
    machine_fault(logged, from);
}

bool machine_make(struct machine *machine, const char *mcu, uint32_t hz, uint16_t ram_end,
                  const char *elf, char *why)
{
    avr_t *avr;

    avr_global_logger_set(log_message);
    machine->hz = hz;
    machine->avr = avr = avr_make_mcu_by_name(mcu);
    if (avr == NULL) {
        (void)snprintf(why, WHY_BYTES, "libsimavr knows no %s", mcu);
        return false;
    }
    if (ram_end != 0) {
        avr->ramend = ram_end;
    }
    avr_init(avr);
    avr->frequency = hz;
    if (!load_elf(avr, elf, &machine->code_end, why)) {
        return false;
    }
    mend_registers(avr);
    logged = machine;
    return true;
}

bool machine_serve_debugger(struct machine *machine, int port)
{
    machine->avr->gdb_port = port;
    machine->avr->state = cpu_Stopped;
    return avr_gdb_init(machine->avr) == 0;
}

struct machine_observer *machine_observe(struct machine *machine, void *context)
{
    struct machine_observer *one =
        WATCH_ADD(struct machine_observer, machine->observers, machine->observer_count);

    one->context = context;
    return one;
}

/* --- Time ----------------------------------------------------------------------------------------- */

void machine_run_events(avr_t *avr, uint64_t until)
{
    const avr_cycle_timer_pool_t *pool = &avr->cycle_timers;

    while (pool->timer != NULL && pool->timer->when <= until) {
        if (pool->timer->when > avr->cycle) {
            avr->cycle = pool->timer->when;
        }
        avr_cycle_timer_process(avr);
    }
    avr->cycle = until;
}

/* As far as all observers let it, and to the next event. */
static uint64_t sleeps_until(const struct machine *machine)
{
    avr_cycle_timer_slot_p next = machine->avr->cycle_timers.timer;
    uint64_t until = next != NULL ? next->when : UINT64_MAX;

    until = machine->limit < until ? machine->limit : until;
    for (size_t i = 0; i < machine->observer_count; i++) {
        const struct machine_observer *one = &machine->observers[i];
        uint64_t at = one->sleeps_until != NULL ? one->sleeps_until(one->context) : UINT64_MAX;

        until = at < until ? at : until;
    }
    return until > machine->avr->cycle ? until : machine->avr->cycle + 1;
}

static void sleep_on(struct machine *machine)
{
    avr_t *avr = machine->avr;
    uint64_t begun = avr->cycle, until = sleeps_until(machine);

    if (avr->sreg[S_I] == 0) {
        machine_fault(machine, "it sleeps with interrupts masked");
        return;
    }
    if (until == UINT64_MAX) {
        machine_fault(machine, "it sleeps, and nothing will wake it");
        return;
    }
    machine_run_events(avr, until);
    for (size_t i = 0; i < machine->observer_count; i++) {
        const struct machine_observer *one = &machine->observers[i];

        if (one->slept != NULL) {
            one->slept(one->context, avr->cycle - begun);
        }
    }
    if (avr->cycle >= machine->limit) {
        machine_end(machine, STATUS_LIMIT);
    }
}

/* --- Interrupts ----------------------------------------------------------------------------------- */

void machine_drop_stale(avr_t *avr)
{
    avr_int_pending_t *pending = &avr->interrupts.pending;
    unsigned kept = pending->read;

    for (unsigned i = pending->read; i != pending->write; i = (i + 1) % avr_int_pending_fifo_size) {
        avr_int_vector_t *vector = pending->buffer[i];

        vector->pending = vector->pending && avr_regbit_get(avr, vector->enable);
        if (vector->pending) {
            pending->buffer[kept] = vector;
            kept = (kept + 1) % avr_int_pending_fifo_size;
        }
    }
    pending->write = (uint16_t)kept;
    if (avr->interrupt_state > 0 && pending->read == pending->write) {
        avr->interrupt_state = 0;
    }
}

static void interrupt(struct machine *machine, bool woken)
{
    avr_t *avr = machine->avr;
    const uint64_t entered = avr->cycle;
    const uint16_t stack = machine_stack(avr);

    machine_drop_stale(avr);
    avr->interrupts.running_ptr = 0; /* a kernel that switches returns otherwise than it entered */
    if (avr->interrupt_state != 0) {
        avr_service_interrupts(avr);
    }
    if (avr->interrupts.running_ptr == 0) {
        return;
    }
    machine_run_events(avr, entered + ENTRY_CYCLES + (woken ? WAKE_CYCLES : 0));
    for (size_t i = 0; i < machine->observer_count; i++) {
        const struct machine_observer *one = &machine->observers[i];

        if (one->entered != NULL) {
            one->entered(one->context, avr->interrupts.running[0]->vector, entered, stack);
        }
    }
}

/* --- Instructions --------------------------------------------------------------------------------- */

static void execute(struct machine *machine, uint16_t opcode)
{
    avr_t *avr = machine->avr;
    const uint64_t begun = avr->cycle;
    avr_flashaddr_t next;
    uint64_t ended;

    for (size_t i = 0; i < machine->observer_count; i++) {
        const struct machine_observer *one = &machine->observers[i];

        if (one->begins != NULL) {
            one->begins(one->context);
        }
    }
    if (machine->over) {
        return;
    }
    next = avr_run_one(avr);
    if (avr->state == cpu_Crashed) {
        machine_fault(machine, "it crashed");
    }
    ended = avr->cycle;
    avr->cycle = begun;
    machine_run_events(avr, ended);
    for (size_t i = 0; i < machine->observer_count; i++) {
        const struct machine_observer *one = &machine->observers[i];

        if (one->ends != NULL) {
            one->ends(one->context, opcode, (unsigned)(ended - begun));
        }
    }
    avr->pc = next;
    if (avr->interrupt_state < ONE_INSTRUCTION) {
        avr->interrupt_state = ONE_INSTRUCTION;
    }
}

/* Returns whether the debugger lets it go on; `step` is whether by one instruction only. */
static bool ask_debugger(avr_t *avr, bool *step)
{
    avr_gdb_processor(avr, avr->state == cpu_Stopped ? POLL_US : 0);
    *step = avr->state == cpu_Step;
    if (*step) {
        avr->state = cpu_Running;
    }
    return avr->state == cpu_Running || avr->state == cpu_Sleeping;
}

static bool has_code(struct machine *machine)
{
    const avr_t *avr = machine->avr;

    if (avr->pc >= machine->code_end) {
        machine_fault(machine, "there is no code");
    } else if (avr->pc == 0 && avr->cycle > 0) {
        machine_fault(machine, "it came to address 0 again");
    }
    return !machine->over;
}

void machine_step(struct machine *machine)
{
    avr_t *avr = machine->avr;
    bool step = false, woken = avr->state == cpu_Sleeping;

    if (avr->gdb != NULL && !ask_debugger(avr, &step)) {
        return;
    }
    if (avr->state == cpu_Running) {
        uint16_t opcode = 0;

        if (!has_code(machine)) {
            return;
        }
        opcode = machine_word(avr, avr->pc);
        execute(machine, opcode);
        woken = opcode == OPCODE_SLEEP;
    }
    while (avr->state == cpu_Sleeping && !machine->over) {
        sleep_on(machine);
        if (avr->gdb != NULL) {
            break; /* which may want to stop it */
        }
    }
    if (avr->interrupt_state != 0 && !machine->over &&
        (avr->state == cpu_Running || avr->state == cpu_Sleeping)) {
        interrupt(machine, woken);
    }
    if (step) {
        avr->state = cpu_StepDone;
    }
    if (avr->cycle >= machine->limit) {
        machine_end(machine, STATUS_LIMIT);
    }
}
