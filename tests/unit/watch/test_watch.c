/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core of the watchers, without a machine: the test plays the front end. It says which instructions are
 * executed, for how many steps, and looks at the results and the trace.
 */
#include "watch/watch.h"
#include "with_cmocka.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096 };

/* Two threads' jobs, a basic task's, a handler, a library, the idle loop. */
static const char *const system_lines = "ns_per_instruction 10\n"
                                        "limit_ns 100000\n"
                                        "start_ns 5000\n"
                                        "end_ns 1000\n"
                                        "late_ns 2000\n"
                                        "function 0x100 0x110 k\n"
                                        "function 0x110 0x120 b\n"
                                        "function 0x120 0x130 b\n"
                                        "function 0x130 0x140 b\n"
                                        "function 0x150 0x160 l\n"
                                        "function 0x160 0x170 i\n"
                                        "interrupt 0x100 900\n"
                                        "job 0x110 0x11c 0x2000 0x2100\n"
                                        "job 0x120 0x12c 0x3000 0x3100\n"
                                        "job 0x130 0x13c 0 0\n"
                                        "leave 0x108\n"
                                        "switch 0x104 0x106\n"
                                        "threads 0x5000 0x20 2\n";

static struct watch watch;
static char config[64], out[64], trace[64], why[16384];
static char results[TEXT_BYTES], events[TEXT_BYTES], own_lines[TEXT_BYTES];

static int make_paths(void **state)
{
    (void)state;
    (void)snprintf(config, sizeof config, "watch-%ld.config", (long)getpid());
    (void)snprintf(out, sizeof out, "watch-%ld.out", (long)getpid());
    (void)snprintf(trace, sizeof trace, "watch-%ld.trace", (long)getpid());
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    (void)remove(config);
    (void)remove(out);
    (void)remove(trace);
    free(watch.functions);
    free(watch.interrupts);
    free(watch.releasers);
    free(watch.jobs);
    free(watch.stacks);
    free(watch.sites);
    free(watch.masked);
    free(watch.rounds);
    free(watch.thread_tasks);
    if (watch.trace != NULL) {
        (void)fclose(watch.trace);
    }
    memset(&watch, 0, sizeof watch);
    own_lines[0] = '\0';
    return 0;
}

static bool own(void *context, const char *line)
{
    uint64_t n[2];

    assert_ptr_equal(context, own_lines);
    strcat(own_lines, line);
    return !watch_is_line(line, "marks", n, 2) || watch_add_releaser(&watch, n[0], n[1]);
}

static bool configured(const char *lines, const char *more, watch_line_reader *reader)
{
    FILE *file = fopen(config, "w");

    assert_non_null(file);
    (void)fprintf(file, "out %s\ntrace %s\n%s%s", out, trace, lines, more);
    (void)fclose(file);
    return watch_configure(&watch, config, reader, own_lines, why, sizeof why);
}

static void start(const char *more)
{
    if (!configured(system_lines, more, NULL)) {
        fail_msg("%s", why);
    }
}

/* The instruction at `address` and those behind it take so many steps. */
static void execute(uint64_t address, uint64_t steps)
{
    struct watch_function *function = watch_function_at(&watch, address);
    size_t count;
    const struct watch_site *site = watch_sites_at(&watch, address, &count);

    for (size_t i = 0; i < count; i++) {
        watch_reach(&watch, &site[i]);
    }
    function->count += steps;
    watch.total += steps;
    watch.body_total += function->kind == 'b' || function->kind == 'l' ? steps : 0;
    watch.library_total += function->kind == 'l' ? steps : 0;
    watch.idle_total += function->kind == 'i' ? steps : 0;
}

static void slurp(const char *path, char *text)
{
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    text[fread(text, 1, TEXT_BYTES - 1, file)] = '\0';
    (void)fclose(file);
}

static void finish(const char *status)
{
    if (!watch.over) {
        watch_finish(&watch, status);
    }
    assert_false(watch.unwritten);
    slurp(out, results);
    slurp(trace, events);
}

