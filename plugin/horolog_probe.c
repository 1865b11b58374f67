/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QEMU TCG plugin that measures a firmware from outside: which instructions were executed where,
 * when interrupts entered, when jobs were released, began and ended.
 *
 * The firmware is not changed for it. The tool reads addresses from the ELF file and hands them over in
 * a text file (the plugin's only argument, config=PATH), one item a line:
 *
 *   ns_per_instruction N      virtual time of one instruction
 *   end_ns N                  relative to the window's start: the first idle instruction from here on ends
 *                             the run, if each releaser has served its instants
 *   late_ns N                 from here on it does so in any case
 *   limit_ns N                give up when the window has lasted this long and the system is not idle
 *   start_ns N                give up when the window has not opened after this long, since reset
 *   open_nth N                the window opens at the N-th entry of any interrupt below
 *   out PATH                  results
 *   trace PATH                events (optional)
 *   function LO HI CLASS      [LO, HI); CLASS is k(ernel), b(ody), i(dle), l(ibrary); numbered from 0
 *   interrupt ADDRESS CUT     first instruction of a handler, and the time from which on an entry may be for
 *                             an instant outside the window; numbered from 0
 *   job START END LOW HIGH    first and last address of a job and its thread's stack, [LOW, HIGH), which may be
 *                             an earlier job's, too; 0 and 0: it has no stack of its own (a basic task), and
 *                             when it ends, what it interrupted goes on; task numbered from 0
 *   server LOW HIGH           a stack, [LOW, HIGH), of a thread that runs basic tasks: behind all jobs
 *   leave ADDRESS             the instruction at which a basic task's job ends early, if one runs
 *   switch LO HI              [LO, HI): the switch; what it loads from a stack is the next thread's
 *   threads BASE STRIDE N     stores to BASE + i * STRIDE are releases of task i
 *   thread I TASK             thread i is that task; without it, that of its own number
 *   waiting BASE LEVELS       words, one a level: threads that masks release, waiting, as bits
 *   bits BASE STRIDE          at BASE + i * STRIDE stands the bit of thread i
 *   masked TASK LEVEL BIT     the task is bit number BIT of that level's word
 *   parts BASE                pairs of words, level and bits: the parts of release masks
 *   part LEVEL BITS           what each pair holds, in their order
 *   served ADDRESS INTERRUPT N          stores here are instants served by a releaser; its cell raises
 *                                       that interrupt; the first N are those of the window
 *   rows LOW COUNT AHEAD INTERRUPT N    as served, of a releaser with a table of COUNT rows, of two words, the
 *                                       first of which is loaded when the row is served (one row behind the
 *                                       last is the end); if AHEAD is 1, when the row before it was served
 *                             releasers are numbered from 0
 *
 * horolog_window.h says which interrupts and instants are inside the window.
 *
 * A release by a mask is a bit of `waiting` that goes from 1 to 0. What is stored cannot be seen here, only
 * where; but what is loaded before can be told by its address: the bits of a part, which are constant, or
 * the bit of a thread, which begins to wait. So the plugin keeps the words on its own, and gives up
 * (untraceable) where a store does not fit to them.
 *
 * The trace has a line for each event, in order of time: nanoseconds, a letter, an index.
 *
 *   I    the interrupt of this number entered
 *   R    this task was released
 *   S E  its job began, ended
 *   D    its thread has the processor from here on
 *   K    the index is how many instructions of the kernel were executed since the last I; written behind an I
 *        that found a job open, before the next event that is no R: what the interruption took
 *
 * Library code is charged to the bodies while a job is open, to the kernel otherwise; a kernel that
 * called the library inside the window would have to be told apart, and neither measured one does.
 *
 * Time is instructions executed times ns_per_instruction, which is what -icount does when the processor
 * never sleeps.
 */
#define _DEFAULT_SOURCE /* usleep */
#include "horolog_plugin.h"
#include "horolog_window.h"
#include <pthread.h>
#include <unistd.h>

struct function {
    uint64_t low, high;
    char class;
    uint64_t count, at_open;
};

struct job_site {
    uint64_t start, end;
    uint64_t executed; /* instructions of the job that is open */
    uint64_t longest;  /* the most that a finished job executed */
    size_t before;     /* of a basic task: the task that had the processor when the job began */
    uint64_t tail;     /* instructions from `end` to the return, as a set: each by its halfword */
    uint64_t low;      /* of its stack; 0: it has none */
    struct stack *stack;
    bool basic;
    bool open;
};

static struct function *functions;
static size_t function_count;
static struct function elsewhere = {.class = 'k'};
static struct job_site *jobs;
static size_t job_count;
static struct stack {
    uint64_t low, high;
    /* the one with the latest job on it; of a server: with an open job when it gave the processor up */
    size_t task;
    bool server;
} * stacks; /* in order of address */
static size_t stack_count;
static struct stack *on_server; /* this one has the processor; NULL: none of them */
static uint64_t switch_low, switch_high, leave_address = UINT64_MAX;
static uint64_t threads_base, threads_stride, threads_count;
static uint64_t *thread_tasks; /* the tasks of the first threads */
static size_t thread_task_count;
static uint64_t waiting_base, waiting_levels, bits_base, bits_stride, parts_base;
static struct mask_part {
    uint64_t level, bits;
} * parts;
static size_t part_count;
static struct masked {
    uint64_t task, level, bit;
} * masked; /* the tasks that masks release */
static size_t masked_count;
static uint32_t waits[1024];         /* for each level: the waiting threads, as bits */
static const struct mask_part *mask; /* its bits were loaded last; NULL: a thread's bit was */
static size_t mask_thread;           /* the thread of that bit */
static uint64_t ns_per_instruction, limit_ns, start_ns, open_nth = 1;
static char out_path[4096];
static FILE *trace;

static uint64_t total, body_total, library_total; /* instructions since the start, counted inline */
static uint64_t idle_total;                       /* instructions of the idle loop */
static uint64_t opened_at, entries_seen;
static uint64_t releases;
static bool open;

static size_t running;   /* the task of the thread that has the processor, or last had it */
static uint64_t charged; /* body_total when it got it, or began its job */
static size_t open_jobs;
static uint64_t library_in_bodies, library_at_first;
static bool interrupted; /* the last event but releases was an interrupt that found a job open */
static uint64_t kernel_at_entry;

static uint64_t kernel_total(void)
{
    return total - body_total - idle_total;
}

static uint64_t now_ns(void)
{
    return (total - opened_at) * ns_per_instruction;
}

static void event(char kind, size_t index)
{
    if (trace == NULL) {
        return;
    }
    if (interrupted && kind != 'R') {
        fprintf(trace, "%" PRIu64 " K %" PRIu64 "\n", now_ns(), kernel_total() - kernel_at_entry);
        interrupted = false;
    }
    fprintf(trace, "%" PRIu64 " %c %zu\n", now_ns(), kind, index);
}

static void finish(const char *status)
{
    FILE *out = fopen(out_path, "w");

    if (out == NULL) {
        perror(out_path);
        _exit(1);
    }
    if (open_jobs > 0) {
        library_in_bodies += library_total - library_at_first;
    }
    fprintf(out, "status %s\nwindow_ns %" PRIu64 "\ntotal %" PRIu64 "\nreleases %" PRIu64 "\n",
            status, open ? now_ns() : 0, open ? total - opened_at : 0, releases);
    fprintf(out, "library_in_bodies %" PRIu64 "\n", library_in_bodies);
    for (size_t i = 0; i < interrupt_count; i++) {
        fprintf(out, "taken %zu %" PRIu64 "\n", i, interrupts[i].taken);
    }
    for (size_t i = 0; i < releaser_count; i++) {
        fprintf(out, "served %zu %" PRIu64 "\n", i, releasers[i].served);
    }
    for (size_t i = 0; i < function_count; i++) {
        fprintf(out, "function %zu %" PRIu64 "\n", i, functions[i].count - functions[i].at_open);
    }
    fprintf(out, "elsewhere %" PRIu64 "\n", elsewhere.count - elsewhere.at_open);
    for (size_t i = 0; i < job_count; i++) {
        fprintf(out, "longest %zu %" PRIu64 "\n", i, jobs[i].longest);
    }
    for (size_t i = 0; i < job_count; i++) {
        if (jobs[i].open) {
            fprintf(out, "open_job %zu %" PRIu64 "\n", i,
                    jobs[i].executed + (i == running ? body_total - charged : 0));
        }
    }
    fclose(out);
    if (trace != NULL) {
        fclose(trace);
    }
    fflush(NULL);
    _exit(0);
}

static void open_window(void)
{
    open = true;
    opened_at = total;
    library_in_bodies = 0;
    for (size_t i = 0; i < function_count; i++) {
        functions[i].at_open = functions[i].count;
    }
    elsewhere.at_open = elsewhere.count;
}

static void on_interrupt(unsigned vcpu, void *data)
{
    size_t index = (size_t)(uintptr_t)data;

    (void)vcpu;
    if (!open) {
        if (++entries_seen < open_nth) {
            return;
        }
        open_window();
    }
    if (window_enter(index, now_ns())) {
        event('I', index);
        interrupted = open_jobs > 0;
        kernel_at_entry = kernel_total();
    }
}

/* `task` has the processor from here on; what bodies executed so far is charged to the task that had it. */
static void charge_and_run(size_t task)
{
    if (running < job_count && jobs[running].open) {
        jobs[running].executed += body_total - charged;
    }
    charged = body_total;
    running = task;
}

static void on_job_start(unsigned vcpu, void *data)
{
    size_t task = (size_t)(uintptr_t)data;

    (void)vcpu;
    jobs[task].before = running;
    charge_and_run(task);
    if (jobs[task].stack != NULL) {
        jobs[task].stack->task = task;
    }
    if (jobs[task].open) {
        finish("nesting");
    }
    if (open_jobs++ == 0) {
        library_at_first = library_total;
    }
    jobs[task].open = true;
    jobs[task].executed = 0;
    if (open) {
        event('S', task);
    }
}

static void on_job_end(unsigned vcpu, void *data)
{
    size_t task = (size_t)(uintptr_t)data;

    (void)vcpu;
    charge_and_run(task);
    if (!jobs[task].open) {
        finish("nesting");
    }
    jobs[task].open = false;
    if (jobs[task].executed > jobs[task].longest) {
        jobs[task].longest = jobs[task].executed;
    }
    if (--open_jobs == 0) {
        library_in_bodies += library_total - library_at_first;
    }
    if (open) {
        event('E', task);
    }
    if (jobs[task].basic) {
        charge_and_run(jobs[task].before);
        charged += (uint64_t)__builtin_popcountll(jobs[task].tail); /* not the other's */
    }
}

static void on_leave(unsigned vcpu, void *data)
{
    (void)data;
    if (running < job_count && jobs[running].basic && jobs[running].open) {
        on_job_end(vcpu, (void *)(uintptr_t)running);
    }
}

/* The thread that has this stack gets the processor, or has it. */
static void run_on(struct stack *stack)
{
    if (on_server != NULL && on_server != stack) {
        on_server->task = running < job_count && jobs[running].open ? running : job_count;
    }
    if (stack->task != running && (!stack->server || on_server != stack)) {
        charge_and_run(stack->task);
        if (open && running < job_count) {
            event('D', running);
        }
    }
    on_server = stack->server ? stack : NULL;
}

static void on_switch_load(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    size_t low = 0, high = stack_count;

    (void)vcpu;
    (void)data;
    if (qemu_plugin_mem_is_store(info)) {
        return;
    }
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (address >= stacks[middle].high) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < stack_count && address >= stacks[low].low) {
        run_on(&stacks[low]);
    }
}

