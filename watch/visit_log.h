/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#ifndef HOROLOG_WATCH_VISIT_LOG_H
#define HOROLOG_WATCH_VISIT_LOG_H

/*
 * Which code has the processor, and when: a log of when execution comes into watched code and when it
 * leaves it. Times are what a front end counts, instructions or cycles. C11 that C++ compiles, too.
 *
 * The tool hands over addresses of the ELF file in a text file, one item a line:
 *
 *   out PATH              the log
 *   watch LOW HIGH OWNER  code from LOW up to HIGH, not included, is OWNER's, a number; several may be one's
 *   limit N               the run ends at time N
 *
 * The log, a line an event, ascending:
 *
 *   T + OWNER PLACE  the instruction at address PLACE, which began at T, is OWNER's; the one before it was not
 *   T - OWNER PLACE  the last instruction of that visit ended at T
 *   T end            the limit
 */
#include "watch/lines.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { VISITS_NO_OWNER = -1 };

struct visits_code {
    uint64_t low, high;
    long owner;
};

struct visits {
    struct visits_code *codes;
    size_t code_count;
    uint64_t limit;
    long owner;           /* of the visit that lasts */
    uint64_t last, place; /* its latest instruction */
    FILE *out;
};

/*
 * Begins with the file at `path`. Returns false, and writes into `why`, which has `size` bytes, what is
 * wrong, if the file cannot be used.
 */
bool visits_begin(struct visits *visits, const char *path, char *why, size_t size);

/* The owner of the code at `address`. */
long visits_owner_of(const struct visits *visits, uint64_t address);

/*
 * An instruction at `place` was executed, from `begun` to `ended`; its owner may be VISITS_NO_OWNER. A front end
 * that is not told of instructions without an owner says visits_leave when there were some.
 */
void visits_executed(struct visits *visits, long owner, uint64_t place, uint64_t begun,
                     uint64_t ended);
void visits_leave(struct visits *visits);

/* Whether `now` is the limit; then the log has its end, and is closed. */
bool visits_at_limit(struct visits *visits, uint64_t now);

/* Closes the log of a run that did not come to the limit. */
void visits_end(struct visits *visits);

#ifdef __cplusplus
}
#endif

#endif
