/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#include "watch/window.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 32, USUAL_ROW_BYTES = 8 };

static const struct watch_stack no_stack = {0, 0, WATCH_NONE, WATCH_NONE, false};

static void init(struct watch *watch)
{
    memset(watch, 0, sizeof *watch);
    watch->open_nth = 1;
    watch->clock = WATCH_NOWHERE;
    watch->row_bytes = USUAL_ROW_BYTES;
    watch->first_stack = no_stack;
    watch->stack = &watch->first_stack;
}

static void add_site(struct watch *watch, uint64_t address, enum watch_event event, size_t index)
{
    struct watch_site *site = WATCH_ADD(struct watch_site, watch->sites, watch->site_count);

    site->address = address;
    site->event = event;
    site->index = index;
}

static bool read_times(struct watch *watch, const char *line)
{
    return watch_is_line(line, "ns_per_instruction", &watch->ns_per_step, 1) ||
           (watch_is_line(line, "steps_hz", &watch->steps_hz, 1) && watch->steps_hz > 0) ||
           watch_is_line(line, "end_ns", &watch->end_ns, 1) ||
           watch_is_line(line, "late_ns", &watch->late_ns, 1) ||
           watch_is_line(line, "limit_ns", &watch->limit_ns, 1) ||
           watch_is_line(line, "start_ns", &watch->start_ns, 1) ||
           watch_is_line(line, "open_nth", &watch->open_nth, 1);
}

static bool read_paths(struct watch *watch, const char *line)
{
    const char *out = watch_behind(line, "out", NULL, 0);
    const char *trace = watch_behind(line, "trace", NULL, 0);
    const char *requests = watch_behind(line, "requests", NULL, 0);

    if (watch_is_line(line, "clock", &watch->clock, 1)) {
        return true;
    }
    if (requests != NULL) {
        watch->requests = fopen(requests, "w");
        return watch->requests != NULL;
    }
    if (out != NULL) {
        return snprintf(watch->out_path, sizeof watch->out_path, "%s", out) < WATCH_PATH_BYTES;
    }
    watch->trace = trace != NULL ? fopen(trace, "w") : watch->trace;
    return trace != NULL && watch->trace != NULL;
}

static bool add_function(struct watch *watch, const uint64_t *from, char kind)
{
    size_t before = watch->function_count;
    struct watch_function *function =
        WATCH_ADD(struct watch_function, watch->functions, watch->function_count);

    function->low = from[0];
    function->high = from[1];
    function->kind = kind;
    return before == 0 || watch->functions[before - 1].high <= from[0];
}

static bool read_code(struct watch *watch, const char *line)
{
    uint64_t n[2];
    const char *kind = watch_behind(line, "function", n, 2);

    if (kind != NULL) {
        return strlen(kind) == 1 && strchr("kbil", kind[0]) != NULL &&
               add_function(watch, n, kind[0]);
    }
    if (watch_is_line(line, "interrupt", n, 2)) {
        struct watch_interrupt *interrupt =
            WATCH_ADD(struct watch_interrupt, watch->interrupts, watch->interrupt_count);

        interrupt->address = n[0];
        interrupt->cut_ns = n[1];
        return true;
    }
    if (watch_is_line(line, "aside", n, 1)) {
        struct watch_interrupt *interrupt =
            WATCH_ADD(struct watch_interrupt, watch->interrupts, watch->interrupt_count);

        interrupt->address = n[0];
        interrupt->aside = true;
        return true;
    }
    if (watch_is_line(line, "switch", n, 2)) {
        watch->switch_low = n[0];
        watch->switch_high = n[1];
        return true;
    }
    if (watch_is_line(line, "exception", n, 1)) {
        watch->counts_exceptions = true;
        add_site(watch, n[0], WATCH_EXCEPTION, WATCH_NONE); /* behind what opens the window */
        return true;
    }
    if (watch_is_line(line, "leave", n, 1)) {
        add_site(watch, n[0], WATCH_LEAVE, 0);
        return true;
    }
    return false;
}

