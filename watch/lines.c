/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#include "watch/lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 8192 };

bool watch_read_lines(const char *path, watch_line_reader *read, void *context, char *why,
                      size_t size)
{
    char line[MOST_BYTES];
    FILE *file = fopen(path, "r");
    bool usable = true;

    if (file == NULL) {
        (void)snprintf(why, size, "%s: cannot be read", path);
        return false;
    }
    while (usable && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        usable = read(context, line);
    }
    (void)fclose(file);
    if (!usable) {
        (void)snprintf(why, size, "%s: cannot use this line: %s", path, line);
    }
    return usable;
}

const char *watch_behind(const char *line, const char *word, uint64_t *numbers, size_t count)
{
    const char *at = line + strlen(word);

    if (strncmp(line, word, strlen(word)) != 0) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        char *end;

        if (at[0] != ' ' || !isdigit((unsigned char)at[1])) {
            return NULL;
        }
        numbers[i] = strtoull(at + 1, &end, 0);
        at = end;
    }
    return at[0] == '\0' ? at : at[0] == ' ' ? at + 1 : NULL;
}

bool watch_is_line(const char *line, const char *word, uint64_t *numbers, size_t count)
{
    const char *rest = watch_behind(line, word, numbers, count);

    return rest != NULL && rest[0] == '\0';
}

void *watch_grown(void *array, size_t *count, size_t size)
{
    char *grown = (char *)realloc(array, (*count + 1) * size);

    if (grown == NULL) {
        abort();
    }
    memset(grown + *count * size, 0, size);
    (*count)++;
    return grown;
}
