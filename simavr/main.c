/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulator of AVR boards, by libsimavr (machine.h): loads a program, runs it to its end, and ends with its status. Its
 * console is standard output. Runs are the same, bit by bit, whenever they are repeated.
 *
 *   --elf FILE          the program
 *   --mcu NAME          what runs it, as libsimavr calls it
 *   --hz N              cycles a second
 *   --ram-end N         the last address of its RAM, if that is not the chip's
 *   --cycles N          gives up then
 *   --watch FILE        what to count, as watcher.h says; the end of the watch is the end, with status 0
 *   --visits FILE       what code had the processor when, as visits.h says; its limit is the end, with status 0
 *   --marks FILE        the rest is described in logs.h
 *   --interrupts FILE
 *   --pins FILE
 *   --vcd FILE
 *   --vcd-from N, --vcd-to N
 *   --pin NAME          the pins that are meant; may be repeated
 *   --gdb PORT          waits for a debugger there
 *
 * Exit status: the program's own; 124 if --cycles were over; 125 if the arguments or a file are wrong; 126 if the program
 * has done what it cannot.
 */
#define _GNU_SOURCE /* getopt_long, syscall */
#include "logs.h"
#include "machine.h"
#include "visits.h"
#include "watcher.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_PORT = 65535 };

struct options {
    const char *elf, *mcu, *watch, *visits, *marks, *interrupts, *pins, *vcd;
    uint64_t hz, ram_end, cycles, port, vcd_from, vcd_to;
    struct pin_names named;
};

/* libsimavr binds its debugger's socket to all addresses of the machine. It shall be to this machine's own only. */
int bind(int socket, const struct sockaddr *address, socklen_t size)
{
    struct sockaddr_in here;

    if (size != sizeof here || address->sa_family != AF_INET) {
        return (int)syscall(SYS_bind, socket, address, size);
    }
    memcpy(&here, address, sizeof here);
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return (int)syscall(SYS_bind, socket, &here, size);
}

static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    char *end;

    *number = strtoull(text, &end, 0);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && *number >= least && *number <= most;
}

static bool take_option(struct options *options, int option, const char *value)
{
    const char **texts[] = {&options->elf,    &options->mcu,   &options->watch,
                            &options->visits, &options->marks, &options->interrupts,
                            &options->pins,   &options->vcd};

    switch (option) {
    case 'h':
        return read_number(value, 1, UINT32_MAX, &options->hz);
    case 'c':
        return read_number(value, 1, UINT64_MAX, &options->cycles);
    case 'r':
        return read_number(value, 1, UINT16_MAX, &options->ram_end);
    case 'f':
        return read_number(value, 0, UINT64_MAX, &options->vcd_from);
    case 't':
        return read_number(value, 0, UINT64_MAX, &options->vcd_to);
    case 'g':
        return read_number(value, 1, MOST_PORT, &options->port);
    case 'p':
        if (options->named.count == PINS) {
            return false;
        }
        options->named.names[options->named.count++] = value;
        return true;
    default:
        if (option < 0 || option >= (int)(sizeof texts / sizeof *texts)) {
            return false;
        }
        *texts[option] = value;
        return true;
    }
}

static bool read_options(struct options *options, int argc, char **argv)
{
    static const struct option known[] = {
        {"elf", 1, NULL, 0},        {"mcu", 1, NULL, 1},      {"watch", 1, NULL, 2},
        {"visits", 1, NULL, 3},     {"marks", 1, NULL, 4},    {"interrupts", 1, NULL, 5},
        {"pins", 1, NULL, 6},       {"vcd", 1, NULL, 7},      {"hz", 1, NULL, 'h'},
        {"cycles", 1, NULL, 'c'},   {"gdb", 1, NULL, 'g'},    {"pin", 1, NULL, 'p'},
        {"vcd-from", 1, NULL, 'f'}, {"vcd-to", 1, NULL, 't'}, {"ram-end", 1, NULL, 'r'},
        {NULL, 0, NULL, 0},
    };
    int option;

    options->cycles = UINT64_MAX;
    options->vcd_to = UINT64_MAX;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (!take_option(options, option, optarg)) {
            if (option != '?') {
                (void)fprintf(stderr, "horolog-simavr: %s cannot be used here\n", optarg);
            }
            return false;
        }
    }
    if (optind != argc || options->elf == NULL || options->mcu == NULL || options->hz == 0) {
        (void)fprintf(stderr, "horolog-simavr: --elf, --mcu and --hz are needed\n");
        return false;
    }
    return true;
}

static bool begin_logs(struct machine *machine, const struct options *options, char *why)
{
    return log_registers(machine, options->marks, why) &&
           (options->interrupts == NULL || log_interrupts(machine, options->interrupts, why)) &&
           (options->pins == NULL || log_pins(machine, options->pins, &options->named, why)) &&
           (options->vcd == NULL || log_vcd(machine, options->vcd, &options->named,
                                            options->vcd_from, options->vcd_to, why)) &&
           (options->visits == NULL || visits_watch(machine, options->visits, why)) &&
           (options->watch == NULL || watcher_begin(machine, options->watch, why));
}

int main(int argc, char **argv)
{
    static struct options options;
    static struct machine machine;
    char why[WHY_BYTES] = "";

    if (!read_options(&options, argc, argv)) {
        return STATUS_WRONG;
    }
    machine.limit = options.cycles;
    if (!machine_make(&machine, options.mcu, (uint32_t)options.hz, (uint16_t)options.ram_end,
                      options.elf, why) ||
        !begin_logs(&machine, &options, why)) {
        (void)fprintf(stderr, "horolog-simavr: %s\n", why);
        return STATUS_WRONG;
    }
    if (options.port != 0 && !machine_serve_debugger(&machine, (int)options.port)) {
        return STATUS_WRONG;
    }
    while (!machine.over) {
        machine_step(&machine);
    }
    if (machine.status == STATUS_LIMIT && machine.avr->cycle >= machine.limit) {
        (void)fprintf(stderr, "horolog-simavr: not finished after %llu cycles\n",
                      (unsigned long long)options.cycles);
    }
    if (!log_end()) {
        (void)fprintf(stderr, "horolog-simavr: a file could not be written\n");
        return STATUS_WRONG;
    }
    return machine.status;
}
