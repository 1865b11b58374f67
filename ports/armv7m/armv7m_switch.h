/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_ARMV7M_SWITCH_H
#define HRLP_ARMV7M_SWITCH_H

#include "cortex_m_taken_over.h"
#include "hrlp_lines_controller.h"
#include <stdint.h>

#ifndef HRLP_ARMV7M_EXC_RETURN /* to a thread, on the process stack, without a frame of a floating-point unit */
#define HRLP_ARMV7M_EXC_RETURN 0xFFFFFFFDu
#endif

/*
 * The two forms of the switch, of which the build takes one: switch.c and yield.c for processors
 * without a floating-point unit, switch_fpu.c and yield_fpu.c for those with one. The first of each
 * defines PendSV_Handler, the lowest-priority exception: it runs when all handlers are done and all
 * releases are in; the second SVC_Handler, of the same priority, by which a thread yields. That
 * lies in a library of which only what is asked for is linked; hrlp_cpu_yield asks by the name
 * hrlp_svc, as of the other the vector table has a weak one already.
 */

/*
 * The handler that switches to the thread that `choose` returns; then with the floating-point unit.
 */
#define HRLP_ARMV7M_SWITCH(choose)                                                                 \
    HRLP_CORTEX_M_TAKE_OVER                                                                        \
    "mrs r0, psp\n\t"                                                                              \
    "stmdb r0!, {r4-r11, lr}\n\t"                                                                  \
    "bl " choose "\n\t"                                                                            \
    "ldmia r0!, {r4-r11, lr}\n\t"                                                                  \
    "msr psp, r0\n\t" HRLP_CORTEX_M_LEAVE
#define HRLP_ARMV7M_SWITCH_FPU(choose)                                                             \
    HRLP_CORTEX_M_TAKE_OVER                                                                        \
    "mrs r0, psp\n\t"                                                                              \
    "tst lr, #0x10\n\t"                                                                            \
    "it eq\n\t"                                                                                    \
    "vstmdbeq r0!, {s16-s31}\n\t"                                                                  \
    "stmdb r0!, {r4-r11, lr}\n\t"                                                                  \
    "bl " choose "\n\t"                                                                            \
    "ldmia r0!, {r4-r11, lr}\n\t"                                                                  \
    "tst lr, #0x10\n\t"                                                                            \
    "it eq\n\t"                                                                                    \
    "vldmiaeq r0!, {s16-s31}\n\t"                                                                  \
    "msr psp, r0\n\t" HRLP_CORTEX_M_LEAVE

#endif
