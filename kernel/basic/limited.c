/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "limited.h"
#include "hrlp_irq.h"
#include <stddef.h>

/* The cell of `of` has no task left on its line, and is stopped if it was the last such line. */
static void line_end(const struct hrli_limited *of)
{
    hrlp_irq_state state = hrlp_irq_lock();
    uint32_t alive = *of->alive & ~of->line;

    *of->alive = alive;
    if (alive == 0) {
        of->stop();
    }
    hrlp_irq_unlock(state);
}

void hrli_limited_last(uint32_t *left, const struct hrli_limited *of, void (*body)(void))
{
    if (*left == 0) {
        return;
    }
    *left = 0;
    if (of != NULL) {
        uint32_t ended = of->ends->ended | of->bit;

        of->ends->ended = ended;
        if ((of->all & ~ended) == 0) {
            line_end(of);
        }
    }
    body();
}
