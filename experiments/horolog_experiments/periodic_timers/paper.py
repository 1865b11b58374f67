# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What Periodic Timers Revisited published, and the combinations that it measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = [
    "CLOCKS",
    "HANDLING_US",
    "INTERVALS_US",
    "LAMP_US",
    "PERIODIC",
    "PERIODS_US",
    "SINGLE_SHOT",
    "THREADS_US",
    "THREAD_PERIODS_US",
]

PERIODIC = "periodic"
SINGLE_SHOT = "single-shot"
CLOCKS = (7_200, 28_800, 115_200)
"""The timer clocks of Tables 1 and 2: 7,372,800 Hz by 1,024, 256 and 64."""
PERIODS_US = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)

INTERVALS_US: Mapping[tuple[str, int], Sequence[int]] = {
    (PERIODIC, 7_200): (277, 1_944, 10_138, 100_138, 1_000_138, 10_001_388),
    (PERIODIC, 28_800): (173, 1_214, 10_034, 100_034, 1_000_034, 10_000_346),
    (PERIODIC, 115_200): (147, 1_032, 10_008, 100_008, 1_000_016, 10_000_173),
    (SINGLE_SHOT, 7_200): (268, 1_240, 10_128, 100_128, 1_000_128, 10_138_457),
    (SINGLE_SHOT, 28_800): (164, 1_031, 10_059, 100_059, 1_000_094, 10_282_728),
    (SINGLE_SHOT, 115_200): (136, 1_031, 10_033, 100_036, 1_152_970, 10_921_704),
}
"""Tables 1 and 2: the mean of 10 intervals, for each of PERIODS_US."""

HANDLING_US: Mapping[tuple[str, bool], int] = {
    (PERIODIC, False): 14,
    (PERIODIC, True): 42,
    (SINGLE_SHOT, True): 212,
}
"""Table 3: what an interrupt takes; whether it releases the alarm."""

LAMP_US: Mapping[tuple[str, int], tuple[str, str]] = {
    (PERIODIC, 1_000): ("40.75", "1.72"),
    (PERIODIC, 500): ("40.51", "1.19"),
    (PERIODIC, 50): ("40.44", "0.97"),
    (SINGLE_SHOT, 0): ("40.52", "1.12"),
}
"""Figure 11: mean and standard deviation of a turn, by the timer's interrupts a second (0: no ticks)."""

THREAD_PERIODS_US = (10_000, 30_000, 60_000, 90_000, 120_000, 150_000)
THREADS_US: Mapping[int, tuple[int, int, int, int]] = {
    2: (81, 111, 63, 23),
    3: (84, 117, 63, 25),
    4: (91, 178, 63, 36),
    5: (97, 190, 63, 41),
    6: (107, 263, 63, 55),
}
"""Table 4: average, greatest, least, standard deviation of the interrupt, by the number of threads."""
