/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "hrlp_host_machine.h"
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A system as a program: options in, trace and result out, in the form of the emulator's plugin.
 *
 *   --duration-counts N  the window (needed)     --start-counts S  the stamp of t = 0 (needed)
 *   --limit-counts N     gives up a busy run     --clock-hz N      for nanoseconds; default 25 MHz
 *   --wall-seconds N     gives up after so long in real time: a body that spins stops virtual time
 *   --trace PATH         events                  --result PATH     results
 *
 * What the kernel takes, and what bodies take of their counts (by default nothing, and all):
 *
 *   --interrupt-counts N  each interrupt of a cell, before its handler
 *   --job-counts N        the same before each body, and once more behind it, or there instead
 *   --end-counts N        so much
 *   --body-parts N        bodies take N / 4096 of their counts
 *   --least-percents A,B  of that, task 0 at least A %, task 1 B %, the others all; at most 100 %
 *   --draw SEED           each job takes any share from the least to the whole; without it: the least
 *   --device L,F,G        line L is raised F counts after t = 0, and then every G counts; with ,N,W
 *                         behind that: N times, and again W counts behind the first of these
 *   --bare A,B            nothing passes around the bodies of these tasks, which others' jobs call
 *
 * Interrupts and served instants count if they were due inside the window. Trace lines are `<ns>
 * <kind> <index>`; ns since t = 0, kinds I(nterrupt of a cell), R(elease), S(tart) and E(nd) of a
 * task, or of a handler of the application's: handlers have numbers behind the tasks'. Results:
 * status, window_ns, releases, taken <cell>, served <releaser>, longest <task> <executed ns>,
 * open_job <task> <executed ns>; and of rounds that begin when the application says `round <row> <begin> <ns>`,
 * with the first row that was served, the clock's value at the begin and when that row was served.
 */
static hrl_counts clock_hz = 25000000;
static FILE *trace, *result;
static uint64_t taken[HRLP_HOST_CELLS], served[64], releases;
static unsigned served_count;

static hrl_counts interrupt_counts, job_counts, end_counts, body_parts = 4096;
static bool ends_apart;
static uint64_t random_state;
static struct {
    bool given;
    unsigned percent;
} least[HRLP_HOST_TASKS];
static bool bare[HRLP_HOST_TASKS];

static uint64_t ns_of(hrl_counts counts)
{
    return (uint64_t)((unsigned __int128)counts * 1000000000u / clock_hz);
}

/* Marsaglia's xorshift (2003). */
static uint64_t drawn(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static hrl_counts job_takes(unsigned task, hrl_counts most)
{
    unsigned percent = least[task].given ? least[task].percent : 100;
    hrl_counts whole = most * body_parts / 4096;

    if (random_state != 0 && percent < 100) {
        percent += (unsigned)(drawn() % (101 - percent));
    }
    return whole * percent / 100;
}

static void report(char kind, unsigned index, hrl_counts value)
{
    hrl_counts start = hrlp_host_window_start();
    bool inside = value < start + hrlp_host_setup.duration;
    hrl_counts now = hrlp_host_now() < start ? start : hrlp_host_now();

    if (kind == 'B' && result != NULL) {
        fprintf(result, "round %u %" PRIu64 " %" PRIu64 "\n", index, value, ns_of(now - start));
    }
    if (hrlp_host_now() < start || ((kind == 'I' || kind == 'V') && !inside)) {
        return;
    }
    if (kind == 'I') {
        taken[index]++;
    } else if (kind == 'V' && index < sizeof served / sizeof served[0]) {
        served[index]++;
        served_count = index < served_count ? served_count : index + 1;
    } else if (kind == 'R') {
        releases++;
    }
    if (trace != NULL && kind != 'V' && kind != 'B') {
        fprintf(trace, "%" PRIu64 " %c %u\n", ns_of(hrlp_host_now() - start), kind, index);
    }
}

/*
 * Time passes behind the report, so that the kernel's comes before a body and after its end; what the job
 * activates comes first, as in the kernel.
 */
static void observe(char kind, unsigned index, hrl_counts value)
{
    if (kind == 'H' || kind == 'F') {
        report(kind == 'H' ? 'S' : 'E', index, value);
        return;
    }
    if (kind != 'P') {
        report(kind == 'e' ? 'E' : kind, index, value);
    }
    if (kind == 'I') {
        hrlp_host_pass(interrupt_counts, NULL);
    } else if (kind == 'S' && !bare[index]) {
        hrlp_host_pass(job_counts, NULL);
    } else if ((kind == 'E' || kind == 'P') && !bare[index]) {
        hrlp_host_pass(ends_apart ? end_counts : job_counts, NULL);
    }
}

static void report_open_job(unsigned task, hrl_counts executed)
{
    fprintf(result, "open_job %u %" PRIu64 "\n", task, ns_of(executed));
}

static void report_longest_job(unsigned task, hrl_counts executed)
{
    fprintf(result, "longest %u %" PRIu64 "\n", task, ns_of(executed));
}

static void close_file(FILE *file)
{
    if (file != NULL && fclose(file) != 0) {
        perror("cannot write the result or the trace");
        exit(1);
    }
}

static void finish(const char *status)
{
    FILE *out = result;

    if (out != NULL) {
        fprintf(out, "status %s\nwindow_ns %" PRIu64 "\nreleases %" PRIu64 "\n", status,
                ns_of(hrlp_host_now() - hrlp_host_window_start()), releases);
        for (unsigned i = 0; i < HRLP_HOST_CELLS; i++) {
            fprintf(out, "taken %u %" PRIu64 "\n", i, taken[i]);
        }
        for (unsigned i = 0; i < served_count; i++) {
            fprintf(out, "served %u %" PRIu64 "\n", i, served[i]);
        }
        hrlp_host_longest_jobs(report_longest_job);
        hrlp_host_open_jobs(report_open_job);
    }
    close_file(result);
    close_file(trace);
    exit(0);
}

/* Nothing is safe to call from here, and nothing is left to lose. */
static void give_up(int signal_number)
{
    (void)signal_number;
    finish("hang");
}

static _Noreturn void refuse(const char *problem, const char *about)
{
    fprintf(stderr, "%s: %s\n", problem, about);
    exit(2);
}

static FILE *open_for_writing(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        refuse("cannot write", path);
    }
    return file;
}

