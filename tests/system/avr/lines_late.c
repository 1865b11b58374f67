/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/basic.h>
#include <hrl/interrupt.h>
#include <hrl/time.h>

/*
 * A basic task, and interrupts that are masked for HALVES half periods of it: by its own third job, so that the
 * releases meanwhile are overruns; or by the first job of a thread, so that the first one of these waits, and the
 * others are overruns. PERIOD is in counts. Then all is as before: no instant is lost, and none counted twice.
 */
extern const struct hrl_basic hrl_gen_basic[];
void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);
void late(void);
void other(void);

enum { JOBS = 7, EARLIEST = 500 }; /* counts that the first job may be later than another */

static uint32_t jobs, first;

static void mask(void)
{
    hrl_interrupt_state state = hrl_interrupt_lock();
    hrl_counts begin = hrl_now();

    while (hrl_now() - begin < PERIOD * HALVES / 2u) {
    }
    hrl_interrupt_unlock(state);
}

#if BY_THREAD
void masks(void);
void masks(void)
{
    static uint8_t times;

    if (times++ == 0) {
        mask();
    }
}
#endif

void other(void) {}

void late(void)
{
    uint32_t now = (uint32_t)hrl_now();

    if (jobs == 0) {
        first = now;
    } else if (!(BY_THREAD && jobs == 1) && (now - first + EARLIEST) % PERIOD > 2u * EARLIEST) {
        hrlp_cpu_print("not in phase\n");
        hrlp_cpu_halt(1);
    }
    if (jobs == 2 && !BY_THREAD) {
        mask();
    }
    if (++jobs == JOBS) {
        uint32_t overruns = hrl_basic_overruns(&hrl_gen_basic[LATE]);
        uint32_t instants = (now - first + EARLIEST) / PERIOD;

        if (instants != JOBS - 1u + overruns) {
            hrlp_cpu_print("not each once\n");
        } else {
            hrlp_cpu_print(overruns == OVERRUNS ? "made up for\n" : "in phase\n");
        }
        hrlp_cpu_halt(0);
    }
}
