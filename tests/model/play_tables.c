/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/clock_counter.h>
#include <hrl/schedule_table.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Plays scripts of schedule tables from the standard input, and prints what happened (README.md). Each script
 * has one thread, which makes its calls; those of a point are made when it is processed. A line that is
 * not understood ends the program.
 */
enum { COUNTERS = 3, TABLES = 6, POINTS = 6, CALLS = 400, SECONDS_PER_SCRIPT = 20 };

struct call {
    int64_t (*verb)(unsigned object, uint32_t amount);
    unsigned object;
    uint32_t amount;
};

struct calls {
    struct call list[CALLS];
    unsigned count;
};

struct place {
    unsigned table, point;
    struct calls calls;
    struct hrl_table_action actions[2];
};

HRL_CLOCK_COUNTER_DEFINE(by_time);

static struct hrl_counter software[COUNTERS];
static struct hrl_counter *counters[COUNTERS];
static struct hrl_schedule_table tables[TABLES];
static struct hrl_expiry_point points[TABLES][POINTS];
static struct place places[TABLES][POINTS];
static struct calls calls;
static unsigned counter_count, table_count, fuel;
static hrl_counts zero, clock_start;

static _Noreturn void refuse(const char *word)
{
    (void)fprintf(stderr, "script: not understood: %s\n", word);
    exit(2);
}

/* The value that a script knows: that of a clock counter counts from the first call. */
static uint32_t value_of(const struct hrl_counter *counter)
{
    return hrl_counter_value(counter) - (counter->alarm == NULL ? 0 : (uint32_t)zero);
}

/* The calls. */

static int64_t start_relative(unsigned table, uint32_t offset)
{
    return hrl_schedule_table_start_relative(&tables[table], offset);
}

static int64_t start_absolute(unsigned table, uint32_t start)
{
    uint32_t origin = tables[table].counter->alarm == NULL ? 0 : (uint32_t)zero;

    return hrl_schedule_table_start_absolute(&tables[table], start + origin);
}

static int64_t start_synchronous(unsigned table, uint32_t unused)
{
    (void)unused;
    return hrl_schedule_table_start_synchronous(&tables[table]);
}

static int64_t stop(unsigned table, uint32_t unused)
{
    (void)unused;
    return hrl_schedule_table_stop(&tables[table]);
}

static int64_t next(unsigned from, uint32_t to)
{
    return hrl_schedule_table_next(&tables[from], &tables[to]);
}

static int64_t synchronise(unsigned table, uint32_t value)
{
    return hrl_schedule_table_synchronise(&tables[table], value);
}

static int64_t set_asynchronous(unsigned table, uint32_t unused)
{
    (void)unused;
    return hrl_schedule_table_set_asynchronous(&tables[table]);
}

static int64_t count(unsigned counter, uint32_t steps)
{
    while (steps-- > 0) {
        hrl_counter_increment(counters[counter]);
    }
    return value_of(counters[counter]);
}

static int64_t pass(unsigned is_late, uint32_t counts)
{
    hrlp_irq_state state = 0;

    if (is_late != 0) {
        state = hrlp_irq_lock();
    }
    hrlp_host_consume(counts);
    if (is_late != 0) {
        hrlp_irq_unlock(state);
    }
    hrlp_irq_unlock(hrlp_irq_lock()); /* interrupts of the instant at which it ends belong to it */
    return 0;
}

static const struct {
    const char *name;
    int64_t (*verb)(unsigned object, uint32_t amount);
} verbs[] = {
    {"relative", start_relative},
    {"absolute", start_absolute},
    {"synchronous", start_synchronous},
    {"stop", stop},
    {"next", next},
    {"global", synchronise},
    {"asynchronous", set_asynchronous},
    {"count", count},
    {"pass", pass},
};

static void say_states(void)
{
    for (unsigned table = 0; table < table_count; table++) {
        (void)printf(" %d", (int)hrl_schedule_table_state(&tables[table]));
    }
    (void)printf("\n");
}

static void make(const char *who, const struct calls *all)
{
    for (unsigned i = 0; i < all->count; i++) {
        const struct call *call = &all->list[i];

        (void)printf("%s%u = %" PRId64 ":", who, i, call->verb(call->object, call->amount));
        say_states();
    }
}

static void activate(const void *its_place, uint32_t unused)
{
    const struct place *place = its_place;

    (void)unused;
    (void)printf("point %u %u at %" PRIu32 "\n", place->table, place->point,
                 value_of(tables[place->table].counter));
}

static void make_calls(const void *its_place, uint32_t unused)
{
    const struct place *place = its_place;

    (void)unused;
    (void)printf("event %u %u\n", place->table, place->point);
    if (fuel != 0) {
        fuel--;
        make("its ", &place->calls);
    }
}

