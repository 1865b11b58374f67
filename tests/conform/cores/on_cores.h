/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ON_CORES_H
#define ON_CORES_H

#include "hrlp_cores.h"
#include "hrlp_host_machine.h"
#include "with_cmocka.h"
#include <hrl/kernel.h>
#include <hrl/thread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Runs on several cores of the host's simulated machine, in virtual time. Each is a process of its own; it writes into
 * memory that it shares with the test. A test program's main begins with share_what_is_seen.
 */
enum { THREADS = 4 /* of a core */, STACK = 4096, NOTES = 4000, SLICE = 1000 };

struct note {
    hrl_counts at;
    unsigned core;
    unsigned what;
};
static struct seen {
    struct note notes[NOTES];
    unsigned count;
    char status[80];
    hrl_counts end;
} * seen;

static uint64_t stacks[HRL_CORES][THREADS][STACK / 8];
static struct hrl_thread threads[HRL_CORES][THREADS];

/* In builds that count what is reached: the process ends without what writes that. */
int __llvm_profile_write_file(void) __attribute__((weak));

static void note(unsigned what)
{
    if (seen->count < NOTES) {
        seen->notes[seen->count++] =
            (struct note){.at = hrlp_host_now(), .core = hrlp_core_number(), .what = what};
    }
}

static void finish(const char *status)
{
    strncpy(seen->status, status, sizeof seen->status - 1);
    seen->end = hrlp_host_now();
    if (__llvm_profile_write_file != NULL) {
        (void)__llvm_profile_write_file();
    }
    _exit(0);
}

static void define(unsigned core, unsigned which, unsigned priority, void (*entry)(void *argument))
{
    threads[core][which] = (struct hrl_thread){.name = "thread",
                                               .stack = stacks[core][which],
                                               .stack_bytes = STACK,
                                               .entry = entry,
                                               .argument = (void *)(uintptr_t)which,
                                               .ready.base_priority = (hrli_kept_level)priority,
                                               .core = (hrli_number)core};
    hrl_thread_start(&threads[core][which]);
}

/* A run, after `prepare`, of so many counts; how the process ended. */
static int run(uint64_t seed, hrl_counts duration, void (*prepare)(void))
{
    int status;
    pid_t child;

    memset(seen, 0, sizeof *seen);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        hrlp_host_reset();
        hrlp_host_setup.duration = duration;
        hrlp_host_setup.seed = seed;
        hrlp_host_setup.finish = finish;
        prepare();
        hrl_start();
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static __attribute__((unused)) void assert_done(int status)
{
    assert_int_equal(status, 0);
    assert_string_equal(seen->status, "done");
}

/* The instant, since the start of the clock, of the first note of `what` that `core` made. */
static __attribute__((unused)) hrl_counts when(unsigned core, unsigned what)
{
    for (unsigned i = 0; i < seen->count; i++) {
        if (seen->notes[i].core == core && seen->notes[i].what == what) {
            return seen->notes[i].at;
        }
    }
    fail_msg("core %u did not come to %u", core, what);
    return 0;
}

static void share_what_is_seen(void)
{
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(seen != MAP_FAILED);
}

#endif
