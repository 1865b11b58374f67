/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mends.h"

#include "machine.h"
#include "watch/lines.h"

#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_timer.h>
#include <string.h>

/* How libsimavr handles writes to a register, if it does; this file is called before. */
struct mended {
    avr_io_write_t write;
    void *param;
};

static avr_int_vector_t **vectors; /* flags and enables of these are mended */
static size_t vector_count;
static struct mended mended[MAX_IOs];

static void add_vector(avr_int_vector_t *vector)
{
    if (vector->vector != 0 && vector->raised.reg != 0 && vector->enable.reg != 0) {
        *WATCH_ADD(avr_int_vector_t *, vectors, vector_count) = vector;
    }
}

static void write_on(avr_t *avr, avr_io_addr_t address, uint8_t value)
{
    const struct mended *one = &mended[AVR_DATA_TO_IO(address)];

    if (one->write != NULL) {
        one->write(avr, address, value, one->param);
    } else {
        avr_core_watch_write(avr, address, value);
    }
}

static bool is_set(avr_regbit_t bit, uint8_t value)
{
    return ((unsigned)value >> bit.bit & bit.mask) != 0;
}

static void write_flags(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    for (size_t i = 0; i < vector_count; i++) {
        if (vectors[i]->raised.reg == address && is_set(vectors[i]->raised, value)) {
            avr_clear_interrupt(avr, vectors[i]);
        }
    }
    machine_drop_stale(avr);
}

static void write_enables(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    write_on(avr, address, value);
    for (size_t i = 0; i < vector_count; i++) {
        if (vectors[i]->enable.reg == address && is_set(vectors[i]->enable, value) &&
            avr_regbit_get(avr, vectors[i]->raised)) {
            avr_raise_interrupt(avr, vectors[i]);
        }
    }
}

/*
 * Writes a register of a timer as in the last cycle of the instruction that does: what happens up to there has happened, also
 * what libsimavr would forget when it computes anew. Only what comes later is found.
 */
static void write_at_end(avr_t *avr, avr_io_addr_t address, uint8_t value)
{
    const bool is_out =
        (machine_word(avr, avr->pc) & 0xf800) == 0xb800; /* or a store: two cycles */

    machine_run_events(avr, avr->cycle + (is_out ? 1 : 2));
    avr->cycle++;
    write_on(avr, address, value);
}

static void write_compare(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    const uint64_t begun = avr->cycle;

    (void)param;
    write_at_end(avr, address, value);
    avr->cycle = begun;
}

/*
 * The count is what is written from the end of the instruction on; it goes on with the prescaler's next step behind that, which
 * comes as if nothing were written. The match of the count itself, which would be there, does not happen.
 */
static void write_count(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    avr_timer_t *timer = param;
    const avr_timer_comp_t *any = &timer->comp[AVR_TIMER_COMPA];
    const uint64_t begun = avr->cycle, base = timer->tov_base, divisor = timer->cs_div_value;
    uint64_t count, step;

    write_at_end(avr, address, value);
    if (divisor != 0 &&
        timer->tov_cycles != 0) { /* libsimavr rounds, and begins with a whole step */
        count = avr->data[timer->r_tcnt] |
                (timer->r_tcnth != 0 ? (unsigned)avr->data[timer->r_tcnth] << 8 : 0);
        step = avr->cycle - 1 - (avr->cycle - 1 - base) % divisor;
        timer->tov_base = step - count * divisor;
        avr->cycle = step + divisor + 1;
        write_on(avr, any->r_ocr, avr->data[any->r_ocr]); /* which computes anew */
    }
    avr->cycle = begun;
}

static void mend(avr_t *avr, avr_io_addr_t address, avr_io_write_t write, void *param)
{
    const avr_io_addr_t io = AVR_DATA_TO_IO(address);

    if (avr->io[io].w.c != write) {
        mended[io] = (struct mended){avr->io[io].w.c, avr->io[io].w.param};
        avr->io[io].w.c = write;
        avr->io[io].w.param = param;
    }
}

static void mend_timer(avr_t *avr, avr_timer_t *timer)
{
    mend(avr, timer->r_tcnt, write_count, timer);
    add_vector(&timer->overflow);
    add_vector(&timer->icr);
    for (size_t i = 0; i < AVR_TIMER_COMP_COUNT; i++) {
        add_vector(&timer->comp[i].interrupt);
        if (timer->comp[i].r_ocr != 0) {
            mend(avr, timer->comp[i].r_ocr, write_compare, NULL);
        }
    }
}

void mend_registers(avr_t *avr)
{
    for (avr_io_t *io = avr->io_port; io != NULL; io = io->next) {
        if (strcmp(io->kind, "timer") == 0) {
            mend_timer(avr, (avr_timer_t *)io);
        } else if (strcmp(io->kind, "port") == 0) {
            add_vector(&((avr_ioport_t *)io)->pcint);
        } else if (strcmp(io->kind, "extint") == 0) {
            for (size_t i = 0; i < EXTINT_COUNT; i++) {
                add_vector(&((avr_extint_t *)io)->eint[i].vector);
            }
        }
    }
    for (size_t i = 0; i < vector_count; i++) {
        mend(avr, vectors[i]->raised.reg, write_flags, NULL);
        mend(avr, vectors[i]->enable.reg, write_enables, NULL);
    }
}
