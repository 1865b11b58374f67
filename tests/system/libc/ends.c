/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#ifdef PRINTED
#include <hrl/heap.h>
#include <stdio.h>

HRL_HEAP_DEFINE(4096); /* of which printf has a buffer */

static void at_exit(void)
{
    puts(" behind");
}
#endif

void step(void);

void step(void)
{
#ifdef ABORTS
    abort();
#endif
#ifdef PRINTED
    atexit(at_exit);
    printf("left");
#endif
    exit(3);
}
