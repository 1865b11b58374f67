/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#include "watch/visit_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool read_line(void *context, const char *line)
{
    struct visits *visits = (struct visits *)context;
    const char *path = watch_behind(line, "out", NULL, 0);
    uint64_t numbers[3];

    if (path != NULL) {
        visits->out = fopen(path, "w");
        return visits->out != NULL;
    }
    if (watch_is_line(line, "limit", &visits->limit, 1)) {
        return true;
    }
    if (watch_is_line(line, "watch", numbers, 3)) {
        struct visits_code *code = WATCH_ADD(struct visits_code, visits->codes, visits->code_count);

        code->low = numbers[0];
        code->high = numbers[1];
        code->owner = (long)numbers[2];
        return true;
    }
    return false;
}

bool visits_begin(struct visits *visits, const char *path, char *why, size_t size)
{
    memset(visits, 0, sizeof *visits);
    visits->limit = UINT64_MAX;
    visits->owner = VISITS_NO_OWNER;
    if (!watch_read_lines(path, read_line, visits, why, size)) {
        return false;
    }
    if (visits->out == NULL) {
        (void)snprintf(why, size, "%s: it does not say where to write", path);
        return false;
    }
    return true;
}

long visits_owner_of(const struct visits *visits, uint64_t address)
{
    for (size_t i = 0; i < visits->code_count; i++) {
        if (address >= visits->codes[i].low && address < visits->codes[i].high) {
            return visits->codes[i].owner;
        }
    }
    return VISITS_NO_OWNER;
}

void visits_executed(struct visits *visits, long owner, uint64_t place, uint64_t begun,
                     uint64_t ended)
{
    if (owner != visits->owner) {
        visits_leave(visits);
        visits->owner = owner;
        if (owner != VISITS_NO_OWNER) {
            fprintf(visits->out, "%" PRIu64 " + %ld %#" PRIx64 "\n", begun, owner, place);
        }
    }
    visits->last = ended;
    visits->place = place;
}

void visits_leave(struct visits *visits)
{
    if (visits->owner != VISITS_NO_OWNER) {
        fprintf(visits->out, "%" PRIu64 " - %ld %#" PRIx64 "\n", visits->last, visits->owner,
                visits->place);
    }
    visits->owner = VISITS_NO_OWNER;
}

bool visits_at_limit(struct visits *visits, uint64_t now)
{
    if (now < visits->limit) {
        return false;
    }
    visits_leave(visits);
    fprintf(visits->out, "%" PRIu64 " end\n", now);
    visits_end(visits);
    return true;
}

void visits_end(struct visits *visits)
{
    if (visits->out != NULL) {
        (void)fclose(visits->out);
    }
    free(visits->codes);
    visits->out = NULL;
    visits->codes = NULL;
    visits->code_count = 0;
}
