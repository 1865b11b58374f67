/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_HOOKS_H
#define HRL_HOOKS_H

#include <hrl/types.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#define HRLI_NORETURN [[noreturn]]
#else
#define HRLI_NORETURN _Noreturn
#endif

/*
 * Functions that the application may define; Horolog brings weak defaults.
 */

/*
 * A release of `thread` fell at `due` while its previous job was unfinished. With policy "skip"
 * that release is dropped, with "queue" its job starts late. Called once for each such release,
 * when the late job ends; of a task that several cores may run, at the release. Context: that thread, or the one that
 * releases it; interrupts enabled. Default: nothing (the kernel counts anyhow, but not of tasks that several cores may run).
 */
void hrl_overrun_hook(struct hrl_thread *thread, hrl_stamp due);

/*
 * An activation of the basic task `task` fell while it had as many unfinished jobs as it may, and
 * was dropped; or a releaser released it while its previous job was unfinished, which with a limit
 * above 1 leads to a job that starts late. Called once for each. Context: that of the activation;
 * of a releaser its handler; interrupts may be masked. Where the cell's interrupt is the task
 * itself, on timer cells, it is an interrupt above all priorities and ceilings, which takes no
 * resource. Default: nothing (the kernel counts anyhow).
 */
struct hrl_basic;
void hrl_basic_overrun_hook(const struct hrl_basic *task);

/*
 * A monitored deadline of `task` passed, and the job of that point has not ended
 * (docs/guide/dispatcher-tables.md). With stringent monitoring it is called at the instant of the
 * deadline, with non-stringent monitoring at the point or the end of the round that follows it. The
 * job goes on when this returns. Context: an interrupt above all tasks of the table, interrupts
 * enabled; it may do what an interrupt may. Default: stops the program by hrl_assert_hook.
 */
void hrl_basic_deadline_hook(const struct hrl_basic *task);

/* What is to become of a job that has used up its execution budget. */
enum hrl_budget_action {
    HRL_BUDGET_CONTINUE, /* the job goes on, with a new budget */
    HRL_BUDGET_END,      /* the job ends where it is; what resources it holds are given back */
    HRL_BUDGET_STOP      /* the program stops by hrl_assert_hook */
};

/*
 * The running job of `task` has executed for as long as its `budget` says (docs/guide/budgets.md): its own
 * execution, not that of interrupts and of other tasks that came into it. Context: an interrupt above all
 * basic tasks, interrupts enabled; it may do what an interrupt may. Default: stops the program by
 * hrl_assert_hook.
 */
enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task);

/* What stopped the program. docs/guide/faults.md says what the reasons mean. */
struct hrl_fault {
    const char *reason;
    const char *file;   /* of the promise that was broken; NULL: the processor found it */
    int line;           /* in that file, from 1; 0 without one */
    int32_t interrupt;  /* the line without a handler, or HRL_FAULT_NO_INTERRUPT */
    const char *thread; /* the name of the one that ran, or "start-up" */
    bool in_interrupt;  /* in a handler, which came into that thread */
    /*
     * The processor's registers, as they were: the program counter first (of a promise, its call of
     * the hook), then the stack pointer, then others by their names, which one blank separates.
     * What could not be saved is 0.
     */
    const char *register_names;
    const uint32_t *registers;
    uint32_t register_count; /* 0: this port has none to show */
};
#define HRL_FAULT_NO_INTERRUPT INT32_MIN

/*
 * Called again and again while no thread is ready, if the application defines it; it may wait for
 * an interrupt by the processor's instruction, which saves a battery. It must not do that under QEMU
 * with a periodic timer, which then loses time. Context: the idle thread, interrupts enabled; nothing
 * in it may wait for anything else, and its stack has some 100 bytes. The tool counts it as idle time,
 * but not what it calls. Default: none, the processor spins (an AVR sleeps); costs nothing. With a
 * hook, a switch from the idle thread of an AVR saves all registers.
 */
void hrl_idle_hook(void);

/*
 * Called when a fault or a broken promise stops the program. Must not return: there is nothing to
 * return to. Context: any, interrupts of the kernel masked, perhaps little stack left. Default:
 * prints the report through the port and halts, with status 1 after a broken promise and 4
 * otherwise. Not called where the application was built with REPORT halt (docs/guide/faults.md).
 */
HRLI_NORETURN void hrl_fault_hook(const struct hrl_fault *fault);

/*
 * A promise of the programmer was broken; applications may say so, too. Must not return. Context:
 * any. Default: completes the report and calls hrl_fault_hook; with REPORT halt, halts.
 */
HRLI_NORETURN void hrl_assert_hook(const char *reason, const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif
