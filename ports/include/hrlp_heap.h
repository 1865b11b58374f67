/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_HEAP_H
#define HRLP_HEAP_H

#include <hrl/heap.h>
#include <stddef.h>

extern const struct hrl_heap hrl_heap __attribute__((weak));

/*
 * What malloc of a C library asks a port for: `more` bytes of HRL_HEAP_DEFINE, or of what was taken that many back. Returns
 * where they begin; NULL if there is no heap, or not so much. To be included by one source of a program. Context: as malloc.
 */
static inline char *hrlp_heap_take(ptrdiff_t more)
{
    static char *end;

    if (end == NULL && &hrl_heap != NULL) {
        end = hrl_heap.low;
    }
    if (end == NULL || more > hrl_heap.high - end || more < hrl_heap.low - end) {
        return NULL;
    }
    end += more;
    return end - more;
}

#endif