static bool add_stack(struct watch *watch, const uint64_t *from, size_t latest)
{
    struct watch_stack *stack;

    for (size_t i = 0; i < watch->stack_count; i++) {
        if (watch->stacks[i].low == from[0]) {
            return true;
        }
    }
    stack = WATCH_ADD(struct watch_stack, watch->stacks, watch->stack_count);
    *stack = no_stack;
    stack->low = from[0];
    stack->high = from[1];
    stack->latest = latest;
    return from[0] < from[1];
}

static bool read_jobs(struct watch *watch, const char *line)
{
    uint64_t n[4];

    if (watch_is_line(line, "job", n, 4)) {
        struct watch_job *job = WATCH_ADD(struct watch_job, watch->jobs, watch->job_count);

        job->start = n[0];
        job->end = n[1];
        job->stack_low = n[2];
        job->below = WATCH_NONE;
        return (n[2] == 0 && n[3] == 0) || add_stack(watch, &n[2], watch->job_count - 1);
    }
    if (watch_is_line(line, "other", n, 2)) {
        size_t known = watch->stack_count;

        if (!add_stack(watch, n, WATCH_NONE)) {
            return false;
        }
        if (watch->stack_count != known) {
            watch->stacks[known].is_other = true;
        }
        return true;
    }
    return watch_is_line(line, "server", n, 2) && add_stack(watch, n, WATCH_NONE);
}

static bool read_threads(struct watch *watch, const char *line)
{
    uint64_t n[3];

    if (watch_is_line(line, "threads", n, 3)) {
        watch->threads_base = n[0];
        watch->threads_stride = n[1];
        watch->threads_count = n[2];
        return n[1] > 0;
    }
    if (watch_is_line(line, "thread", n, 2)) {
        *WATCH_ADD(size_t, watch->thread_tasks, watch->thread_task_count) = (size_t)n[1];
        return n[0] + 1 == watch->thread_task_count && n[1] < watch->job_count;
    }
    return false;
}

static bool read_waiting(struct watch *watch, const char *line)
{
    uint64_t n[3];

    if (watch_is_line(line, "waiting", n, 2)) {
        watch->waiting_base = n[0];
        watch->waiting_levels = n[1];
        return n[1] <= WATCH_LEVELS;
    }
    if (watch_is_line(line, "masked", n, 3) && n[1] < watch->waiting_levels && n[2] < BITS) {
        struct watch_masked *masked =
            WATCH_ADD(struct watch_masked, watch->masked, watch->masked_count);

        masked->thread = n[0];
        masked->level = n[1];
        masked->bit = n[2];
        watch->waits[n[1]] |= (uint32_t)1 << n[2]; /* no thread has run when the window opens */
        return true;
    }
    return false;
}

static bool add_releaser(struct watch *watch, uint64_t address, uint64_t rows, bool ahead,
                         const uint64_t *from)
{
    struct watch_releaser *releaser =
        WATCH_ADD(struct watch_releaser, watch->releasers, watch->releaser_count);

    releaser->address = address;
    releaser->rows = rows;
    releaser->row_bytes = watch->row_bytes;
    releaser->ahead = ahead;
    releaser->row = WATCH_NO_ROW;
    releaser->begins = WATCH_NOWHERE;
    releaser->interrupt = from[0];
    releaser->instants = from[1];
    return from[0] < watch->interrupt_count;
}

bool watch_add_releaser(struct watch *watch, uint64_t interrupt, uint64_t instants)
{
    const uint64_t from[] = {interrupt, instants};

    return add_releaser(watch, WATCH_NOWHERE, 0, false, from);
}

static bool read_releasers(struct watch *watch, const char *line)
{
    uint64_t n[5];

    if (watch_is_line(line, "served", n, 3)) {
        return add_releaser(watch, n[0], 0, false, &n[1]);
    }
    if (watch_is_line(line, "begins", n, 1)) {
        if (watch->releaser_count == 0 || watch->releasers[watch->releaser_count - 1].rows == 0) {
            return false;
        }
        watch->releasers[watch->releaser_count - 1].begins = n[0];
        return true;
    }
    if (watch_is_line(line, "row_bytes", n, 1)) {
        watch->row_bytes = n[0];
        return n[0] >= sizeof(uint32_t);
    }
    return watch_is_line(line, "rows", n, 5) && n[1] > 0 &&
           add_releaser(watch, n[0], n[1], n[2] != 0, &n[3]);
}