static void assert_result(const char *line)
{
    const char *at = strstr(results, line);

    if (at == NULL || at[strlen(line)] != '\n' || (at != results && at[-1] != '\n')) {
        fail_msg("no line %s in:\n%s", line, results);
    }
}

/* --- The configuration ------------------------------------------------------------------------------ */

static void test_lines_that_cannot_be_used_are_named(void **state)
{
    static const char *const wrong[] = {
        "nonsense",
        "steps_hz 0",
        "end_ns",
        "end_ns ten",
        "end_ns 10 20",
        "end_nsx 10",
        "function 0x160 0x170 k",    /* overlaps the one before */
        "function 0x180 0x190 x",    /* no class */
        "function 0x180 0x190 body", /* one letter */
        "function 0x180 0x190",
        "server 0x80 0x80",
        "other 0x80 0x80",
        "job 0x110 0x11c 0x2000",
        "threads 0x5000 0 2",
        "thread 1 0", /* not in order */
        "thread 0 3", /* no such task */
        "waiting 0x6000 1025",
        "masked 0 0 0", /* no word */
        "served 0x7000 1 5",
        "rows 0x7000 0 0 0 5",
        "rows 0x7000 4 0 1 5",
        "row_bytes 3",
        "begins 0x7000", /* no releaser with rows */
        "trace /nowhere/trace",
        "requests /nowhere/requests",
        "clock",
        "bits 0x1 0x2", /* of one front end */
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(configured(system_lines, wrong[i], NULL));
        assert_non_null(strstr(why, config));
        assert_non_null(strstr(why, ": cannot use this line: "));
        assert_string_equal(why + strlen(why) - strlen(wrong[i]), wrong[i]);
        (void)clean_up(state);
    }
}

static void test_a_file_that_is_missing_or_says_not_where_to_write(void **state)
{
    FILE *file;

    (void)state;
    assert_false(watch_configure(&watch, "/nowhere/config", NULL, NULL, why, sizeof why));
    assert_string_equal(why, "/nowhere/config: cannot be read");
    file = fopen(config, "w");
    assert_non_null(file);
    (void)fclose(file);
    assert_false(watch_configure(&watch, config, NULL, NULL, why, sizeof why));
    assert_non_null(strstr(why, "it does not say where to write: out PATH"));
}

static void test_a_front_end_reads_what_the_core_does_not_know(void **state)
{
    (void)state;
    assert_true(configured(system_lines, "bits 0x1 0x2\nserved 0x7000 0 5\nmarks 0 3\n", own));
    assert_string_equal(own_lines, "bits 0x1 0x2marks 0 3");
    assert_int_equal(watch.releaser_count, 2);
    (void)clean_up(state);
    assert_false(configured(system_lines, "marks 1 3\n", own));
}

static void test_an_address_has_a_function_and_what_happens_there(void **state)
{
    static const struct {
        uint64_t address;
        char kind;
    } at[] = {{0, 'k'},     {0x100, 'k'}, {0x10F, 'k'}, {0x110, 'b'}, {0x14F, 'k'},
              {0x150, 'l'}, {0x160, 'i'}, {0x16F, 'i'}, {0x170, 'k'}};
    size_t count;

    (void)state;
    start("job 0x150 0x152 0 0\n"); /* no body: what calls it is what counts */
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        assert_int_equal(watch_function_at(&watch, at[i].address)->kind, at[i].kind);
    }
    assert_int_equal(watch_sites_at(&watch, 0x12C, &count)->index, 1);
    assert_int_equal(count, 1);
    assert_int_equal(watch_sites_at(&watch, 0x108, &count)->event, WATCH_LEAVE);
    (void)watch_sites_at(&watch, 0x150, &count);
    assert_int_equal(count, 0);
    (void)watch_sites_at(&watch, 0x10A, &count);
    assert_int_equal(count, 0);
}

/* --- Counts and events ------------------------------------------------------------------------------ */

