/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_BASIC_H
#define HRL_BASIC_H

#include <hrl/thread.h>
#include <hrl/types.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Basic tasks: functions that run to completion, all on one stack, and never wait.
 *
 * A basic task has a priority, from 1, larger is more urgent, and a rank among those of its priority, 0
 * is first. It becomes ready by being activated: by a releaser, or by the calls below. The ready
 * task of the highest priority runs; it interrupts tasks of lower priorities and all threads
 * (docs/guide/basic-tasks.md tells of the systems where some threads are above). Tasks of one priority
 * do not interrupt each other: when one ends, the ready task of the first rank is next. If a priority
 * has several lines, of up to 32 tasks each, a line goes on until none of its tasks is ready.
 *
 * A task is ready or running once, or up to its limit if it has one; an activation beyond that is
 * an overrun: it is counted, hrl_basic_overrun_hook is called (hrl/hooks.h), and it does nothing.
 *
 * The tool emits what a description asks for. An application without it says, at file scope,
 *
 *     HRL_BASIC_DEFINE(control, run_control, fast, 0);
 *     HRL_BASIC_DEFINE(filter, run_filter, fast, 1);
 *     HRL_LINE_DEFINE(fast, 5, &control, &filter);
 *     HRL_LINES(&fast);
 *
 * "A basic task" as a context may do what is said of an interrupt.
 *
 * The build says -DHRL_BASIC_TASKS=1 for systems that have any: then the kernel's lock masks every
 * interrupt, as tasks of all priorities may call the kernel.
 */
struct hrl_line;

/*
 * One task. Constant: everything here but what `counts` points to is in ROM. The fields are the
 * kernel's.
 */
struct hrl_basic {
    void (*body)(void);
    const struct hrl_line *line;
    volatile uint32_t *counts; /* overruns; with a limit above 1 also the activations that wait */
    const HRLI_FLASH char *name;
    uint16_t limit; /* of unfinished jobs, at least 1 */
    uint8_t rank;   /* its place in its line's tasks, and bit 31 - rank in its words */
    bool may_end;   /* it may call hrl_basic_terminate or hrl_basic_chain */
};

/* The basic tasks of a description, in its order. */
extern const struct hrl_basic hrl_gen_basic[];

/*
 * The queue of up to 32 tasks of one priority: a bit a task. A task is ready while its bits in the
 * first two words differ: a release inverts its bit in `released`, and the line inverts its bit in
 * `done` when the job has ended. So releasers and the line write different words
 * (kernel/basic/line.h).
 */
struct hrli_line_words {
    volatile uint32_t released;
    volatile uint32_t done;
    volatile uint32_t current; /* the rank of the task that runs, if any does */
};

/* A line; the fields are the kernel's. */
struct hrl_line {
    const struct hrl_basic *const
        *tasks; /* by rank; catch-up tasks, the first two if any, are NULL */
    struct hrli_line_words
        *words;                /* NULL: one task, and the controller's pending bit is its queue */
    struct hrl_thread *server; /* the thread that runs its tasks; NULL: the interrupt controller */
    uint8_t count;             /* of tasks, catch-up tasks included */
    uint8_t priority;
    int16_t number; /* of the controller's line, a cell's included; or where the server is asked */
    bool is_cell;   /* a cell's interrupt is its one task: only the cell activates it */
};

/* All lines of the system, the most urgent first. */
struct hrli_lines {
    const struct hrl_line *const *lines;
    uint32_t count;
};
extern const struct hrli_lines hrl_gen_lines;

/* With several cores, those of each, which the tool generates; an application without the tool has the same on all. */
extern const struct hrli_lines *const hrl_gen_lines_of_cores[] __attribute__((weak));

/*
 * Defines the task `task_name`, which runs `function`, on the line `line_name`, at `place`, its
 * rank; with a limit and whether it may end early, where these are not 1 and false. At file scope.
 */
