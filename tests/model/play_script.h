/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_PLAY_SCRIPT_H
#define MODEL_PLAY_SCRIPT_H

#include <hrl/types.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * A script: threads and interrupts with a list of calls each, as text; README.md has the grammar.
 */
enum {
    SCRIPT_THREADS = 12,
    SCRIPT_INTERRUPTS = 64,
    SCRIPT_OBJECTS = 4, /* of a kind */
    SCRIPT_MESSAGE_WORDS = 3,
    SCRIPT_CALLS = 64,
    SCRIPT_WORDS = 8
};

struct script_call;

/* Makes the call; what it returned, or SCRIPT_SKIPPED. */
typedef int64_t (*script_verb)(const struct script_call *call);

struct script_call {
    script_verb verb;
    unsigned object;
    int64_t amount;
    unsigned after;     /* the port's call in it before which an interrupt comes; 0: none does */
    unsigned interrupt; /* which one */
    uint32_t flags;     /* of events; of a periodic alarm: period + times */
    uint32_t number;    /* among all calls of the script, from 1: the message that it sends */
};

struct script_body {
    struct script_call calls[SCRIPT_CALLS];
    unsigned count;
};

struct script_thread {
    uint32_t level;
    bool started;
    unsigned repeats;
    unsigned core;
    struct script_body body;
};

struct script_interrupt {
    hrl_counts at; /* 0: only when a call says so */
    unsigned core;
    struct script_body body;
};

struct script {
    uint32_t tick; /* 0: time-outs by a one-shot cell */
    hrl_counts duration;
    unsigned
        pace; /* each so many calls of the port take a count; 0: time stands still in the kernel */
    uint64_t seed;  /* of the interleaving of cores */
    unsigned turn;  /* most calls of the port in a core's turn */
    unsigned steps; /* calls of threads after which the run ends */
    unsigned calls;
    struct {
        uint32_t initial, limit;
    } semaphores[SCRIPT_OBJECTS];
    unsigned semaphore_count;
    struct {
        uint32_t ceiling; /* 0: inheritance */
    } mutexes[SCRIPT_OBJECTS];
    unsigned mutex_count;
    struct {
        uint32_t capacity, words;
    } queues[SCRIPT_OBJECTS];
    unsigned queue_count;
    struct {
        uint32_t blocks;
    } pools[SCRIPT_OBJECTS];
    unsigned pool_count;
    unsigned event_count;
    struct {
        char kind; /* w: wakes its waiters; g: gives a semaphore; c: makes an interrupt's calls */
        int64_t target; /* which; -1: none */
    } alarms[SCRIPT_OBJECTS];
    unsigned alarm_count;
    struct script_thread threads[SCRIPT_THREADS];
    unsigned thread_count;
    struct script_interrupt interrupts[SCRIPT_INTERRUPTS];
    unsigned interrupt_count;
};

/*
 * Reads a script up to its line "run"; false at the end of the file. `find` is the verb of a name, NULL if
 * there is none; what is wrong ends the process.
 */
bool script_read(FILE *file, struct script *script, script_verb (*find)(const char *name));

#endif