static void test_only_the_window_counts(void **state)
{
    (void)state;
    start("open_nth 2\n");
    execute(0x100, 7);
    watch_store(&watch, 0x5000);
    watch_release(&watch, 0);
    execute(0x14F, 2);
    execute(0x160, 100);
    execute(0x100, 5); /* opens it */
    watch_store(&watch, 0x5020);
    watch_store(&watch, 0x5010); /* no thread's */
    watch_store(&watch, 0x5040);
    execute(0x14F, 3);
    execute(0x160, 20);
    finish("done");
    assert_result("status done");
    assert_result("window_ns 280");
    assert_result("total 28");
    assert_result("releases 1");
    assert_result("taken 0 1");
    assert_result("function 0 5");
    assert_result("function 5 20");
    assert_result("elsewhere 3");
    assert_null(strstr(results, "instructions"));
    assert_string_equal(events, "0 I 0\n50 R 1\n");
}

/* From the start on, and by steps: the window's time does not go back to the clock's start. */
static void test_what_cells_request_is_written_down(void **state)
{
    char path[64], more[128], said[TEXT_BYTES];

    (void)state;
    (void)snprintf(path, sizeof path, "watch-%ld.requests", (long)getpid());
    (void)snprintf(more, sizeof more, "requests %s\nclock 0x9000\nopen_nth 2\n", path);
    start(more);
    execute(0x108, 20);
    watch_store(&watch, 0x9000);
    watch_store(&watch, 0x9004);
    execute(0x160, 30);
    watch_request(&watch, 45, 7, 25);
    execute(0x100, 5); /* does not open the window yet */
    watch_request(&watch, 52, 1073744896, 4294967295);
    execute(0x100, 5);
    execute(0x110, 10);
    execute(0x11c, 1);
    finish("done");
    slurp(path, said);
    (void)remove(path);
    assert_string_equal(said, "20 C 0\n45 Q 7 25\n50 I 0\n52 Q 1073744896 4294967295\n"
                              "55 I 0\n60 S 0\n70 E 0\n");
    assert_string_equal(events, "0 I 0\n50 S 0\n150 E 0\n");
}

static void test_a_preempted_thread_goes_on_and_has_what_it_executed(void **state)
{
    (void)state;
    start("");
    execute(0x100, 5);
    watch_switch_load(&watch, 0x2010);
    execute(0x110, 8);
    execute(0x100,
            6); /* finds a job open: 6 + 4 of the kernel until the next thread has the processor */
    watch_store(&watch, 0x5020);
    execute(0x104, 4);
    watch_switch_load(&watch, 0x3010);
    watch_switch_load(&watch, 0x3014);
    watch_switch_load(&watch, 0x9000); /* no stack */
    execute(0x120, 2);
    execute(0x12C, 3);
    execute(0x104, 1);
    watch_switch_load(&watch, 0x20F0);
    execute(0x114, 5);
    execute(0x150, 10);
    execute(0x11C, 2); /* no job's */
    execute(0x110, 22);
    execute(0x11C, 2);
    finish("done");
    assert_string_equal(events, "0 I 0\n50 D 0\n50 S 0\n130 I 0\n190 R 1\n230 K 10\n230 D 1\n"
                                "230 S 1\n250 E 1\n290 D 0\n440 E 0\n460 S 0\n680 E 0\n");
    assert_result("longest 0 23");
    assert_result("longest 1 2");
    assert_result("longest 2 0");
    assert_result("library_in_bodies 10");
}

static void test_a_basic_job_nests_on_what_it_interrupts(void **state)
{
    (void)state;
    start("");
    execute(0x100, 5);
    execute(0x110, 8);
    execute(0x130, 4);
    execute(0x13C, 2); /* its return */
    watch_skip(&watch, 2);
    execute(0x114, 3);
    execute(0x11C, 1);
    finish("done");
    assert_result("longest 0 11");
    assert_result("longest 2 4");
    assert_string_equal(events, "0 I 0\n50 S 0\n130 S 2\n170 E 2\n220 E 0\n");
}

static void test_a_basic_job_ends_early_where_the_kernel_leaves_it(void **state)
{
    (void)state;
    start("");
    execute(0x100, 5);
    execute(0x108, 1); /* none runs */
    execute(0x110, 8);
    execute(0x108, 1); /* a thread's does: not so */
    execute(0x130, 4);
    execute(0x108, 1);
    execute(0x114, 3);
    execute(0x11C, 1);
    finish("done");
    assert_result("longest 0 11");
    assert_result("longest 2 4");
}

