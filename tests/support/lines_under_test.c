/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */

/* The kernel sees a constant; here it is written before each run. */
#define hrl_gen_lines hrl_gen_lines_as_declared
#include "lines_under_test.h"
#undef hrl_gen_lines

struct hrli_lines hrl_gen_lines; /* ahead of headers that read it */

#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"
#include "line.h"
#include "server.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>
#include <string.h>

/* The machine's lines that software raises, one a line here; the last is the doorbell. */
enum { FIRST_LINE = HRLP_HOST_CLOCK_LINE + 1, DOORBELL = HRLP_HOST_LINES - 1, LINES = 32 };
enum { CATCH_UP_RANKS = 2, PLACES = LUT_TASKS + CATCH_UP_RANKS * LINES };

static struct lut_task added[LUT_TASKS];
static struct hrl_basic tasks[LUT_TASKS];
static volatile uint32_t counts[LUT_TASKS][2];
static const struct hrl_basic *by_rank[PLACES];
static void (*bodies[PLACES])(void);
static unsigned place_count;
static struct hrl_line lines[LINES];
static struct hrli_line_words words[LINES];
static const struct hrl_line *line_list[LINES];
static unsigned task_count, line_count;

unsigned lut_overrun_hooks[LUT_TASKS];
void (*lut_on_overrun)(const struct hrl_basic *task);

void hrl_basic_overrun_hook(const struct hrl_basic *task)
{
    if (task >= tasks && task < tasks + LUT_TASKS) {
        lut_overrun_hooks[task - tasks]++;
    }
    if (lut_on_overrun != NULL) {
        lut_on_overrun(task);
    }
}

void lut_reset(void)
{
    sut_reset();
    hrli_resource_held = NULL;
    lut_on_overrun = NULL;
    task_count = line_count = place_count = 0;
    memset(by_rank, 0, sizeof by_rank);
    memset((void *)counts, 0, sizeof counts);
    memset(words, 0, sizeof words);
    memset(lut_overrun_hooks, 0, sizeof lut_overrun_hooks);
    hrl_gen_lines = (struct hrli_lines){line_list, 0};
}

unsigned lut_add(struct lut_task task)
{
    assert_true(task_count < LUT_TASKS && task.level <= LUT_LEVELS);
    added[task_count] = task;
    return task_count++;
}

const struct hrl_basic *lut_task(unsigned task)
{
    return &tasks[task];
}

const struct hrl_line *lut_line_of(unsigned task)
{
    return tasks[task].line;
}

void lut_note_name(void)
{
    sut_note(hrl_basic_name(hrl_basic_current()));
}

static bool shares(unsigned task)
{
    return task > 0 && added[task].level == added[task - 1].level && !added[task].alone &&
           !added[task - 1].alone && added[task].below == added[task - 1].below;
}

/* Whether the controller's line that begins with `first` has catch-up tasks: as is said in line.h. */
static bool has_catch_up(unsigned first)
{
    bool may_wait = false;
    unsigned i = first;

    do {
        if (added[i].may_end || added[i].alone || added[i].below) {
            return false;
        }
        may_wait |= added[i].limit > 1;
        i++;
    } while (i < task_count && shares(i));
    return may_wait && HRLP_LINE_CONTROLLER;
}

/* The body of every catch-up task: the first line that is active is the one that runs. */
static void late(void)
{
    unsigned i = 0;

    while (lines[i].server != NULL || !hrlp_line_is_active(lines[i].number)) {
        i++;
    }
    hrli_line_catch_up(&lines[i]);
}

static void add_line(unsigned first)
{
    unsigned i = line_count++;
    const struct lut_task *like = &added[first];

    assert_true(i < LINES);
    line_list[i] = &lines[i];
    lines[i] = (struct hrl_line){.tasks = &by_rank[place_count], .priority = (uint8_t)like->level};
    if (has_catch_up(first)) {
        lines[i].count = CATCH_UP_RANKS;
        bodies[place_count++] = late;
        bodies[place_count++] = late;
    }
    if (HRLP_LINE_CONTROLLER && !like->below) {
        lines[i].number = (int16_t)(FIRST_LINE + i);
        assert_true(lines[i].number < DOORBELL);
        hrlp_line_enable(lines[i].number, like->level);
    } else {
        lines[i].number = HRLP_LINE_CONTROLLER ? DOORBELL : (int16_t)i;
        lines[i].priority = HRLP_LINE_CONTROLLER ? 0 : lines[i].priority;
        lines[i].server =
            i > 0 && lines[i - 1].server != NULL && added[first - 1].level == like->level
                ? lines[i - 1].server /* one for a level */
                : sut_start("server", like->below ? like->level : LUT_THREAD_LEVELS + like->level,
                            hrli_server_run, NULL);
    }
    lines[i].words = lines[i].server == NULL && like->alone ? NULL : &words[i];
}

void lut_build(void)
{
    for (unsigned i = 0; i < task_count; i++) {
        struct hrl_line *line;

        if (!shares(i)) {
            add_line(i);
        }
        line = &lines[line_count - 1];
        tasks[i] = (struct hrl_basic){.body = added[i].body,
                                      .line = line,
                                      .counts = counts[i],
                                      .name = added[i].name == NULL ? "basic" : added[i].name,
                                      .limit = added[i].limit == 0 ? 1 : (uint16_t)added[i].limit,
                                      .rank = line->count++,
                                      .may_end = added[i].may_end};
        by_rank[place_count] = &tasks[i];
        bodies[place_count++] = added[i].body;
    }
    hrl_gen_lines.count = line_count;
    if (HRLP_LINE_CONTROLLER) {
        hrlp_line_enable(DOORBELL, 1);
    }
}

void lut_give_to_cell(unsigned task)
{
    static struct hrl_line cells;

    cells = *tasks[task].line;
    cells.words = NULL;
    cells.is_cell = true;
    tasks[task].line = &cells;
}

static bool is_simple(const struct hrl_line *line)
{
    for (unsigned i = 0; i < line->count; i++) {
        if (line->tasks[i] != NULL && line->tasks[i]->may_end) {
            return false;
        }
    }
    return true;
}

/* What is generated for each line of a controller. */
void hrli_interrupt_taken(int number)
{
    unsigned i = 0;

    if (number == DOORBELL) {
        hrli_server_ring();
        return;
    }
    while (lines[i].server != NULL || lines[i].number != number) {
        i++;
    }
    if (lines[i].words == NULL) {
        hrli_line_serve_alone(lines[i].tasks[0]->body);
    } else if (is_simple(&lines[i])) { /* without an end; with catch-up tasks if any may wait */
        hrli_line_serve(lines[i].words, &bodies[lines[i].tasks - by_rank]);
    } else {
        hrli_line_run(&lines[i]);
    }
}

void lut_start_cell(void (*handler)(void), uint32_t period)
{
    hrlp_irq_state state = hrlp_irq_lock();

    if (HRLP_LINE_CONTROLLER) {
        hrlp_host_prepare_at(0, LUT_LEVELS);
    } else {
        hrlp_host_prepare(0, HRL_INTERRUPT_KERNEL);
    }
    sut_cell_handler = handler;
    hrlp_host_start_periodic(0, SUT_START_COUNTS + period, period);
    hrlp_irq_unlock(state);
}
