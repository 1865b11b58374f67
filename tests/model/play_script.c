/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "play_script.h"
#include <stdlib.h>
#include <string.h>

/* Where the reader stands: calls go to the thread or interrupt named last. */
static struct script_body *body;
static char *words[SCRIPT_WORDS];
static unsigned word_count;

static _Noreturn void refuse(const char *problem)
{
    (void)fprintf(stderr, "script: %s: %s\n", problem, word_count == 0 ? "" : words[0]);
    exit(2);
}

static int64_t number(unsigned word)
{
    return word < word_count ? strtoll(words[word], NULL, 10) : 0;
}

/* The next of `most` places. */
static unsigned next(unsigned *count, unsigned most)
{
    if (*count == most) {
        refuse("too many");
    }
    return (*count)++;
}

static void read_call(script_verb verb, uint32_t call_number)
{
    struct script_call *call;
    unsigned mark = word_count;

    if (verb == NULL || body == NULL) {
        refuse("not understood");
    }
    for (unsigned word = 1; word < word_count; word++) {
        mark = strcmp(words[word], "!") == 0 ? word : mark;
    }
    call = &body->calls[next(&body->count, SCRIPT_CALLS)];
    *call = (struct script_call){.verb = verb,
                                 .object = mark > 1 ? (unsigned)number(1) : 0,
                                 .amount = mark > 2 ? number(2) : 0,
                                 .flags = mark > 3 ? (uint32_t)number(3) : 0,
                                 .after = (unsigned)number(mark + 1),
                                 .interrupt = (unsigned)number(mark + 2),
                                 .number = call_number};
}

/* Objects, numbered within their kind; false: it is something else. */
static bool read_object(struct script *script)
{
    const char *head = words[0];
    uint32_t a = (uint32_t)number(1), b = (uint32_t)number(2);

    if (strcmp(head, "semaphore") == 0) {
        unsigned i = next(&script->semaphore_count, SCRIPT_OBJECTS);
        script->semaphores[i].initial = a;
        script->semaphores[i].limit = b;
    } else if (strcmp(head, "mutex") == 0) {
        script->mutexes[next(&script->mutex_count, SCRIPT_OBJECTS)].ceiling = a;
    } else if (strcmp(head, "queue") == 0) {
        unsigned i = next(&script->queue_count, SCRIPT_OBJECTS);
        script->queues[i].capacity = a;
        script->queues[i].words = b;
    } else if (strcmp(head, "pool") == 0) {
        script->pools[next(&script->pool_count, SCRIPT_OBJECTS)].blocks = a;
    } else if (strcmp(head, "event") == 0) {
        (void)next(&script->event_count, SCRIPT_OBJECTS);
    } else if (strcmp(head, "alarm") == 0) {
        unsigned i = next(&script->alarm_count, SCRIPT_OBJECTS);
        script->alarms[i].kind = word_count > 1 ? words[1][0] : 'w';
        script->alarms[i].target = number(2);
    } else {
        return false;
    }
    return true;
}

static void read_line(struct script *script, script_verb (*find)(const char *name))
{
    const char *head = words[0];

    if (read_object(script)) {
        return;
    }
    if (strcmp(head, "tick") == 0) {
        script->tick = (uint32_t)number(1);
    } else if (strcmp(head, "pace") == 0) {
        script->pace = (unsigned)number(1);
    } else if (strcmp(head, "duration") == 0) {
        script->duration = (hrl_counts)number(1);
    } else if (strcmp(head, "steps") == 0) {
        script->steps = (unsigned)number(1);
    } else if (strcmp(head, "seed") == 0) {
        script->seed = (uint64_t)number(1);
    } else if (strcmp(head, "turn") == 0) {
        script->turn = (unsigned)number(1);
    } else if (strcmp(head, "thread") == 0) {
        struct script_thread *thread =
            &script->threads[next(&script->thread_count, SCRIPT_THREADS)];
        thread->level = (uint32_t)number(1);
        thread->repeats = (unsigned)number(2);
        thread->started = word_count < 4 || strcmp(words[3], "dormant") != 0;
        thread->core = (unsigned)number(4);
        body = &thread->body;
        body->count = 0;
    } else if (strcmp(head, "interrupt") == 0) {
        struct script_interrupt *interrupt =
            &script->interrupts[next(&script->interrupt_count, SCRIPT_INTERRUPTS)];
        interrupt->at = (hrl_counts)number(1);
        interrupt->core = (unsigned)number(2);
        body = &interrupt->body;
        body->count = 0;
    } else {
        read_call(find(head), ++script->calls);
    }
}

bool script_read(FILE *file, struct script *script, script_verb (*find)(const char *name))
{
    char line[256];

    script->tick = 0;
    script->pace = 0;
    script->seed = 0;
    script->turn = 0;
    script->thread_count = script->interrupt_count = script->calls = 0;
    script->semaphore_count = script->mutex_count = script->queue_count = script->pool_count = 0;
    script->event_count = script->alarm_count = 0;
    script->duration = 100000;
    script->steps = 1000;
    body = NULL;
    while (fgets(line, sizeof line, file) != NULL) {
        char *rest = NULL;

        word_count = 0;
        for (char *word = strtok_r(line, " \n", &rest); word != NULL && word_count < SCRIPT_WORDS;
             word = strtok_r(NULL, " \n", &rest)) {
            words[word_count++] = word;
        }
        if (word_count == 0 || words[0][0] == '#') {
            continue;
        }
        if (strcmp(words[0], "run") == 0) {
            return true;
        }
        read_line(script, find);
    }
    return false;
}
