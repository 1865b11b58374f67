/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QEMU TCG plugin that measures a firmware from outside: the front end of watch/, which counts instructions.
 * watch/watch.h describes its configuration, the plugin's only argument, config=PATH, and what it writes.
 *
 * A release by a mask is a bit of `waiting` that goes from 1 to 0. What is stored cannot be seen here, only
 * where; but what is loaded before can be told by its address: the bits of a part, which are constant, or
 * the bit of a thread, which begins to wait. So the plugin keeps the words on its own, and gives up
 * (untraceable) where a store does not fit to them. For that it reads three more kinds of lines:
 *
 *   bits BASE STRIDE          at BASE + i * STRIDE stands the bit of thread i
 *   parts BASE                pairs of words, level and bits: the parts of release masks
 *   part LEVEL BITS           what each pair holds, in their order
 *
 * Time is instructions executed times ns_per_instruction, which is what -icount does when the processor
 * never sleeps.
 */
#define _GNU_SOURCE /* usleep, RTLD_DEFAULT */
#include "cortex_m_exceptions.h"
#include "horolog_plugin.h"
#include "watch/watch.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { PART_BYTES = 8, POLL_US = 20000, GRACE_US = 200000 };

static struct watch watch;
static const char
    *late; /* the status of a run that took too long, once the limits' thread has seen it */
static bool finishing;
static uint64_t
    *tails; /* of each job: instructions from its end to the return, each by its halfword */

static uint64_t bits_base, bits_stride, parts_base;
static struct mask_part {
    uint64_t level, bits;
} * parts;
static size_t part_count;
static const struct mask_part *mask; /* its bits were loaded last; NULL: a thread's bit was */
static size_t mask_thread;           /* the thread of that bit */

/*
 * The plugins' interface of QEMU 7.2 reads no memory of the firmware. QEMU itself does, by a function that it exports to its
 * modules, where it has modules; physical addresses are the firmware's. Without it no word can be read.
 */
typedef void memory_access(uint64_t address, void *buffer, uint64_t length, bool is_write);
static memory_access *access_memory;

static bool read_word(void *context, uint64_t address, uint32_t *word)
{
    (void)context;
    access_memory(address, word, sizeof *word, false); /* both are little-endian */
    return true;
}

static void find_memory(void)
{
    void *found = dlsym(RTLD_DEFAULT, "cpu_physical_memory_rw");

    if (found != NULL) {
        memcpy(&access_memory, &found, sizeof found); /* POSIX: a function's address fits */
        watch.read_word = read_word;
    }
}

static void end_if_over(void)
{
    if (watch.over) {
        if (watch.unwritten) {
            perror(watch.out_path);
        }
        fflush(NULL);
        _exit(watch.unwritten ? 1 : 0);
    }
}

/* The first of two threads to call this writes the results; the other waits for the process to end. */
static void finish(const char *status)
{
    if (__atomic_exchange_n(&finishing, true, __ATOMIC_ACQ_REL)) {
        for (;;) {
            pause();
        }
    }
    watch_finish(&watch, status);
    end_if_over();
}

static void finish_if_late(void)
{
    const char *status = __atomic_load_n(&late, __ATOMIC_ACQUIRE);

    if (status != NULL) {
        finish(status);
    }
}

static void on_site(unsigned vcpu, void *data)
{
    const struct watch_site *site = data;

    (void)vcpu;
    finish_if_late();
    watch_reach(&watch, site);
    if (site->event == WATCH_JOB_END) {
        watch_skip(&watch, (uint64_t)__builtin_popcountll(tails[site->index]));
    }
    end_if_over();
}

static void on_exception(unsigned vcpu, void *data)
{
    bool chained;

    (void)vcpu;
    (void)data;
    if (cm_enters(watch.total, &chained)) {
        watch_exception(&watch, chained);
    }
}

static void on_return(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    cm_note_return(watch.total);
}

static void on_switch_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
                             void *data)
{
    (void)vcpu;
    (void)data;
    if (!qemu_plugin_mem_is_store(info)) {
        watch_switch_load(&watch, address);
    }
}

/*
 * Firmware that hangs may never interrupt again, so its limits are watched from a thread apart. If it does reach
 * sites, the processor's thread ends the run there, as it alone writes the trace; if not, this one does.
 */
static void *watch_limits(void *unused)
{
    while (watch_too_long(&watch) == NULL) {
        usleep(POLL_US);
    }
    __atomic_store_n(&late, watch_too_long(&watch), __ATOMIC_RELEASE);
    usleep(GRACE_US);
    finish_if_late();
    return unused;
}

static void on_idle(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    finish_if_late();
    if (watch_is_done(&watch)) {
        finish("done");
    }
    watch.idle_total++;
}

/* A load by the kernel: notes which part's or thread's bits it has from now on. */
static void note_bits(uint64_t address, uint64_t size)
{
    if (address - parts_base < part_count * PART_BYTES) {
        if ((address - parts_base) % PART_BYTES + size > PART_BYTES / 2) {
            mask = &parts[(address - parts_base) / PART_BYTES];
        }
    } else if (bits_stride != 0 && address - bits_base < bits_stride * watch.threads_count &&
               (address - bits_base) % bits_stride == 0) {
        mask = NULL;
        mask_thread = (address - bits_base) / bits_stride;
    }
}

