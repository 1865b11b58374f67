/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_irq.h"

HRLP_PER_CORE volatile uint32_t hrlp_sse200_dualtimer_wraps;

void hrlp_clock_start(void)
{
    struct hrlp_sse200_dualtimer_channel *slow = HRLP_SSE200_DUALTIMER(HRLP_SSE200_DUALTIMER_SLOW);
    struct hrlp_sse200_dualtimer_channel *clock =
        HRLP_SSE200_DUALTIMER(HRLP_SSE200_DUALTIMER_CLOCK);

    slow->control = clock->control = 0;
    clock->clear = 1;
    slow->load = clock->load = 0xFFFFFFFFu;
    slow->control =
        HRLP_SSE200_DUALTIMER_32_BITS | HRLP_SSE200_DUALTIMER_BY_256 | HRLP_SSE200_DUALTIMER_ENABLE;
    clock->control = HRLP_SSE200_DUALTIMER_32_BITS | HRLP_SSE200_DUALTIMER_INTERRUPT |
                     HRLP_SSE200_DUALTIMER_ENABLE;
    hrlp_clock_join();
}

void hrlp_clock_join(void)
{
    hrlp_irq_enable_at(HRLP_SSE200_DUALTIMER_LINE, HRLP_IRQ_OF_CELLS);
}
