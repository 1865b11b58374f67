/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/kernel.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A system as a program: each run is a process of its own. */

static char trace_path[] = "trace-XXXXXX", result_path[] = "result-XXXXXX";

static int make_files(void **state)
{
    (void)state;
    return close(mkstemp(trace_path)) + close(mkstemp(result_path));
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(trace_path) + unlink(result_path);
}

/* The exit status of the program with these options; task 0 of 2 has this cost. */
static int run(hrl_counts cost, int count, char **options)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        sut_reset();
        sut_add_releaser((struct sut_releaser){.one_shot = true});
        sut_add_task((struct sut_task){.level = 1, .period = sut_period(25000, 1), .cost = cost});
        sut_add_task((struct sut_task){.level = 2, .period = sut_period(50000, 1), .cost = 250});
        hrlp_host_program(count, options);
        sut_build();
        hrl_start();
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void check_file(const char *path, const char *expected)
{
    char text[4096] = "";
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    (void)!fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_string_equal(text, expected);
}

#define COUNT(options) (int)(sizeof(options) / sizeof(options)[0])

static void test_a_run_writes_its_trace_and_result(void **state)
{
    char *options[] = {"program", "--duration-counts", "75000",    "--start-counts", "25000",
                       "--trace", trace_path,          "--result", result_path};

    (void)state;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(run(500, COUNT(options), options), 0);
        check_file(trace_path, "0 I 0\n0 R 0\n0 R 1\n0 S 1\n10000 E 1\n10000 S 0\n30000 E 0\n"
                               "1000000 I 0\n1000000 R 0\n1000000 S 0\n1020000 E 0\n"
                               "2000000 I 0\n2000000 R 1\n2000000 R 0\n2000000 S 1\n"
                               "2010000 E 1\n2010000 S 0\n2030000 E 0\n");
        check_file(
            result_path,
            "status done\nwindow_ns 3000000\nreleases 5\ntaken 0 3\n"
            "taken 1 0\ntaken 2 0\ntaken 3 0\ntaken 4 0\ntaken 5 0\ntaken 6 0\ntaken 7 0\nserved 0 3\n"
            "longest 0 20000\nlongest 1 10000\n");
    }
}

static void test_nanoseconds_are_of_the_clock_it_is_told(void **state)
{
    char *options[] = {"program", "--duration-counts", "25001",     "--start-counts",
                       "25000",   "--result",          result_path, "--clock-hz",
                       "3"};

    (void)state;
    assert_int_equal(run(500, COUNT(options), options), 0);
    /* Busy at the window's end, until 25500: 8500 s. */
    check_file(
        result_path,
        "status done\nwindow_ns 8500000000000\nreleases 3\ntaken 0 2\n"
        "taken 1 0\ntaken 2 0\ntaken 3 0\ntaken 4 0\ntaken 5 0\ntaken 6 0\ntaken 7 0\nserved 0 2\n"
        "longest 0 166666666666\nlongest 1 83333333333\n");
}

static void test_a_busy_system_is_given_up_with_its_open_jobs(void **state)
{
    char *options[] = {"program",  "--duration-counts", "75000", "--start-counts",
                       "25000",    "--limit-counts",    "100",   "--result",
                       result_path};

    (void)state;
    assert_int_equal(run(500, COUNT(options), options), 0);
    check_file(
        result_path,
        "status busy\nwindow_ns 4000\nreleases 2\ntaken 0 1\n"
        "taken 1 0\ntaken 2 0\ntaken 3 0\ntaken 4 0\ntaken 5 0\ntaken 6 0\ntaken 7 0\nserved 0 1\n"
        "longest 0 0\nlongest 1 0\nopen_job 1 4000\n");
}

/* 100 counts are 4,000 ns: around the body of task 1, and not around that of task 0. */
static void test_nothing_passes_around_a_bare_body(void **state)
{
    char *options[] = {"program",   "--duration-counts", "25000",    "--start-counts",
                       "25000",     "--trace",           trace_path, "--result",
                       result_path, "--job-counts",      "100",      "--bare",
                       "0"};

    (void)state;
    assert_int_equal(run(500, COUNT(options), options), 0);
    check_file(trace_path, "0 I 0\n0 R 0\n0 R 1\n0 S 1\n14000 E 1\n18000 S 0\n38000 E 0\n");
}

static void test_wrong_options_are_refused(void **state)
{
    char *unknown[] = {"program", "--duration-counts", "75000", "--colour", "red"};
    char *missing[] = {"program", "--start-counts", "25000"};
    char *no_number[] = {"program", "--duration-counts", "soon"};
    char *no_value[] = {"program", "--duration-counts"};
    char *no_folder[] = {"program", "--duration-counts", "75000", "--trace", "no/such/folder"};
    char *no_device[] = {"program", "--duration-counts", "75000", "--device", "9,0"};
    char *too_long[] = {"program", "--duration-counts", "75000", "--device", "9,0,100,4,399"};
    char *no_task[] = {"program", "--duration-counts", "75000", "--bare", "1024"};

    (void)state;
    assert_int_equal(run(1, COUNT(no_device), no_device), 2);
    assert_int_equal(run(1, COUNT(too_long), too_long), 2);
    assert_int_equal(run(1, COUNT(no_task), no_task), 2);
    assert_int_equal(run(1, COUNT(unknown), unknown), 2);
    assert_int_equal(run(1, COUNT(missing), missing), 2);
    assert_int_equal(run(1, COUNT(no_number), no_number), 2);
    assert_int_equal(run(1, COUNT(no_value), no_value), 2);
    assert_int_equal(run(1, COUNT(no_folder), no_folder), 2);
}

static void test_a_full_disk_is_an_error(void **state)
{
    char *options[] = {"program", "--duration-counts", "75000",    "--start-counts",
                       "25000",   "--result",          "/dev/full"};

    (void)state;
    assert_int_equal(run(1, COUNT(options), options), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_writes_its_trace_and_result),
        cmocka_unit_test(test_nanoseconds_are_of_the_clock_it_is_told),
        cmocka_unit_test(test_a_busy_system_is_given_up_with_its_open_jobs),
        cmocka_unit_test(test_nothing_passes_around_a_bare_body),
        cmocka_unit_test(test_wrong_options_are_refused),
        cmocka_unit_test(test_a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
