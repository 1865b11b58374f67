/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TWO_CORES_H
#define TWO_CORES_H

#include "core.h"
#include "hrlp_cores.h"

/*
 * Which of the two cores runs. hrli_core is at one address on both; what the core that does not run has there is kept
 * elsewhere meanwhile, so its pointers into itself hold while it runs.
 */

/* From now on the test is core `number`. */
void two_cores_on(unsigned number);

/*
 * Both cores have nothing ready but the idle thread, core 0 runs, interrupts are on, nothing has rung, no lock was
 * taken.
 */
void two_cores_reset(void);

/*
 * What else exists once a core is an array in the test, an element a core, each so many bytes; the address of
 * a core's own is that of its element.
 */
extern size_t two_cores_object_bytes;

static inline struct hrli_core *two_cores_of(unsigned core)
{
    return hrlp_core_object(&hrli_core, core);
}

#endif