static void
test_a_shared_thread_is_named_for_its_latest_job_and_a_server_for_its_open_one(void **state)
{
    (void)state;
    start("job 0x134 0x138 0x2000 0x2100\nserver 0x1000 0x1100\n");
    execute(0x100, 1);
    watch_switch_load(&watch, 0x2000); /* D 0: it begins first */
    execute(0x134, 1);
    execute(0x138, 1);
    watch_switch_load(&watch, 0x1000); /* none runs on it */
    execute(0x130, 1);
    watch_switch_load(&watch, 0x2000);
    watch_switch_load(&watch, 0x1000);
    execute(0x13C, 1);
    finish("done");
    assert_string_equal(events, "0 I 0\n10 D 0\n10 S 3\n20 E 3\n30 S 2\n40 D 3\n40 D 2\n40 E 2\n");
    assert_result("longest 2 1");
}

static void test_a_thread_without_jobs_has_the_processor_while_a_job_waits(void **state)
{
    (void)state;
    start("job 0x134 0x138 0x2000 0x2100\nother 0x1000 0x1100\n");
    execute(0x100, 1);
    watch_switch_load(&watch, 0x2000);
    execute(0x134, 1);
    watch_switch_load(&watch, 0x1000);
    watch_switch_load(&watch, 0x1004); /* it has it still */
    execute(0x130, 1);
    watch_switch_load(&watch, 0x2000);
    execute(0x138, 1);
    finish("done");
    assert_string_equal(events, "0 I 0\n10 D 0\n10 S 3\n20 N 0\n20 S 2\n30 D 3\n30 E 3\n");
}

static void test_jobs_that_overlap_end_the_watch(void **state)
{
    static const uint64_t story[][2] = {{0x110, 0x110}, {0x11C, 0x11C}, {0x130, 0x130}};

    for (size_t i = 0; i < sizeof story / sizeof story[0]; i++) {
        start("");
        execute(0x100, 5);
        execute(story[i][0], 6);
        execute(story[i][1], 4);
        assert_true(watch.over);
        finish("");
        assert_result("status nesting");
        (void)clean_up(state);
    }
}

static void test_an_unfinished_job_says_how_far_it_has_come(void **state)
{
    (void)state;
    start("");
    execute(0x100, 5);
    execute(0x110, 6);
    execute(0x120, 3);
    execute(0x150, 2);
    finish("busy");
    assert_result("open_job 0 6");
    assert_result("open_job 1 5");
    assert_result("library_in_bodies 2");
    assert_null(strstr(results, "open_job 2"));
}

static void test_cycles_come_with_instructions(void **state)
{
    (void)state;
    start("");
    watch.counts_instructions = true;
    watch.functions[0].instructions = watch.body_instructions = 9; /* before the window */
    execute(0x100, 5);
    watch.functions[1].instructions += 2;
    watch.body_instructions += 2;
    finish("done");
    assert_result("instructions 0 0");
    assert_result("instructions 1 2");
    assert_result("body_instructions 2");
}

static void test_masks_release_the_highest_bit_first(void **state)
{
    uint64_t level;

    (void)state;
    start("thread 0 2\nthread 1 0\nwaiting 0x6000 2\nmasked 0 1 3\nmasked 1 1 31\nmasked 1 0 5\n");
    assert_false(watch_is_waiting_word(&watch, 0x6008, &level));
    assert_true(watch_is_waiting_word(&watch, 0x6004, &level));
    assert_int_equal(level, 1);
    watch_wait(&watch, 1, 0); /* before the window: they wait no more, and are not released */
    watch_wait(&watch, 1, 0x80000008);
    execute(0x100, 5);
    watch_wait(&watch, 1, 0);
    watch_wait(&watch, 1, 8);
    watch_wait(&watch, 1, 0);
    watch_store(&watch, 0x5020);
    watch_wait(&watch, 0, 0); /* waiting from the start */
    finish("done");
    assert_string_equal(events, "0 I 0\n50 R 0\n50 R 2\n50 R 2\n50 R 0\n50 R 0\n");
    assert_result("releases 5");
}

