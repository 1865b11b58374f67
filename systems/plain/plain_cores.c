/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cores.h"
#include "hrlp_cores.h"
#include "hrlp_upcalls.h"
#include "nanoseconds.h"
#include "slice_match.h"

/*
 * The systems of plain_on_core.c, together: what the kernel and the port call is that of the core that calls. The
 * build says PLAIN_HANDLERS: PLAIN_HANDLER(name) for each cell's handler.
 */
#if HRL_CORES == 2 /* as the preprocessor cannot count */
#define PLAIN_ON_CORES(OF, name) OF(name, 0) OF(name, 1)
#elif HRL_CORES == 4 /* likewise */
#define PLAIN_ON_CORES(OF, name) OF(name, 0) OF(name, 1) OF(name, 2) OF(name, 3)
#endif

#define PLAIN_SYSTEM_ON(name, core) HRLI_SYSTEM_ON(core)
#define PLAIN_OF_CORE(name, core) HRLI_OF_CORE(core)
PLAIN_ON_CORES(PLAIN_SYSTEM_ON, )
HRLI_SYSTEMS(PLAIN_ON_CORES(PLAIN_OF_CORE, ))
struct hrli_slice_match hrl_gen_slice_matches[HRL_CORES]; /* of the unified timing models */
HRLP_CONST struct hrli_clock_rate hrl_gen_clock_rate = HRLI_CLOCK_RATE(PLAIN_CLOCK_HZ);

#define PLAIN_NAME_ON(name, core) name##_on_##core,
#define PLAIN_SWITCH_ON(name, core) void *name##_on_##core(void *saved_stack_pointer);
#define PLAIN_SWITCH(name)                                                                         \
    PLAIN_ON_CORES(PLAIN_SWITCH_ON, name)                                                          \
    void *name(void *saved_stack_pointer)                                                          \
    {                                                                                              \
        static void *(*const of_core[HRL_CORES])(void *) = {PLAIN_ON_CORES(PLAIN_NAME_ON, name)};  \
                                                                                                   \
        return of_core[hrlp_core_number()](saved_stack_pointer);                                   \
    }
PLAIN_SWITCH(hrli_cpu_switch)
PLAIN_SWITCH(hrli_cpu_yield)

#define PLAIN_HANDLER_ON(name, core) void name##_on_##core(void);
#define PLAIN_HANDLER(name)                                                                        \
    PLAIN_ON_CORES(PLAIN_HANDLER_ON, name)                                                         \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
        static void (*const of_core[HRL_CORES])(void) = {PLAIN_ON_CORES(PLAIN_NAME_ON, name)};     \
                                                                                                   \
        of_core[hrlp_core_number()]();                                                             \
    }
PLAIN_HANDLERS
