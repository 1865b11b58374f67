/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ending.h"
#include "check.h"
#include "hrlp_irq.h"
#include "line_state.h"
#include "overrun.h"
#include "resource_check.h"
#include <stddef.h>

/* On the stack of a job that may end, while it runs. */
struct ending {
    void *place[5]; /* the compiler's */
    const struct hrl_basic *volatile chained;
    struct ending *outer;            /* of the job that this one interrupted */
    const struct hrl_resource *held; /* when it began; with checks only */
};

static struct ending *volatile innermost;

/* The compiler saves what the caller wants kept, as it knows that the second return keeps nothing. */
__attribute__((noinline)) const struct hrl_basic *hrli_ending_run(const struct hrl_basic *task)
{
    struct ending ending; /* not initialised as a whole: that is a call of memset */

    ending.chained = NULL;
    ending.outer = innermost;
    if (HRL_CHECKS) {
        ending.held = hrli_resource_held;
    }
    innermost = &ending;
    if (__builtin_setjmp(ending.place) == 0) {
        HRLP_CONST_AT(task)->body();
    }
    innermost = innermost->outer;
    return ending.chained;
}

/* A function of its own, as GCC wants it in another function than the place. */
static __attribute__((noinline)) _Noreturn void leave(const struct hrl_basic *chained)
{
    innermost->chained = chained;
    __builtin_longjmp(innermost->place, 1);
}

/* `call`: its name, a literal. */
#define CHECK_END(call)                                                                            \
    do {                                                                                           \
        HRLI_CHECK(may_end(), call ": for basic tasks that may end early");                        \
        hrli_resource_check_end(innermost->held);                                                  \
    } while (false)

static inline bool may_end(void)
{
    const struct hrl_basic *self = hrl_basic_current();

    return self != NULL && HRLP_CONST_AT(self)->may_end;
}

void hrl_basic_terminate(void)
{
    CHECK_END("hrl_basic_terminate");
    leave(NULL);
}

/* The lock holds until the caller's line has ended its job and begun the other. */
enum hrl_status hrl_basic_chain(const struct hrl_basic *task)
{
    CHECK_END("hrl_basic_chain");
    (void)hrlp_irq_lock();
    if (task != hrl_basic_current() && hrli_line_is_full(task)) {
        hrli_basic_overrun(task);
        hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
        return HRL_FULL;
    }
    leave(task);
}