#define HRL_BASIC_DEFINE_WITH(task_name, function, line_name, place, most, ends)                   \
    HRLI_STATIC_ASSERT((place) >= 0 && (place) < 32, "the rank of a basic task is from 0 to 31");  \
    HRLI_STATIC_ASSERT((most) >= 1 && (most) < 65536, "a limit of jobs is from 1 to 65535");       \
    extern const struct hrl_line line_name;                                                        \
    extern const struct hrl_basic task_name;                                                       \
    static volatile uint32_t task_name##_counts[2];                                                \
    HRLI_NAME_DEFINE(task_name)                                                                    \
    const struct hrl_basic task_name HRLI_CONSTANT = {                                             \
        function, &(line_name), task_name##_counts, HRLI_NAME(task_name), most, place, ends}
#define HRL_BASIC_DEFINE(task_name, function, line_name, place)                                    \
    HRL_BASIC_DEFINE_WITH(task_name, function, line_name, place, 1, false)

/*
 * Defines the line `line_name` of priority `line_priority`, from 1 to 8, with its tasks by rank, &first,
 * &second; one for each priority that has tasks. Then HRL_LINES once, with all lines, the most urgent
 * first. At file scope, in applications without the tool: a description's tasks need none of these.
 *
 * Where no controller serves lines, each has a thread that does, of a priority above HRL_PRIORITIES - 9,
 * where no other thread may be, and with a stack of HRL_LINE_STACK bytes.
 */
#define HRL_LINE_DEFINE(line_name, line_priority, ...)                                             \
    typedef char                                                                                   \
        line_name##_priority_is_1_to_8[(line_priority) >= 1 && (line_priority) <= 8 ? 1 : -1];     \
    extern const struct hrl_line line_name;                                                        \
    static const struct hrl_basic *const line_name##_tasks[] HRLI_CONSTANT = {__VA_ARGS__};        \
    static struct hrli_line_words line_name##_words;                                               \
    HRLI_LINE_SERVER_DEFINE(line_name, line_priority)                                              \
    const struct hrl_line line_name HRLI_CONSTANT = {line_name##_tasks,                            \
                                                     &line_name##_words,                           \
                                                     HRLI_LINE_SERVER(line_name),                  \
                                                     sizeof line_name##_tasks /                    \
                                                         sizeof line_name##_tasks[0],              \
                                                     line_priority,                                \
                                                     HRL_LINE_BASE + (line_priority),              \
                                                     false}
#define HRL_LINES(...)                                                                             \
    static const struct hrl_line *const hrl_gen_line_list[] HRLI_CONSTANT = {__VA_ARGS__};         \
    const struct hrli_lines hrl_gen_lines HRLI_CONSTANT = {                                        \
        hrl_gen_line_list, sizeof hrl_gen_line_list / sizeof hrl_gen_line_list[0]}

/*
 * What horolog_application says of the board: the controller's line of priority 0, if there were one,
 * and whether threads serve the lines.
 */
#ifndef HRL_LINE_BASE
#define HRL_LINE_BASE 0
#endif
#ifndef HRL_LINE_SERVERS
#define HRL_LINE_SERVERS 0
#endif
#ifndef HRL_LINE_STACK
#define HRL_LINE_STACK 1024
#endif

#if HRL_LINE_SERVERS /* as they have stacks */
#define HRLI_LINE_SERVER_DEFINE(line_name, line_priority)                                          \
    HRL_THREAD_DEFINE(line_name##_server, hrli_server_run, 0,                                      \
                      HRL_PRIORITIES - 9 + (line_priority), HRL_LINE_STACK);
#define HRLI_LINE_SERVER(line_name) &line_name##_server
#else
#define HRLI_LINE_SERVER_DEFINE(line_name, line_priority)
#define HRLI_LINE_SERVER(line_name) 0
#endif

/* The function of a server's thread (kernel/server/server.h). */
void hrli_server_run(void *unused);

/*
 * Makes `task` ready: HRL_OK; or HRL_FULL, and an overrun, if it has as many unfinished jobs as it
 * may. If it is more urgent than the caller it has ended when this returns, unless interrupts are
 * masked. A described task with a limit of 1 may be its cell's interrupt, which only the cell
 * raises: then the result is always HRL_FULL, and with HRL_CHECKS the call stops in the assert
 * hook. Context: any, also before hrl_start; cost: constant. With several cores: a task of the core that calls;
 * with HRL_CHECKS any other stops in the assert hook.
 */
enum hrl_status hrl_basic_activate(const struct hrl_basic *task);

/*
 * Activates `count` tasks, none of them twice, before any of them runs: HRL_FULL if the activation
 * was an overrun for at least one of them. Context: any; interrupts are masked for a constant time
 * a task.
 */
enum hrl_status hrl_basic_activate_all(const struct hrl_basic *const *tasks, uint32_t count);

/*
 * Ends the job that calls it, from however deep a call: nothing behind it is executed. No resource
 * is held, interrupts are not masked. Context: a basic task that was defined with it
 * (HRL_BASIC_DEFINE_WITH, `terminates` in a description).
 */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void hrl_basic_terminate(void);

/*
 * As hrl_basic_terminate, and then makes `task` ready, which may be the caller itself. If `task`
 * has as many unfinished jobs as it may, or only its cell raises it (see hrl_basic_activate), this
 * returns HRL_FULL, an overrun, and the caller goes on.
 */
enum hrl_status hrl_basic_chain(const struct hrl_basic *task);

/* The basic task that runs, or that the running interrupt came into; NULL: none. Context: any. */
const struct hrl_basic *hrl_basic_current(void);

/* The name given in the description; a constant string, on AVR in flash. Context: any. */
const HRLI_FLASH char *hrl_basic_name(const struct hrl_basic *task);

/* How many activations of `task` were overruns, modulo 2^32. Context: any. */
uint32_t hrl_basic_overruns(const struct hrl_basic *task);

/*
 * How many monitored deadlines of `task` passed before their jobs ended, modulo 2^32; 0 if none is
 * monitored. Context: any.
 */
uint32_t hrl_basic_deadline_misses(const struct hrl_basic *task);

/*
 * How many execution budgets the jobs of `task` have used up, modulo 2^32; 0 if it has none. A job that goes on
 * with a new budget may use up several. Context: any.
 */
uint32_t hrl_basic_budget_overruns(const struct hrl_basic *task);

#ifdef __cplusplus
}
#endif

#endif
