/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "visits.h"

#include "watch/visit_log.h"

#include <inttypes.h>
#include <stdlib.h>

struct watched {
    struct machine *machine;
    struct visits core;
    long *owners; /* of each word of the flash */
};

static struct watched watched;

static void executed(void *context, uint16_t opcode, unsigned cycles)
{
    const avr_t *avr = watched.machine->avr;

    (void)context;
    (void)opcode;
    visits_executed(&watched.core, watched.owners[avr->pc / 2], avr->pc, avr->cycle - cycles,
                    avr->cycle - 1);
}

static void look_at_limit(void *context)
{
    (void)context;
    if (watched.core.out != NULL && visits_at_limit(&watched.core, watched.machine->avr->cycle)) {
        machine_end(watched.machine, 0);
    }
}

static void slept(void *context, uint64_t cycles)
{
    (void)cycles;
    look_at_limit(context);
}

static uint64_t sleeps_until(void *context)
{
    (void)context;
    return watched.core.limit;
}

static void raised(struct avr_irq_t *irq, uint32_t value, void *param)
{
    const avr_int_vector_t *vector = param;

    (void)irq;
    if (value != 0 && watched.core.out != NULL) {
        (void)fprintf(watched.core.out, "%" PRIu64 " flag %u\n", watched.machine->avr->cycle,
                      vector->vector);
    }
}

static void find_owners(const struct machine *machine)
{
    const size_t words = machine->code_end / 2 + 1;

    watched.owners = calloc(words, sizeof *watched.owners);
    if (watched.owners == NULL) {
        abort();
    }
    for (size_t i = 0; i < words; i++) {
        watched.owners[i] = visits_owner_of(&watched.core, 2 * i);
    }
}

bool visits_watch(struct machine *machine, const char *path, char *why)
{
    struct machine_observer *observer;
    avr_int_table_t *table = &machine->avr->interrupts;

    watched.machine = machine;
    if (!visits_begin(&watched.core, path, why, WHY_BYTES)) {
        return false;
    }
    find_owners(machine);
    for (unsigned i = 0; i < table->vector_count; i++) {
        avr_irq_register_notify(table->vector[i]->irq + AVR_INT_IRQ_PENDING, raised,
                                table->vector[i]);
    }
    observer = machine_observe(machine, machine);
    observer->begins = look_at_limit;
    observer->ends = executed;
    observer->slept = slept;
    observer->sleeps_until = sleeps_until;
    return true;
}