static void release_by_mask(uint64_t level)
{
    uint32_t waiting = watch.waits[level], left = waiting & ~(uint32_t)mask->bits;
    bool may_be_none = level >= 32; /* the word of all levels is stored at every instant */

    if ((left == waiting && !may_be_none) || mask->level != level) {
        finish("untraceable");
    }
    watch_wait(&watch, level, left);
}

/* The kernel has stored the word of the threads that wait at `level`. */
static void on_waiting_store(uint64_t level)
{
    if (mask != NULL) {
        release_by_mask(level);
        return;
    }
    for (size_t i = 0; i < watch.masked_count; i++) {
        const struct watch_masked *one = &watch.masked[i];

        if (one->thread == mask_thread && one->level == level &&
            (watch.waits[level] >> one->bit & 1u) == 0) {
            watch_wait(&watch, level, watch.waits[level] | (uint32_t)1 << one->bit);
            return;
        }
    }
    finish("untraceable");
}

static void on_kernel_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
                             void *data)
{
    uint64_t level;

    (void)vcpu;
    (void)data;
    finish_if_late();
    if (!qemu_plugin_mem_is_store(info)) {
        note_bits(address, (uint64_t)1 << qemu_plugin_mem_size_shift(info));
        watch_load(&watch, address);
    } else if (!watch_is_waiting_word(&watch, address, &level)) {
        watch_store(&watch, address);
    } else if (watch.open) {
        on_waiting_store(level);
    }
}

/* The instruction at `address` of `function` may be one between the end of a job and its return. */
static void note_tail(const struct watch_function *function, uint64_t address)
{
    for (size_t i = 0; i < watch.job_count; i++) {
        const struct watch_job *job = &watch.jobs[i];

        if (address >= job->end && job->start >= function->low && job->start < function->high) {
            tails[i] |= (uint64_t)1 << ((address - job->end) / 2 & 63u);
        }
    }
}

static void count(struct qemu_plugin_insn *insn, struct watch_function *function)
{
    qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &function->count, 1);
    qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &watch.total, 1);
    if (function->kind == 'b' || function->kind == 'l') {
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &watch.body_total, 1);
    }
    if (function->kind == 'l') {
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &watch.library_total, 1);
    }
}

static void translate(struct qemu_plugin_insn *insn)
{
    uint64_t address = qemu_plugin_insn_vaddr(insn);
    struct watch_function *function = watch_function_at(&watch, address);
    size_t sites;
    const struct watch_site *first = watch_sites_at(&watch, address, &sites);

    for (size_t i = 0; i < sites; i++) {
        udata_cb call = first[i].event == WATCH_EXCEPTION ? on_exception : on_site;

        qemu_plugin_register_vcpu_insn_exec_cb(insn, call, CB_NO_REGS, (void *)&first[i]);
    }
    if (watch.counts_exceptions &&
        cm_may_return(qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn))) {
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_return, CB_NO_REGS, NULL);
    }
    if (function->kind == 'b') {
        note_tail(function, address);
    }
    if (function->kind == 'i') {
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_idle, CB_NO_REGS, NULL);
    }
    if (function->kind == 'k' && watch.threads_count + watch.releaser_count > 0) {
        qemu_plugin_register_vcpu_mem_cb(insn, on_kernel_access, CB_NO_REGS, MEM_ANY, NULL);
    }
    if (address >= watch.switch_low && address < watch.switch_high) {
        qemu_plugin_register_vcpu_mem_cb(insn, on_switch_access, CB_NO_REGS, MEM_ANY, NULL);
    }
    count(insn, function);
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    if (watch.total == 0 && watch.counts_exceptions && cm.cpu == NULL) {
        watch.counts_exceptions = cm_begin();
    }
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        translate(qemu_plugin_tb_get_insn(tb, i));
    }
}

static bool read_line(void *context, const char *line)
{
    uint64_t n[2];

    (void)context;
    if (watch_is_line(line, "bits", n, 2)) {
        bits_base = n[0];
        bits_stride = n[1];
        return true;
    }
    if (watch_is_line(line, "part", n, 2)) {
        *WATCH_ADD(struct mask_part, parts, part_count) = (struct mask_part){n[0], n[1]};
        return true;
    }
    return watch_is_line(line, "parts", &parts_base, 1);
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    const char *path = config_path("horolog_probe", argc, argv);
    char why[WHY_BYTES];
    pthread_t watcher;

    (void)info;
    if (path == NULL) {
        return -1;
    }
    if (!watch_configure(&watch, path, read_line, NULL, why, sizeof why)) {
        fprintf(stderr, "horolog_probe: %s\n", why);
        return -1;
    }
    find_memory();
    tails = calloc(watch.job_count + 1, sizeof *tails);
    if (tails == NULL || pthread_create(&watcher, NULL, watch_limits, NULL) != 0) {
        fprintf(stderr, "horolog_probe: no thread to watch the limits\n");
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}