/* Firmware that hangs may never interrupt again, so its limits are watched from a thread apart. */
static void *watch_limits(void *unused)
{
    for (;;) {
        usleep(20000);
        if (open ? now_ns() > limit_ns : total * ns_per_instruction > start_ns) {
            finish(open ? "busy" : "silent");
        }
    }
    return unused;
}

static void on_idle(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    if (open && window_is_over(now_ns())) {
        finish("done");
    }
    idle_total++;
}

/* A load by the kernel: notes which part's or thread's bits it has from now on. */
static void note_bits(uint64_t address, uint64_t size)
{
    if (address - parts_base < part_count * 8) {
        if ((address - parts_base) % 8 + size > 4) {
            mask = &parts[(address - parts_base) / 8];
        }
    } else if (bits_stride != 0 && address - bits_base < bits_stride * threads_count &&
               (address - bits_base) % bits_stride == 0) {
        mask = NULL;
        mask_thread = (address - bits_base) / bits_stride;
    }
}

static void release(uint64_t thread)
{
    releases++;
    event('R', thread < thread_task_count ? thread_tasks[thread] : thread);
}

/* The highest bits first, as that is the order in which they run. */
static void release_by_mask(uint64_t level, uint64_t bits)
{
    uint32_t released = waits[level] & (uint32_t)bits;
    bool may_be_none = level >= 32; /* the word of all levels is stored at every instant */

    if ((released == 0 && !may_be_none) || mask->level != level) {
        finish("untraceable");
    }
    waits[level] &= ~released;
    for (int bit = 31; bit >= 0; bit--) {
        for (size_t i = 0; i < masked_count && (released >> bit & 1u) != 0; i++) {
            if (masked[i].level == level && masked[i].bit == (uint64_t)bit) {
                release(masked[i].task);
            }
        }
    }
}

