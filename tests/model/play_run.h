/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_PLAY_RUN_H
#define MODEL_PLAY_RUN_H

#include "play_script.h"
#include <hrl/alarm.h>
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/mutex.h>
#include <hrl/pool.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/*
 * Plays a script on the kernel, in virtual time: README.md. After every call and every interrupt the kernel's
 * structures have to be whole (play_check.h).
 */
struct play {
    const struct script *script;
    FILE *trace; /* NULL: none is written */
    struct hrl_thread *threads[SCRIPT_THREADS];
    struct hrl_semaphore semaphores[SCRIPT_OBJECTS];
    struct hrl_mutex mutexes[SCRIPT_OBJECTS];
    struct hrl_message_queue queues[SCRIPT_OBJECTS];
    struct hrl_pool pools[SCRIPT_OBJECTS];
    struct hrl_event events[SCRIPT_OBJECTS];
    struct hrl_alarm alarms[SCRIPT_OBJECTS];
    bool in_interrupt;    /* one of the script's, in which no alarm may be started */
    bool in_function;     /* of an alarm */
    unsigned starts_left; /* of alarms by functions of alarms */
};
extern struct play play;

enum { PLAY_STARTS = 60 };

/* Plays `script`, which must be one that the kernel can take, and says to `trace`, or NULL, what happened. */
void play_script(const struct script *script, FILE *trace);

/* A call: what its object is, and whether interrupts may make it, with an amount of 0. */
enum play_kind {
    PLAY_THREAD,
    PLAY_SEMAPHORE,
    PLAY_MUTEX,
    PLAY_QUEUE,
    PLAY_POOL,
    PLAY_EVENT,
    PLAY_ALARM
};

struct play_verb {
    const char *name;
    script_verb call;
    enum play_kind object;
    bool in_interrupts;
};
extern const struct play_verb play_verbs[];
extern const unsigned play_verb_count;

/* The call of that name, NULL if there is none. */
script_verb play_find(const char *name);

/* What the alarm of this number does at its expiries, if it is one that calls. */
void play_alarm_function(void *script_alarm, uint32_t expiries);

/* The objects of the script, as it begins. */
void play_define_objects(void);

#endif