/* --- The window --------------------------------------------------------------------------------------- */

static void
test_what_is_served_beyond_the_window_counts_behind_an_interrupt_inside_only(void **state)
{
    (void)state;
    start("served 0x7000 0 2\n");
    execute(0x100, 5);
    watch_store(&watch, 0x7000);
    execute(0x160, 115); /* to 1,200 ns: beyond the window's end and the interrupt's cut */
    assert_false(watch_is_done(&watch));
    execute(0x100, 1); /* late, for its second instant */
    watch_store(&watch, 0x7000);
    assert_true(watch_is_done(&watch));
    execute(0x100, 1); /* outside */
    watch_store(&watch, 0x7000);
    finish("done");
    assert_result("taken 0 2");
    assert_result("served 0 2");
}

static void test_one_instant_too_many_before_the_cut_is_seen(void **state)
{
    (void)state;
    start("served 0x7000 0 1\n");
    execute(0x100, 5);
    watch_store(&watch, 0x7000);
    watch_store(&watch, 0x7000);
    assert_false(watch_is_done(&watch)); /* before its end */
    finish("done");
    assert_result("served 0 2");
}

static void test_the_window_ends_late_whatever_was_served(void **state)
{
    (void)state;
    start("served 0x7000 0 2\n");
    execute(0x100, 199);
    assert_false(watch_is_done(&watch));
    execute(0x160, 1);
    assert_true(watch_is_done(&watch));
}

static void test_a_row_is_served_when_its_first_word_is_loaded(void **state)
{
    (void)state;
    start("rows 0x8000 2 0 0 9\nrows 0x9000 2 1 0 9\n");
    watch_load(&watch, 0x8008); /* before the window */
    execute(0x100, 5);
    watch_load(&watch, 0x8000);
    watch_load(&watch, 0x8004);
    watch_load(&watch, 0x8000); /* the same one */
    watch_load(&watch, 0x800C); /* another's second word */
    watch_load(&watch, 0x8008);
    watch_load(&watch, 0x8010); /* the end */
    watch_load(&watch, 0x9000); /* the one to come */
    watch_load(&watch, 0x9008); /* so 0 was served */
    watch_load(&watch, 0x9010); /* and 1; the end is none to come */
    watch_load(&watch, 0x9000);
    finish("done");
    assert_result("served 0 2");
    assert_result("served 1 2");
}

static void test_rows_may_have_other_sizes(void **state)
{
    (void)state;
    start("rows 0x8000 2 0 0 9\nrow_bytes 6\nrows 0x9000 2 0 0 9\n");
    execute(0x100, 5);
    watch_load(&watch, 0x8000);
    watch_load(&watch, 0x8008);
    watch_load(&watch, 0x9000);
    watch_load(&watch, 0x9003); /* a byte of the same row */
    watch_load(&watch, 0x9006);
    watch_load(&watch, 0x900C); /* the end */
    finish("done");
    assert_result("served 0 2");
    assert_result("served 1 2");
}

static bool read_own_word(void *context, uint64_t address, uint32_t *word)
{
    assert_int_equal(address, 0x6000);
    *word = *(const uint32_t *)context;
    return true;
}

static void test_rounds_are_told_by_the_begins_that_rows_have(void **state)
{
    uint32_t begin = 4000000000u;

    (void)state;
    start("rows 0x8000 3 0 0 9\nbegins 0x6000\n");
    watch.read_word = read_own_word;
    watch.word_context = &begin;
    execute(0x100, 5);
    watch_load(&watch, 0x8000);
    watch_load(&watch, 0x8008);
    execute(0x100, 20);
    begin += 500000000u; /* past 2^32, of another mode, which has one row */
    watch_load(&watch, 0x8010);
    watch_load(&watch, 0x8014);
    begin += 100u;
    watch_load(&watch, 0x8010); /* the same row, of the next round */
    finish("done");
    assert_result("round 0 4000000000 50");
    assert_result("round 2 205032704 250");
    assert_result("round 2 205032804 250");
    assert_result("unread_rounds 0");
    assert_result("served 0 4");
}

