/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_HEAP_H
#define HRL_HEAP_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The memory of malloc, which the kernel itself does not use:
 *
 *     HRL_HEAP_DEFINE(8192);
 *
 * at file scope, once in a program: so many bytes, a constant, where the board has its stacks. Without it, and beyond it, malloc
 * returns NULL on Cortex-M; on RISC-V the program ends, as by a broken promise (hrl/hooks.h), since errno has no memory there.
 * On AVR and the host malloc is their C library's alone, and this has no effect. Threads and handlers share one heap
 * without a lock (docs/guide/printf.md).
 */
struct hrl_heap {
    char *low;
    char *high;
};
extern const struct hrl_heap hrl_heap;

#define HRL_HEAP_DEFINE(bytes)                                                                     \
    static char hrli_heap[bytes] __attribute__((section(".hrl_stacks.heap"), aligned(8)));         \
    const struct hrl_heap hrl_heap = {hrli_heap, hrli_heap + sizeof hrli_heap}

#ifdef __cplusplus
}
#endif

#endif