/* The kernel has stored the word of the threads that wait at `level`. */
static void on_waiting_store(uint64_t level)
{
    if (mask != NULL) {
        release_by_mask(level, mask->bits);
        return;
    }
    for (size_t i = 0; i < masked_count; i++) {
        if (masked[i].task == mask_thread && masked[i].level == level &&
            (waits[level] >> masked[i].bit & 1u) == 0) {
            waits[level] |= (uint32_t)1 << masked[i].bit;
            return;
        }
    }
    finish("untraceable");
}

static void on_kernel_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
                             void *data)
{
    (void)vcpu;
    (void)data;
    if (!qemu_plugin_mem_is_store(info)) {
        note_bits(address, (uint64_t)1 << qemu_plugin_mem_size_shift(info));
        if (open) {
            window_load(address, now_ns());
        }
        return;
    }
    if (!open) {
        return;
    }
    if (address - waiting_base < waiting_levels * 4) {
        on_waiting_store((address - waiting_base) / 4);
        return;
    }
    if (address - threads_base < threads_stride * threads_count &&
        (address - threads_base) % threads_stride == 0) {
        release((address - threads_base) / threads_stride);
        return;
    }
    window_store(address, now_ns());
}

static struct function *function_at(uint64_t address)
{
    size_t low = 0, high = function_count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (address >= functions[middle].high) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < function_count && address >= functions[low].low ? &functions[low] : &elsewhere;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t n = 0; n < qemu_plugin_tb_n_insns(tb); n++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, n);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        struct function *function = function_at(address);

        for (size_t i = 0; i < interrupt_count; i++) {
            if (address == interrupts[i].address) {
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_interrupt, CB_NO_REGS,
                                                       (void *)(uintptr_t)i);
            }
        }
        for (size_t i = 0; i < job_count && function->class == 'b'; i++) {
            if (address == jobs[i].start) {
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_job_start, CB_NO_REGS,
                                                       (void *)(uintptr_t)i);
            }
            if (address >= jobs[i].end && address < function->high &&
                jobs[i].start >= function->low && jobs[i].start < function->high) {
                jobs[i].tail |= (uint64_t)1 << ((address - jobs[i].end) / 2 & 63u);
            }
            if (address == jobs[i].end) {
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_job_end, CB_NO_REGS,
                                                       (void *)(uintptr_t)i);
            }
        }
        if (address == leave_address) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_leave, CB_NO_REGS, NULL);
        }
        if (function->class == 'i') {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_idle, CB_NO_REGS, NULL);
        }
        if (function->class == 'k' && threads_count + releaser_count > 0) {
            qemu_plugin_register_vcpu_mem_cb(insn, on_kernel_access, CB_NO_REGS, MEM_ANY, NULL);
        }
        if (address >= switch_low && address < switch_high) {
            qemu_plugin_register_vcpu_mem_cb(insn, on_switch_load, CB_NO_REGS, MEM_ANY, NULL);
        }
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &function->count, 1);
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &total, 1);
        if (function->class == 'b' || function->class == 'l') {
            qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &body_total, 1);
        }
        if (function->class == 'l') {
            qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &library_total, 1);
        }
    }
}