static bool read_known_line(struct watch *watch, const char *line)
{
    return read_times(watch, line) || read_paths(watch, line) || read_code(watch, line) ||
           read_jobs(watch, line) || read_threads(watch, line) || read_waiting(watch, line) ||
           read_releasers(watch, line);
}

static int by_address_of_stack(const void *a, const void *b)
{
    uint64_t x = ((const struct watch_stack *)a)->low, y = ((const struct watch_stack *)b)->low;

    return x < y ? -1 : x > y;
}

static int by_address_of_site(const void *a, const void *b)
{
    const struct watch_site *x = (const struct watch_site *)a, *y = (const struct watch_site *)b;

    if (x->address != y->address) {
        return x->address < y->address ? -1 : 1;
    }
    if (x->index != y->index) {
        return x->index < y->index ? -1 : 1;
    }
    return x->event < y->event ? -1 : x->event > y->event;
}

/* A job begins and ends in a body only: what calls another function's address is no body. */
static void add_site_of_job(struct watch *watch, uint64_t address, enum watch_event event,
                            size_t task)
{
    if (watch_function_at(watch, address)->kind == 'b') {
        add_site(watch, address, event, task);
    }
}

static void add_sites(struct watch *watch)
{
    for (size_t i = 0; i < watch->interrupt_count; i++) {
        add_site(watch, watch->interrupts[i].address, WATCH_INTERRUPT, i);
    }
    for (size_t i = 0; i < watch->job_count; i++) {
        add_site_of_job(watch, watch->jobs[i].start, WATCH_JOB_START, i);
        add_site_of_job(watch, watch->jobs[i].end, WATCH_JOB_END, i);
    }
    if (watch->site_count != 0) { /* there is no array before there is a site */
        qsort(watch->sites, watch->site_count, sizeof *watch->sites, by_address_of_site);
    }
}

static void find_stacks(struct watch *watch)
{
    if (watch->stack_count > 0) {
        qsort(watch->stacks, watch->stack_count, sizeof *watch->stacks, by_address_of_stack);
    }
    for (size_t i = 0; i < watch->job_count; i++) {
        for (size_t j = 0; j < watch->stack_count && watch->jobs[i].stack_low != 0; j++) {
            if (watch->stacks[j].low == watch->jobs[i].stack_low) {
                watch->jobs[i].stack = &watch->stacks[j];
            }
        }
    }
}

struct reading {
    struct watch *watch;
    watch_line_reader *own;
    void *context;
};

static bool read_line(void *context, const char *line)
{
    struct reading *reading = (struct reading *)context;

    return read_known_line(reading->watch, line) ||
           (reading->own != NULL && reading->own(reading->context, line));
}

bool watch_configure(struct watch *watch, const char *path, watch_line_reader *own, void *context,
                     char *why, size_t size)
{
    struct reading reading = {watch, own, context};

    init(watch);
    if (!watch_read_lines(path, read_line, &reading, why, size)) {
        return false;
    }
    if (watch->out_path[0] == '\0') {
        (void)snprintf(why, size, "%s: it does not say where to write: out PATH", path);
        return false;
    }
    /* Behind the last one, what is elsewhere. */
    WATCH_ADD(struct watch_function, watch->functions, watch->function_count)->kind = 'k';
    watch->function_count--;
    find_stacks(watch);
    add_sites(watch);
    return true;
}

struct watch_function *watch_function_at(const struct watch *watch, uint64_t address)
{
    size_t low = 0, high = watch->function_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (address >= watch->functions[middle].high) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < watch->function_count && address >= watch->functions[low].low
               ? &watch->functions[low]
               : &watch->functions[watch->function_count];
}

