/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINKED_POINTERS_H
#define HRLP_LINKED_POINTERS_H

/* hrlp_cpu.h of a processor that has linked loads of words, and pointers of a word. */

static inline void *hrlp_cpu_load_pointer_linked(void *const volatile *word)
{
    return (void *)hrlp_cpu_load_linked((const volatile uint32_t *)word);
}

static inline bool hrlp_cpu_store_pointer_linked(void *volatile *word, void *value)
{
    return hrlp_cpu_store_linked((volatile uint32_t *)word, (uint32_t)value);
}

#endif