static void run_thread(void *unused)
{
    (void)unused;
    zero = hrl_now();
    make("", &calls);
    hrlp_host_end("done");
}

/* The reader. */

static void add_counter(uint32_t maximum, uint32_t cycle, uint32_t value, uint32_t total)
{
    struct hrl_counter *counter = &software[counter_count];

    *counter = (struct hrl_counter){
        .maximum = maximum, .minimum_cycle = cycle, .value = value, .total = total};
    counters[counter_count++] = counter;
}

static void add_table(unsigned counter, uint32_t duration, bool repeats,
                      enum hrl_table_strategy strategy, uint32_t precision)
{
    tables[table_count] = (struct hrl_schedule_table){.points = points[table_count],
                                                      .counter = counters[counter],
                                                      .duration = duration,
                                                      .is_repeating = repeats,
                                                      .strategy = strategy,
                                                      .precision = precision};
    table_count++;
}

static struct calls *add_point(uint32_t offset, uint32_t retard, uint32_t advance)
{
    struct hrl_schedule_table *table = &tables[table_count - 1u];
    struct place *place = &places[table_count - 1u][table->count];

    place->table = table_count - 1u;
    place->point = table->count;
    place->calls.count = 0;
    /* The event stands first, and comes last. */
    place->actions[0] = (struct hrl_table_action)HRL_TABLE_CALL(make_calls, place, 0);
    place->actions[1] = (struct hrl_table_action){activate, place, 0, false};
    points[table_count - 1u][table->count++] =
        (struct hrl_expiry_point)HRL_EXPIRY_POINT_MOVABLE(offset, place->actions, retard, advance);
    return &place->calls;
}

static void add_call(struct calls *to, const char *name, unsigned object, uint32_t amount)
{
    for (unsigned i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verbs[i].name, name) == 0 && to->count < CALLS) {
            to->list[to->count++] = (struct call){verbs[i].verb, object, amount};
            return;
        }
    }
    refuse(name);
}

static void forget(void)
{
    static struct hrl_counter clock_as_defined;
    static struct hrl_alarm alarm_as_defined;

    if (clock_as_defined.alarm == NULL) {
        clock_as_defined = by_time;
        alarm_as_defined = by_time_alarm;
    }
    by_time = clock_as_defined;
    by_time_alarm = alarm_as_defined;
    counter_count = table_count = calls.count = 0;
    clock_start = 0;
    fuel = 40;
}

/* False at the end of the input. */
static bool read_script(void)
{
    char line[128], head[16], name[16];
    struct calls *to = &calls;

    forget();
    while (fgets(line, sizeof line, stdin) != NULL) {
        uint32_t n[5] = {0};

        if (sscanf(line, "%15s", head) != 1) {
            continue;
        }
        (void)sscanf(line, "%*s %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32, &n[0],
                     &n[1], &n[2], &n[3], &n[4]);
        if (strcmp(head, "run") == 0) {
            return true;
        }
        if (strcmp(head, "counter") == 0 && counter_count < COUNTERS) {
            add_counter(n[0], n[1], n[2], n[3]);
        } else if (strcmp(head, "clock") == 0 && counter_count < COUNTERS) {
            counters[counter_count++] = &by_time;
            clock_start = n[0];
        } else if (strcmp(head, "table") == 0 && table_count < TABLES && n[0] < counter_count) {
            add_table(n[0], n[1], n[2] != 0, (enum hrl_table_strategy)n[3], n[4]);
        } else if (strcmp(head, "point") == 0 && table_count > 0 &&
                   tables[table_count - 1u].count < POINTS) {
            to = add_point(n[0], n[1], n[2]);
        } else if (strcmp(head, "thread") == 0) {
            to = &calls;
        } else if (strcmp(head, "call") == 0 &&
                   sscanf(line, "%*s %15s %" SCNu32 " %" SCNu32, name, &n[0], &n[1]) >= 1) {
            add_call(to, name, n[0], n[1]);
        } else {
            refuse(head);
        }
    }
    return false;
}

int main(void)
{
    static char buffer[1 << 16];

    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    for (;;) {
        sut_reset();
        if (!read_script()) {
            return 0;
        }
        (void)alarm(SECONDS_PER_SCRIPT);
        hrlp_host_setup.clock_start = clock_start;
        hrlp_host_setup.limit = (hrl_counts)1 << 40;
        /* The cell goes by hops that are multiples of the scripts' units. */
        sut_add_releaser(
            (struct sut_releaser){.one_shot = true, .timeouts = true, .span = 1u << 22});
        sut_start("thread", 3, run_thread, NULL);
        (void)sut_run(1);
        (void)printf(".\n");
        (void)fflush(stdout);
    }
}
