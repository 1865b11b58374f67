/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 */
#include <hrl/message_queue.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

enum { MS = 25000, QUEUE_LENGTH = 8, LEVEL = 1, STACK_BYTES = 1024 };

struct reading {
    uint32_t number;
    hrl_counts when;
};

/* For a debugger or a test to read. */
volatile uint32_t logger_written, logger_silences, logger_lost;

void read_sensor(void);
void start_threads(void);
static void write_log(void *argument);

HRL_MESSAGE_QUEUE_DEFINE(readings, sizeof(struct reading), QUEUE_LENGTH);
HRL_THREAD_DEFINE(logger, write_log, NULL, LEVEL, STACK_BYTES);

/* The body of task "sensor": it never waits, so its response time can be predicted. */
void read_sensor(void)
{
    static uint32_t number;
    struct reading reading = {++number, hrl_now()};

    if (number % 4 < 2 && hrl_message_send(&readings, &reading, HRL_NO_WAIT) != HRL_OK) {
        logger_lost++;
    }
}

static void write_log(void *argument)
{
    struct reading reading;

    (void)argument;
    for (;;) {
        if (hrl_message_receive(&readings, &reading, hrl_now() + 25 * MS) == HRL_OK) {
            logger_written++;
        } else {
            logger_silences++;
        }
    }
}

void start_threads(void)
{
    hrl_thread_start(&logger);
}
