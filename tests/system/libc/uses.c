/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <hrl/heap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* printf in the first job, malloc in the second, assert in the third. */
HRL_HEAP_DEFINE(4096);

void step(void);

static int made;

__attribute__((constructor)) static void make(void)
{
    made = -12;
}

static void take(void)
{
    char *first = malloc(100);
    char *second = malloc(1000);

    if (first != NULL && second != NULL) {
        memset(first, 1, 100);
        memset(second, 2, 1000);
        printf("%d %d\n", first[99], second[999]);
    }
    free(second);
    free(first);
    for (int i = 0; i < 1000; i++) { /* what is given back can be had again */
        free(malloc(2000));
    }
#ifdef EXHAUSTED
    printf("%s\n", malloc(5000) == NULL ? "too much" : "too much of it");
#endif
}

void step(void)
{
    static int round;

    round++;
    if (round == 1) {
        printf("%s %d %x\n", "printf", made, 0xbeefu);
    } else if (round == 2) {
        take();
    }
    assert(round < 3);
}
