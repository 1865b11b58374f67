/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "logs.h"

#include "watch/lines.h"

#include <inttypes.h>
#include <simavr/avr_ioport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPCODE_RETI = 0x9518, PORT_PINS = 8, VECTOR_BITS = 8 };

static FILE *marks, *interrupts, *pin_log, *wave;

static bool open_log(FILE **file, const char *path, char *why)
{
    *file = fopen(path, "w");
    if (*file == NULL) {
        (void)snprintf(why, WHY_BYTES, "%s cannot be written", path);
    }
    return *file != NULL;
}

/* --- Registers ------------------------------------------------------------------------------------ */

static void write_console(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)avr;
    (void)address;
    (void)param;
    (void)putchar(value);
}

static void write_exit(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)avr;
    (void)address;
    machine_end(param, value);
}

static void write_mark(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)address;
    (void)param;
    if (marks != NULL) {
        (void)fprintf(marks, "%" PRIu64 " %u\n", avr->cycle, value);
    }
}

bool log_registers(struct machine *machine, const char *path, char *why)
{
    if (path != NULL && !open_log(&marks, path, why)) {
        return false;
    }
    avr_register_io_write(machine->avr, CONSOLE, write_console, machine);
    avr_register_io_write(machine->avr, EXIT, write_exit, machine);
    avr_register_io_write(machine->avr, MARK, write_mark, machine);
    return true;
}

/* --- Interrupts ----------------------------------------------------------------------------------- */

struct entry {
    unsigned vector;
    uint64_t entered, first;
    size_t nesting;
    uint16_t stack; /* before, and after its RETI */
};

static struct entry *entries; /* those that are not over */
static size_t entry_count;

static void end_entry(size_t index, uint64_t returned)
{
    const struct entry *one = &entries[index];

    (void)fprintf(interrupts, "%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %zu\n", one->vector,
                  one->entered, one->first, returned, one->nesting);
    memmove(&entries[index], &entries[index + 1], (--entry_count - index) * sizeof *entries);
}

static void note_entry(void *context, unsigned vector, uint64_t entered, uint16_t stack)
{
    const struct machine *machine = context;
    struct entry *one;

    for (size_t i = entry_count; i > 0; i--) {
        if (entries[i - 1].stack == stack) {
            end_entry(i - 1, 0);
        }
    }
    one = WATCH_ADD(struct entry, entries, entry_count);
    *one = (struct entry){vector, entered, machine->avr->cycle, entry_count, stack};
}

static void note_return(void *context, uint16_t opcode, unsigned cycles)
{
    const struct machine *machine = context;

    (void)cycles;
    for (size_t i = entry_count; i > 0 && opcode == OPCODE_RETI; i--) {
        if (entries[i - 1].stack == machine_stack(machine->avr)) {
            end_entry(i - 1, machine->avr->cycle);
            return;
        }
    }
}

bool log_interrupts(struct machine *machine, const char *path, char *why)
{
    struct machine_observer *observer;

    if (!open_log(&interrupts, path, why)) {
        return false;
    }
    observer = machine_observe(machine, machine);
    observer->entered = note_entry;
    observer->ends = note_return;
    return true;
}

/* --- Pins ----------------------------------------------------------------------------------------- */

struct pin {
    char name[4];
    char code; /* in the VCD file */
    bool high;
    const struct machine *machine;
    void (*changes)(const struct pin *pin, bool high); /* told before it does */
};

static avr_irq_t *irq_of(const struct machine *machine, const char *name)
{
    if (strlen(name) != 2 || name[0] < 'A' || name[0] > 'L' || name[1] < '0' || name[1] > '7') {
        return NULL;
    }
    return avr_io_getirq(machine->avr, (uint32_t)AVR_IOCTL_IOPORT_GETIRQ(name[0]), name[1] - '0');
}

static void change(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct pin *pin = param;
    const bool high = (value & 1) != 0;

    (void)irq;
    if (high != pin->high) {
        pin->changes(pin, high);
        pin->high = high;
    }
}

static bool hear_pin(const struct machine *machine, struct pin *pin, const char *name, size_t index)
{
    avr_irq_t *irq = irq_of(machine, name);

    if (irq == NULL) {
        return false;
    }
    (void)snprintf(pin->name, sizeof pin->name, "%s", name);
    pin->code = (char)('"' + index); /* printable up to the last of PINS; '!' is the vector */
    pin->machine = machine;
    avr_irq_register_notify(irq, change, pin);
    return true;
}

/* All pins that are meant, told of by `changes`; NULL: one of them does not exist. */
static struct pin *hear_pins(const struct machine *machine, const struct pin_names *names,
                             void (*changes)(const struct pin *, bool), size_t *count, char *why)
{
    struct pin *pins = calloc(PINS, sizeof *pins);

    *count = 0;
    if (pins == NULL) {
        abort();
    }
    for (size_t i = 0; i < names->count; i++) {
        if (!hear_pin(machine, &pins[*count], names->names[i], *count)) {
            (void)snprintf(why, WHY_BYTES, "there is no pin %s", names->names[i]);
            return NULL;
        }
        pins[(*count)++].changes = changes;
    }
    for (unsigned i = 0; i < PINS && names->count == 0 && *count < PINS - 1; i++) {
        const char name[] = {(char)('A' + i / PORT_PINS), (char)('0' + i % PORT_PINS), '\0'};

        if (hear_pin(machine, &pins[*count], name, *count)) {
            pins[(*count)++].changes = changes;
        }
    }
    return pins;
}

