/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_TIME_H
#define HRL_TIME_H

#include <hrl/objects.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The present instant in counts, 64 bits, monotone. 0 until the kernel has started its clock.
 * Context: a thread, an interrupt up to the kernel's priority, as the upper half is kept by one of
 * them. Cost: constant.
 */
hrl_counts hrl_now(void);

/*
 * The present instant in nanoseconds since the clock started. Context and cost: as hrl_now, and a
 * conversion.
 */
uint64_t hrl_now_ns(void);

/*
 * Between counts of the board's clock and nanoseconds: exact arithmetic rounded down (within 2^-64
 * of the value), so the error is below one count, and monotone. Ranges: results and values below
 * 2^63, more than 100 years. Context: any. Cost: constant, six multiplications.
 */
uint64_t hrl_counts_to_ns(hrl_counts counts);
hrl_counts hrl_ns_to_counts(uint64_t ns);

/*
 * Constant spans in counts, for calls that wait: rounded up, so that no call waits for less.
 *
 *     hrl_thread_sleep_for(HRL_MS(10));
 *
 * They convert when the program is compiled, by HRL_CLOCK_HZ, the rate of the board's clock:
 * horolog_application and the tool define it (-DHRL_CLOCK_HZ=25000000). With a value that is no
 * constant they divide at run time. The argument is an integer, and evaluated more than once.
 */
#define HRL_S(s) ((hrl_counts)(s)*HRL_CLOCK_HZ)
#define HRL_MS(ms) HRLI_COUNTS_OF(ms, 1000u)
#define HRL_US(us) HRLI_COUNTS_OF(us, 1000000u)
#define HRL_NS(ns) HRLI_COUNTS_OF(ns, 1000000000u)

/* n / d seconds, rounded up. */
#define HRLI_COUNTS_OF(n, d)                                                                       \
    ((hrl_counts)(n) / (d)*HRL_CLOCK_HZ + ((hrl_counts)(n) % (d)*HRL_CLOCK_HZ + ((d)-1u)) / (d))

/*
 * An exact period, for what repeats: its k-th multiple is rounded, not each one, so that nothing
 * drifts. At least one count, less than 2^61.
 *
 *     hrl_alarm_start_periodic(&frame, hrl_now(), HRL_PERIOD_HZ(60), HRL_ALARM_FOREVER);
 */
typedef struct hrli_period hrl_period;

#define HRL_PERIOD_COUNTS(counts) HRL_PERIOD_RATIO(counts, 1u)
#define HRL_PERIOD_HZ(hz) HRL_PERIOD_RATIO(HRL_CLOCK_HZ, hz) /* that often a second */
#define HRL_PERIOD_MS(ms) HRL_PERIOD_NS((uint64_t)(ms)*1000000u)
#define HRL_PERIOD_US(us) HRL_PERIOD_NS((uint64_t)(us)*1000u)
#define HRL_PERIOD_NS(ns)                                                                          \
    HRLI_PERIOD_OF((uint64_t)(ns) / 1000000000u * HRL_CLOCK_HZ +                                   \
                       (uint64_t)(ns) % 1000000000u * HRL_CLOCK_HZ / 1000000000u,                  \
                   (uint64_t)(ns) % 1000000000u * HRL_CLOCK_HZ % 1000000000u, 1000000000u)

/* numerator / denominator counts; the denominator is below 2^31. */
#define HRL_PERIOD_RATIO(numerator, denominator)                                                   \
    HRLI_PERIOD_OF((uint64_t)(numerator) / (denominator), (uint64_t)(numerator) % (denominator),   \
                   denominator)

/* whole + n / d counts. */
#ifdef __cplusplus
#define HRLI_PERIOD_OF(whole, n, d)                                                                \
    (hrli_period{(uint32_t)(((whole)-1u) % 0x40000000u) + 1u, (uint32_t)(((whole)-1u) >> 30),      \
                 (uint32_t)(n), (uint32_t)(d), 0})
#else
#define HRLI_PERIOD_OF(whole, n, d)                                                                \
    ((struct hrli_period){(uint32_t)(((whole)-1u) % 0x40000000u) + 1u,                             \
                          (uint32_t)(((whole)-1u) >> 30), (uint32_t)(n), (uint32_t)(d), 0})
#endif

#ifdef __cplusplus
}
#endif

#endif