static void test_a_begin_that_cannot_be_read_is_said(void **state)
{
    (void)state;
    start("rows 0x8000 2 0 0 9\nbegins 0x6000\n");
    execute(0x100, 5);
    watch_load(&watch, 0x8000);
    watch_load(&watch, 0x8008);
    finish("done");
    assert_null(strstr(results, "round "));
    assert_result("unread_rounds 2");
}

static void test_an_instant_may_be_served_before_its_interrupt_enters(void **state)
{
    (void)state;
    assert_true(configured(system_lines, "marks 0 2\nmarks 0 0\n", own));
    watch_announce(&watch, 1); /* beyond the window, which is not open */
    watch_announce(&watch, 0); /* opens the window soon */
    execute(0x100, 150);
    watch_announce(&watch, 0);
    assert_false(watch_is_done(&watch)); /* its interrupt is still to come */
    execute(0x100, 1);
    assert_true(watch_is_done(&watch));
    watch_announce(&watch,
                   0); /* beyond the window, but the interrupt was inside and served nothing yet */
    watch_announce(&watch, 0);
    execute(0x100, 1);
    finish("done");
    assert_result("taken 0 2");
    assert_result("served 0 3");
    assert_result("served 1 0");
}

static void test_firmware_that_takes_too_long(void **state)
{
    (void)state;
    start("");
    execute(0x160, 500);
    assert_null(watch_too_long(&watch));
    execute(0x160, 1);
    assert_string_equal(watch_too_long(&watch), "silent");
    execute(0x100, 10000);
    assert_null(watch_too_long(&watch));
    execute(0x160, 1);
    assert_string_equal(watch_too_long(&watch), "busy");
}

static void test_steps_of_no_whole_nanoseconds(void **state)
{
    const uint64_t hz = 7372800, second = 1000000000, days = 86400 * 30;

    (void)state;
    assert_true(configured("steps_hz 7372800\nlimit_ns 100000\n", "", NULL));
    assert_int_equal(watch_ns(&watch, 1), 135);
    assert_int_equal(watch_ns(&watch, hz), second);
    assert_int_equal(watch_ns(&watch, days * hz + 2), days * second + 271);
    for (uint64_t ns = 0; ns < 1000; ns++) {
        uint64_t steps = watch_steps(&watch, days * second + ns);

        assert_true(watch_ns(&watch, steps) >= days * second + ns);
        assert_true(watch_ns(&watch, steps - 1) < days * second + ns);
    }
}

static void test_steps_up_to_a_time(void **state)
{
    (void)state;
    start("");
    assert_int_equal(watch_steps(&watch, 0), 0);
    assert_int_equal(watch_steps(&watch, 10), 1);
    assert_int_equal(watch_steps(&watch, 11), 2);
}

static void test_results_that_cannot_be_written(void **state)
{
    (void)state;
    assert_true(configured(system_lines, "out /nowhere/out\n", NULL));
    watch_finish(&watch, "done");
    assert_true(watch.over);
    assert_true(watch.unwritten);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, NULL, clean_up)

/* --- Several processors under one kernel ------------------------------------------------------------ */

static struct watch second;
static char second_config[64], second_out[64];

/* A watch of another processor, which follows the first one. */
static void start_second(void)
{
    FILE *file;

    (void)snprintf(second_config, sizeof second_config, "watch-%ld-2.config", (long)getpid());
    (void)snprintf(second_out, sizeof second_out, "watch-%ld-2.out", (long)getpid());
    file = fopen(second_config, "w");
    assert_non_null(file);
    (void)fprintf(file, "out %s\n%s", second_out, system_lines);
    (void)fclose(file);
    assert_true(watch_configure(&second, second_config, NULL, NULL, why, sizeof why));
    watch_follow(&second, &watch);
    (void)remove(second_config);
}

static void reach(struct watch *of, uint64_t address)
{
    size_t count;
    const struct watch_site *site = watch_sites_at(of, address, &count);

    for (size_t i = 0; i < count; i++) {
        watch_reach(of, &site[i]);
    }
}

