/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SEARCH_BITS_H
#define HRLP_SEARCH_BITS_H

/*
 * hrlp_cpu_highest_bit of a processor without an instruction for it, by halving: the compiler's library would be
 * charged to bodies (docs/adr/0009-overhead.md).
 */
static inline unsigned hrlp_cpu_highest_bit(uint32_t bits)
{
    unsigned number = (unsigned)(bits > 0xFFFFu) << 4;
    unsigned step;

    bits >>= number;
    step = (unsigned)(bits > 0xFFu) << 3;
    bits >>= step;
    number |= step;
    step = (unsigned)(bits > 0xFu) << 2;
    bits >>= step;
    number |= step;
    /* 0 to 15 are left: two bits of the result for each, in a word. */
    return number + ((0xFFFFAA50u >> (bits * 2u)) & 3u);
}

#endif