static bool has_stack(uint64_t low)
{
    for (size_t i = 0; i < stack_count; i++) {
        if (stacks[i].low == low) {
            return true;
        }
    }
    return false;
}

static bool read_line(const char *line)
{
    char word[4096];
    uint64_t a, b, c, d;

    if (sscanf(line, "ns_per_instruction %" SCNu64, &ns_per_instruction) == 1 ||
        sscanf(line, "limit_ns %" SCNu64, &limit_ns) == 1 ||
        sscanf(line, "start_ns %" SCNu64, &start_ns) == 1 ||
        sscanf(line, "open_nth %" SCNu64, &open_nth) == 1 ||
        sscanf(line, "out %4095[^\n]", out_path) == 1) {
        return true;
    }
    if (sscanf(line, "trace %4095[^\n]", word) == 1) {
        trace = fopen(word, "w");
        return trace != NULL;
    }
    if (sscanf(line, "function %" SCNi64 " %" SCNi64 " %4095s", &a, &b, word) == 3) {
        struct function *function = grow(&functions, &function_count, sizeof *functions);
        function->low = a;
        function->high = b;
        function->class = word[0];
        return function_count < 2 || functions[function_count - 2].high <= a;
    }
    if (sscanf(line, "job %" SCNi64 " %" SCNi64 " %" SCNi64 " %" SCNi64, &a, &b, &c, &d) == 4) {
        struct job_site *job = grow(&jobs, &job_count, sizeof *jobs);
        job->start = a;
        job->end = b;
        job->low = c;
        job->basic = c == 0 && d == 0;
        if (!job->basic && !has_stack(c)) {
            struct stack *stack = grow(&stacks, &stack_count, sizeof *stacks);
            *stack = (struct stack){.low = c, .high = d, .task = job_count - 1};
        }
        return true;
    }
    if (sscanf(line, "server %" SCNi64 " %" SCNi64, &a, &b) == 2) {
        struct stack *stack = grow(&stacks, &stack_count, sizeof *stacks);
        *stack = (struct stack){.low = a, .high = b, .task = job_count, .server = true};
        return true;
    }
    if (sscanf(line, "leave %" SCNi64, &leave_address) == 1 ||
        sscanf(line, "switch %" SCNi64 " %" SCNi64, &switch_low, &switch_high) == 2) {
        return true;
    }
    if (sscanf(line, "threads %" SCNi64 " %" SCNi64 " %" SCNi64, &a, &b, &c) == 3) {
        threads_base = a;
        threads_stride = b;
        threads_count = c;
        return true;
    }
    if (sscanf(line, "thread %" SCNu64 " %" SCNu64, &a, &b) == 2) {
        *(uint64_t *)grow(&thread_tasks, &thread_task_count, sizeof b) = b;
        return a + 1 == thread_task_count && b < job_count;
    }
    if (sscanf(line, "waiting %" SCNi64 " %" SCNi64, &waiting_base, &waiting_levels) == 2) {
        return waiting_levels <= sizeof waits / sizeof waits[0];
    }
    if (sscanf(line, "bits %" SCNi64 " %" SCNi64, &bits_base, &bits_stride) == 2 ||
        sscanf(line, "parts %" SCNi64, &parts_base) == 1) {
        return true;
    }
    if (sscanf(line, "masked %" SCNi64 " %" SCNi64 " %" SCNi64, &a, &b, &c) == 3) {
        struct masked *thread = grow(&masked, &masked_count, sizeof *thread);
        thread->task = a;
        thread->level = b;
        thread->bit = c;
        if (b >= waiting_levels || c >= 32) {
            return false;
        }
        waits[b] |= (uint32_t)1 << c; /* no thread has run when the window opens */
        return true;
    }
    if (sscanf(line, "part %" SCNi64 " %" SCNi64, &a, &b) == 2) {
        struct mask_part *part = grow(&parts, &part_count, sizeof *part);
        part->level = a;
        part->bits = b;
        return true;
    }
    return window_read_line(line);
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = ((const struct stack *)a)->low, y = ((const struct stack *)b)->low;

    return x < y ? -1 : x > y;
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    if (!read_config("horolog_probe", argc, argv, read_line)) {
        return -1;
    }
    qsort(stacks, stack_count, sizeof *stacks, by_address);
    for (size_t i = 0; i < job_count; i++) {
        for (size_t j = 0; j < stack_count && !jobs[i].basic; j++) {
            jobs[i].stack = stacks[j].low == jobs[i].low ? &stacks[j] : jobs[i].stack;
        }
    }
    running = job_count; /* no task */
    pthread_t watcher;
    if (pthread_create(&watcher, NULL, watch_limits, NULL) != 0) {
        fprintf(stderr, "horolog_probe: no thread to watch the limits\n");
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}