static void test_exceptions_of_the_window_are_counted(void **state)
{
    (void)state;
    start("exception 0x100\nexception 0x102\n");
    execute(0x102, 2); /* before the window, which its first interrupt opens */
    watch_exception(&watch, true);
    execute(0x100, 2);
    execute(0x102, 2);
    watch_exception(&watch, true);
    finish("done");
    assert_result("exceptions 3");
    assert_result("tail_chained 1");
}

static void test_exceptions_are_no_result_where_none_are_seen(void **state)
{
    (void)state;
    start("exception 0x102\n");
    watch.counts_exceptions = false;
    execute(0x100, 2);
    finish("done");
    assert_null(strstr(results, "exceptions"));
}

static void test_a_job_that_changes_processors(void **state)
{
    (void)state;
    start("aside 0x164\n");
    start_second();
    reach(&watch, 0x164); /* before the window */
    execute(0x100, 10);
    watch_open(&second);
    assert_true(second.open);
    execute(0x110, 30);
    assert_true(watch_in_job(&watch));
    assert_false(watch_in_job(&second));
    execute(0x150, 5); /* the library, called by the job */
    watch_switch_load(&watch, 0x3010);
    assert_false(watch_in_job(&watch));
    execute(0x150, 3); /* by no job */
    reach(&watch, 0x164);
    watch_switch_load(&second, 0x2010);
    assert_true(watch_in_job(&second));
    second.body_total += 40;
    second.library_total += 7;
    reach(&second, 0x11c);
    assert_false(watch_in_job(&second));
    assert_int_equal(watch.jobs[0].longest, 30 + 5 + 40);
    assert_int_equal(second.library_in_bodies, 7);
    execute(0x120, 10);
    execute(0x12c, 0);
    finish("done");
    assert_result("library_in_bodies 5");
    assert_result("longest 0 75");
    assert_result("longest 1 10");
    assert_result("taken 1 1");
    watch_finish(&second, "done");
    assert_false(second.unwritten);
    (void)remove(second_out);
    second.jobs = NULL;
    second.stacks = NULL;
    free(second.functions);
    free(second.interrupts);
    free(second.sites);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_lines_that_cannot_be_used_are_named),
        TEST(test_a_file_that_is_missing_or_says_not_where_to_write),
        TEST(test_a_front_end_reads_what_the_core_does_not_know),
        TEST(test_an_address_has_a_function_and_what_happens_there),
        TEST(test_only_the_window_counts),
        TEST(test_what_cells_request_is_written_down),
        TEST(test_a_preempted_thread_goes_on_and_has_what_it_executed),
        TEST(test_a_basic_job_nests_on_what_it_interrupts),
        TEST(test_a_basic_job_ends_early_where_the_kernel_leaves_it),
        TEST(test_a_shared_thread_is_named_for_its_latest_job_and_a_server_for_its_open_one),
        TEST(test_a_thread_without_jobs_has_the_processor_while_a_job_waits),
        TEST(test_jobs_that_overlap_end_the_watch),
        TEST(test_an_unfinished_job_says_how_far_it_has_come),
        TEST(test_cycles_come_with_instructions),
        TEST(test_masks_release_the_highest_bit_first),
        TEST(test_what_is_served_beyond_the_window_counts_behind_an_interrupt_inside_only),
        TEST(test_one_instant_too_many_before_the_cut_is_seen),
        TEST(test_the_window_ends_late_whatever_was_served),
        TEST(test_a_row_is_served_when_its_first_word_is_loaded),
        TEST(test_rows_may_have_other_sizes),
        TEST(test_rounds_are_told_by_the_begins_that_rows_have),
        TEST(test_a_begin_that_cannot_be_read_is_said),
        TEST(test_an_instant_may_be_served_before_its_interrupt_enters),
        TEST(test_firmware_that_takes_too_long),
        TEST(test_steps_of_no_whole_nanoseconds),
        TEST(test_steps_up_to_a_time),
        TEST(test_results_that_cannot_be_written),
        TEST(test_exceptions_of_the_window_are_counted),
        TEST(test_exceptions_are_no_result_where_none_are_seen),
        TEST(test_a_job_that_changes_processors),
    };

    return cmocka_run_group_tests(tests, make_paths, NULL);
}