static void write_change(const struct pin *pin, bool high)
{
    (void)fprintf(pin_log, "%" PRIu64 " %s %d\n", pin->machine->avr->cycle, pin->name, high);
}

bool log_pins(struct machine *machine, const char *path, const struct pin_names *pins, char *why)
{
    size_t count;

    return open_log(&pin_log, path, why) &&
           hear_pins(machine, pins, write_change, &count, why) != NULL;
}

/* --- Waveform ------------------------------------------------------------------------------------- */

static struct {
    const struct machine *machine;
    const struct pin *pins;
    size_t count;
    unsigned vector;
    uint64_t from, to, at; /* cycles; `at` is the last that was written */
    bool begun;
} shown;

static void write_vector(void)
{
    char bits[VECTOR_BITS + 1] = "";

    for (unsigned i = 0; i < VECTOR_BITS; i++) {
        bits[i] = (shown.vector >> (VECTOR_BITS - 1 - i) & 1) != 0 ? '1' : '0';
    }
    (void)fprintf(wave, "b%s !\n", bits);
}

static void write_level(const struct pin *pin, bool high)
{
    (void)fprintf(wave, "%d%c\n", high, pin->code);
}

static void write_time(uint64_t cycle)
{
    const uint64_t million = 1000000, hz = shown.machine->hz, part = cycle % hz * million;

    shown.at = cycle;
    (void)fprintf(wave, "#%" PRIu64 "\n",
                  cycle / hz * million * million + part / hz * million + part % hz * million / hz);
}

/* How it is where the waveform begins. */
static void write_first(void)
{
    shown.begun = true;
    write_time(shown.from);
    (void)fputs("$dumpvars\n", wave);
    write_vector();
    for (size_t i = 0; i < shown.count; i++) {
        write_level(&shown.pins[i], shown.pins[i].high);
    }
    (void)fputs("$end\n", wave);
}

/* Something is about to change. Returns whether that is to be written. */
static bool shows(void)
{
    const uint64_t cycle = shown.machine->avr->cycle;

    if (cycle < shown.from || cycle >= shown.to) {
        return false;
    }
    if (!shown.begun) {
        write_first();
    }
    if (cycle != shown.at) {
        write_time(cycle);
    }
    return true;
}

static void write_wave(const struct pin *pin, bool high)
{
    if (shows()) {
        write_level(pin, high);
    }
}

static void show_vector(unsigned vector)
{
    const bool is_shown = vector != shown.vector && shows();

    shown.vector = vector;
    if (is_shown) {
        write_vector();
    }
}

static void wave_entry(void *context, unsigned vector, uint64_t entered, uint16_t stack)
{
    (void)context;
    (void)entered;
    (void)stack;
    show_vector(vector);
}

static void wave_return(void *context, uint16_t opcode, unsigned cycles)
{
    (void)context;
    (void)cycles;
    if (opcode == OPCODE_RETI) {
        show_vector(0);
    }
}

static void write_header(void)
{
    const avr_t *avr = shown.machine->avr;

    (void)fprintf(wave, "$comment %s, %" PRIu32 " Hz $end\n$timescale 1 ps $end\n", avr->mmcu,
                  shown.machine->hz);
    (void)fprintf(wave, "$scope module %s $end\n$var wire 8 ! vector $end\n", avr->mmcu);
    for (size_t i = 0; i < shown.count; i++) {
        (void)fprintf(wave, "$var wire 1 %c %s $end\n", shown.pins[i].code, shown.pins[i].name);
    }
    (void)fputs("$upscope $end\n$enddefinitions $end\n", wave);
}

bool log_vcd(struct machine *machine, const char *path, const struct pin_names *names,
             uint64_t from, uint64_t to, char *why)
{
    struct machine_observer *observer;

    if (!open_log(&wave, path, why)) {
        return false;
    }
    shown.machine = machine;
    shown.from = from;
    shown.to = to;
    shown.pins = hear_pins(machine, names, write_wave, &shown.count, why);
    if (shown.pins == NULL) {
        return false;
    }
    write_header();
    observer = machine_observe(machine, machine);
    observer->entered = wave_entry;
    observer->ends = wave_return;
    return true;
}

/* --- The end -------------------------------------------------------------------------------------- */

bool log_end(void)
{
    FILE *const files[] = {marks, interrupts, pin_log, wave};
    bool written = fflush(stdout) == 0;

    while (entry_count > 0) {
        end_entry(0, 0);
    }
    if (wave != NULL && !shown.begun) {
        write_first();
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        written = (files[i] == NULL || fclose(files[i]) == 0) && written;
    }
    return written;
}
