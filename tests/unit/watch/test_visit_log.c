/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The log of visits, without a machine: the test says which instructions are executed. */
#include "watch/visit_log.h"
#include "with_cmocka.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct visits visits;
static char config[64], out[64], why[16384], text[1024];

static int make_paths(void **state)
{
    (void)state;
    (void)snprintf(config, sizeof config, "visits-%ld.config", (long)getpid());
    (void)snprintf(out, sizeof out, "visits-%ld.out", (long)getpid());
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    visits_end(&visits);
    (void)remove(config);
    (void)remove(out);
    return 0;
}

/* Begins with these lines, and where to write unless `lines` shall not have it. */
static bool begin(const char *lines, bool with_out)
{
    FILE *file = fopen(config, "w");

    assert_non_null(file);
    if (with_out) {
        fprintf(file, "out %s\n", out);
    }
    fprintf(file, "%s", lines);
    (void)fclose(file);
    return visits_begin(&visits, config, why, sizeof why);
}

static const char *log_text(void)
{
    FILE *file = fopen(out, "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

static void execute(uint64_t place, uint64_t begun, uint64_t ended)
{
    visits_executed(&visits, visits_owner_of(&visits, place), place, begun, ended);
}

static void test_a_visit_has_its_first_and_its_last_instruction(void **state)
{
    (void)state;
    assert_true(
        begin("watch 0x100 0x110 4\nwatch 0x200 0x204 4\nwatch 0x300 0x310 5\nlimit 60\n", true));
    execute(0xfc, 1, 9);
    execute(0x100, 10, 11);
    execute(0x10c, 12, 15); /* its last byte but three */
    execute(0x200, 16, 17); /* the same owner's */
    execute(0x110, 18, 19); /* behind its code */
    execute(0x300, 20, 21);
    execute(0x104, 22, 23);
    assert_false(visits_at_limit(&visits, 59));
    assert_true(visits_at_limit(&visits, 60));
    assert_string_equal(log_text(), "10 + 4 0x100\n17 - 4 0x200\n20 + 5 0x300\n21 - 5 0x300\n"
                                    "22 + 4 0x104\n23 - 4 0x104\n60 end\n");
}

static void test_a_gap_that_a_front_end_finds_ends_the_visit(void **state)
{
    (void)state;
    assert_true(begin("watch 256 272 0\n", true));
    execute(0x100, 5, 5);
    visits_leave(&visits);
    visits_leave(&visits);
    execute(0x104, 8, 8);
    visits_end(&visits);
    assert_string_equal(log_text(), "5 + 0 0x100\n5 - 0 0x100\n8 + 0 0x104\n");
}

static void test_a_file_that_cannot_be_used(void **state)
{
    (void)state;
    assert_false(begin("watch 0x100 0x110\n", true));
    assert_non_null(strstr(why, "cannot use this line: watch 0x100 0x110"));
    visits_end(&visits);
    assert_false(begin("limit 5\n", false));
    assert_non_null(strstr(why, "it does not say where to write"));
    assert_false(visits_begin(&visits, "no-such-file", why, sizeof why));
    assert_string_equal(why, "no-such-file: cannot be read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_visit_has_its_first_and_its_last_instruction,
                                        make_paths, clean_up),
        cmocka_unit_test_setup_teardown(test_a_gap_that_a_front_end_finds_ends_the_visit,
                                        make_paths, clean_up),
        cmocka_unit_test_setup_teardown(test_a_file_that_cannot_be_used, make_paths, clean_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