const struct watch_site *watch_sites_at(const struct watch *watch, uint64_t address, size_t *count)
{
    size_t low = 0, high = watch->site_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (watch->sites[middle].address < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (*count = 0;
         low + *count < watch->site_count && watch->sites[low + *count].address == address;) {
        (*count)++;
    }
    return &watch->sites[low];
}

const char *watch_too_long(const struct watch *watch)
{
    if (__atomic_load_n(&watch->open, __ATOMIC_ACQUIRE)) {
        return watch_now_ns(watch) > watch->limit_ns ? "busy" : NULL;
    }
    return watch_ns(watch, watch->total) > watch->start_ns ? "silent" : NULL;
}

/* What the job that runs has executed and was not charged yet. */
static uint64_t uncharged(const struct watch *watch, size_t task)
{
    return task == watch->stack->innermost ? watch->body_total - watch->charged : 0;
}

static void write_results(const struct watch *watch, const char *status, FILE *out)
{
    uint64_t in_bodies = watch->library_in_bodies;

    if (watch->open_jobs > 0) {
        in_bodies += watch->library_total - watch->library_at_first;
    }
    (void)fprintf(out, "status %s\nwindow_ns %" PRIu64 "\ntotal %" PRIu64 "\n", status,
                  watch->open ? watch_now_ns(watch) : 0,
                  watch->open ? watch->total - watch->opened_at : 0);
    (void)fprintf(out, "releases %" PRIu64 "\nlibrary_in_bodies %" PRIu64 "\n", watch->releases,
                  in_bodies);
    for (size_t i = 0; i < watch->interrupt_count; i++) {
        (void)fprintf(out, "taken %zu %" PRIu64 "\n", i, watch->interrupts[i].taken);
    }
    for (size_t i = 0; i < watch->releaser_count; i++) {
        (void)fprintf(out, "served %zu %" PRIu64 "\n", i, watch->releasers[i].served);
    }
    for (size_t i = 0; i < watch->round_count; i++) {
        const struct watch_round *one = &watch->rounds[i];

        (void)fprintf(out, "round %" PRIu64 " %" PRIu32 " %" PRIu64 "\n", one->row, one->begin,
                      one->ns);
    }
    if (watch->counts_exceptions) {
        (void)fprintf(out, "exceptions %" PRIu64 "\ntail_chained %" PRIu64 "\n", watch->exceptions,
                      watch->tail_chained);
    }
    (void)fprintf(out, "unread_rounds %" PRIu64 "\n", watch->unread_rounds);
    for (size_t i = 0; i < watch->function_count; i++) {
        (void)fprintf(out, "function %zu %" PRIu64 "\n", i, watch->functions[i].count);
    }
    for (size_t i = 0; i < watch->function_count && watch->counts_instructions; i++) {
        (void)fprintf(out, "instructions %zu %" PRIu64 "\n", i, watch->functions[i].instructions);
    }
    (void)fprintf(out, "elsewhere %" PRIu64 "\n", watch->functions[watch->function_count].count);
    if (watch->counts_instructions) {
        (void)fprintf(out, "body_instructions %" PRIu64 "\n", watch->body_instructions);
    }
    for (size_t i = 0; i < watch->job_count; i++) {
        (void)fprintf(out, "longest %zu %" PRIu64 "\n", i, watch->jobs[i].longest);
    }
    for (size_t i = 0; i < watch->job_count; i++) {
        if (watch->jobs[i].open) {
            (void)fprintf(out, "open_job %zu %" PRIu64 "\n", i,
                          watch->jobs[i].executed + uncharged(watch, i));
        }
    }
}

void watch_finish(struct watch *watch, const char *status)
{
    FILE *out = fopen(watch->out_path, "w");

    watch->over = true;
    watch->unwritten = out == NULL;
    if (watch->requests != NULL) {
        watch->unwritten = fclose(watch->requests) != 0 || watch->unwritten;
        watch->requests = NULL;
    }
    if (out != NULL) {
        write_results(watch, status, out);
        watch->unwritten = fclose(out) != 0 || watch->unwritten;
    }
    if (watch->trace != NULL) {
        (void)fclose(watch->trace);
        watch->trace = NULL;
    }
}