static uint64_t number(const char *text)
{
    char *end;
    uint64_t value = strtoull(text, &end, 10);

    if (end == text || *end != '\0') {
        refuse("not a number of counts", text);
    }
    return value;
}

/* At most `many` numbers with commas between; how many there are. */
static unsigned numbers_in(const char *text, uint64_t *numbers, unsigned many)
{
    unsigned count = 0;
    char *end;

    for (const char *at = text; count < many; at = end + 1) {
        numbers[count++] = strtoull(at, &end, 10);
        if (end == at || (*end != ',' && *end != '\0')) {
            refuse("no numbers with commas between", text);
        }
        if (*end == '\0') {
            return count;
        }
    }
    refuse("too many numbers", text);
}

static void set_least(const char *text)
{
    static uint64_t percents[HRLP_HOST_TASKS];
    unsigned count = numbers_in(text, percents, HRLP_HOST_TASKS);

    for (unsigned task = 0; task < count; task++) {
        if (percents[task] > 100) {
            refuse("more than 100 %", text);
        }
        least[task].given = true;
        least[task].percent = (unsigned)percents[task];
    }
}

static void set_bare(const char *text)
{
    static uint64_t tasks[HRLP_HOST_TASKS];
    unsigned count = numbers_in(text, tasks, HRLP_HOST_TASKS);

    for (unsigned i = 0; i < count; i++) {
        if (tasks[i] >= HRLP_HOST_TASKS) {
            refuse("there is no such task", text);
        }
        bare[tasks[i]] = true;
    }
}

static void set_device(const char *text)
{
    uint64_t of[5] = {0};
    unsigned count = numbers_in(text, of, 5);

    if ((count != 3 && count != 5) || of[0] <= HRLP_HOST_CLOCK_LINE || of[0] >= HRLP_HOST_LINES ||
        of[2] == 0) {
        refuse("not a line above the cells', a first count and a gap", text);
    }
    if (count == 5 && (of[3] == 0 || of[4] < of[3] * of[2])) {
        refuse("the burst is longer than the time that it is to be within", text);
    }
    hrlp_host_setup.devices[of[0]].first = of[1];
    hrlp_host_setup.devices[of[0]].gap = of[2];
    hrlp_host_setup.devices[of[0]].burst = of[3];
    hrlp_host_setup.devices[of[0]].within = of[4];
    hrlp_host_setup.devices[of[0]].raised = 0;
}

/* Options on what the kernel and bodies take, and on devices. False: it is none of them. */
static bool set_cost(const char *option, const char *value)
{
    if (strcmp(option, "--interrupt-counts") == 0) {
        interrupt_counts = number(value);
    } else if (strcmp(option, "--job-counts") == 0) {
        job_counts = number(value);
    } else if (strcmp(option, "--end-counts") == 0) {
        end_counts = number(value);
        ends_apart = true;
    } else if (strcmp(option, "--body-parts") == 0) {
        body_parts = number(value);
    } else if (strcmp(option, "--least-percents") == 0) {
        set_least(value);
    } else if (strcmp(option, "--draw") == 0) {
        random_state = number(value);
    } else if (strcmp(option, "--device") == 0) {
        set_device(value);
    } else if (strcmp(option, "--bare") == 0) {
        set_bare(value);
    } else {
        return false;
    }
    return true;
}

void hrlp_host_program(int argc, char **argv)
{
    hrlp_host_reset();
    hrlp_host_setup.finish = finish;
    hrlp_host_setup.observe = observe;
    hrlp_host_setup.job_counts = job_takes;
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (set_cost(argv[i], value)) {
            continue;
        }
        if (strcmp(argv[i], "--duration-counts") == 0) {
            hrlp_host_setup.duration = number(value);
        } else if (strcmp(argv[i], "--start-counts") == 0) {
            hrlp_host_setup.start = (hrl_stamp)number(value);
        } else if (strcmp(argv[i], "--limit-counts") == 0) {
            hrlp_host_setup.limit = number(value);
        } else if (strcmp(argv[i], "--clock-hz") == 0) {
            clock_hz = number(value);
        } else if (strcmp(argv[i], "--wall-seconds") == 0) {
            (void)signal(SIGALRM, give_up);
            (void)alarm((unsigned)number(value));
        } else if (strcmp(argv[i], "--trace") == 0) {
            trace = open_for_writing(value);
        } else if (strcmp(argv[i], "--result") == 0) {
            result = open_for_writing(value);
        } else {
            refuse("unknown option", argv[i]);
        }
    }
    if (hrlp_host_setup.duration == 0 || clock_hz == 0) {
        refuse("missing option", "--duration-counts");
    }
}
