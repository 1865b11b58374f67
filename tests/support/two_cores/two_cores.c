/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "two_cores.h"
#include <string.h>

unsigned two_cores_number;
unsigned two_cores_rings[HRL_CORES];
unsigned two_cores_locks;
bool two_cores_locked;
bool two_cores_spun[HRLP_LOCKS];
void (*two_cores_after_lock)(void);
size_t two_cores_object_bytes;
static struct hrli_core kept[HRL_CORES];
static struct hrl_thread idle[HRL_CORES];

void *two_cores_object(void *own, unsigned core)
{
    if (own != &hrli_core) {
        assert(two_cores_object_bytes != 0);
        return (char *)own + two_cores_object_bytes * core -
               two_cores_object_bytes * two_cores_number;
    }
    return core == two_cores_number ? own : (void *)&kept[core];
}

void two_cores_deliver(unsigned core)
{
    hrli_core.woken = kept[core].woken;
    kept[core].woken.first = NULL;
    hrli_core.changed = kept[core].changed;
    kept[core].changed = NULL;
    hrli_core.asked = kept[core].asked;
    kept[core].asked.first = NULL;
    hrli_core.has_changes = kept[core].has_changes;
    kept[core].has_changes = false;
}

void two_cores_on(unsigned number)
{
    memcpy(&kept[two_cores_number], &hrli_core, sizeof hrli_core);
    two_cores_number = number;
    memcpy(&hrli_core, &kept[number], sizeof hrli_core);
}

void two_cores_reset(void)
{
    hrlp_host_reset();
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
    memset(two_cores_rings, 0, sizeof two_cores_rings);
    two_cores_locks = 0;
    two_cores_after_lock = NULL;
    for (unsigned core = HRL_CORES; core-- > 0;) {
        two_cores_on(core);
        memset(&hrli_core, 0, sizeof hrli_core);
        hrli_core_prepare();
        idle[core] = (struct hrl_thread){.core = (hrli_number)core};
        hrli_ready_add(&hrli_core.ready, &idle[core].ready);
        hrli_core.running = &idle[core];
    }
}
