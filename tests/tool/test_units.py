# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horolog.read.units import (
    DURATION_PATTERN,
    FREQUENCY_PATTERN,
    PERIOD_PATTERN,
    UNITS,
    about_duration_text,
    duration_text,
    frequency_text,
    parse_duration,
    parse_frequency,
    parse_period,
)

units = st.sampled_from(sorted(UNITS))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5 ms", Fraction(5, 1000)),
        ("2.5 us", Fraction(25, 10**7)),
        ("1/3 ms", Fraction(1, 3000)),
        ("59 ms", Fraction(59, 1000)),
        ("1 s", Fraction(1)),
        ("100 ns", Fraction(1, 10**7)),
        ("1 min", Fraction(60)),
        ("5ms", Fraction(5, 1000)),
        ("+5 ms", Fraction(5, 1000)),
        ("0.1 s", Fraction(1, 10)),
        ("2.5 \u00b5s", Fraction(25, 10**7)),  # the micro sign
        ("2.5 \u03bcs", Fraction(25, 10**7)),  # the Greek letter, which some keyboards write for it
        ("2.50\u202f\u00b5s", Fraction(25, 10**7)),  # as a report has it
        ("5\u00a0ms", Fraction(5, 1000)),
    ],
)
def test_a_duration_is_exact(text: str, seconds: Fraction) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5", "a duration needs a unit"),
        ("1/3", "a duration needs a unit"),
        ("0 ms", "a duration of zero"),
        ("-5 ms", "a negative duration"),
        ("-1/3 s", "a negative duration"),
        ("1/0 s", "a duration cannot divide by zero"),
        ("ms", "not a duration"),
        ("", "not a duration"),
        ("soon", "not a duration"),
        ("1.2.3 ms", 'not a duration: "1.2.3" is not a number'),
        ("5 msec", '"msec" is not a unit of time; did you mean "ms"?'),
        ("5 MS", '"MS" is not a unit of time; did you mean "ms"?'),
        ("5 \u00b5S", '"\u00b5S" is not a unit of time; did you mean "\u00b5s"?'),
        ("5 usec", '"usec" is not a unit of time; did you mean "us"?'),
        ("5 kHz", '"kHz" is not a unit of time'),
        ("5 parsecs", '"parsecs" is not a unit of time'),
        ("1e3 ms", '"e3 ms" is not a unit of time'),
        ("101 years", '"years" is not a unit of time'),
        ("999999999999999 s", "a duration beyond a hundred years"),
        ("\u0665 ms", "not a duration"),  # an Arabic five: digits are 0 to 9
    ],
)
def test_what_is_no_duration_says_why(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        parse_duration(text)


def test_zero_is_a_duration_where_it_is_allowed() -> None:
    assert parse_duration("0 ms", zero=True) == 0
    with pytest.raises(ValueError, match="negative"):
        parse_duration("-1 ms", zero=True)


@given(st.integers(1, 10**9), units)
def test_whole_numbers_of_every_unit(number: int, unit: str) -> None:
    if number * UNITS[unit] < 10**9:
        assert parse_duration(f"{number} {unit}") == number * UNITS[unit]


@given(st.integers(1, 10**6), st.integers(1, 10**6), units)
def test_fractions_stay_exact(numerator: int, denominator: int, unit: str) -> None:
    parsed = parse_duration(f"{numerator}/{denominator} {unit}")
    assert parsed == Fraction(numerator, denominator) * UNITS[unit]


@given(st.decimals("0.000001", "999999", places=6), units)
def test_decimals_are_not_rounded(number: object, unit: str) -> None:
    assert parse_duration(f"{number:f} {unit}") == Fraction(str(number)) * UNITS[unit]


@pytest.mark.parametrize(
    ("text", "hz"),
    [
        ("25 MHz", 25_000_000),
        ("32.768 kHz", 32_768),
        ("1\u202fkHz", 1000),
        ("60Hz", 60),
        ("1 GHz", 10**9),
        ("1/3 Hz", Fraction(1, 3)),
    ],
)
def test_a_frequency_is_exact(text: str, hz: Fraction) -> None:
    assert parse_frequency(text) == hz
    assert parse_period(text) == 1 / Fraction(hz)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("25", "a frequency needs a unit"),
        ("25 mhz", '"mhz" is not a unit of frequency; did you mean "MHz"?'),
        ("25 khZ", '"khZ" is not a unit of frequency; did you mean "kHz"?'),
        ("25 ms", '"ms" is not a unit of frequency'),
        ("0 Hz", "a frequency of zero"),
        ("-1 Hz", "a negative frequency"),
        ("1/0 Hz", "a frequency cannot divide by zero"),
        ("fast", "not a frequency"),
    ],
)
def test_what_is_no_frequency_says_why(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        parse_frequency(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 parsec", '"parsec" is not a unit of time or frequency'),
        ("0 Hz", "a frequency of zero"),
        ("-1 kHz", "a negative frequency"),
        ("0 ms", "a duration of zero"),
        ("1/999999999999999999 Hz", "a duration beyond a hundred years"),
    ],
)
def test_what_is_no_period_says_why(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        parse_period(text)


@given(st.integers(1, 10**12))
def test_the_text_of_a_frequency_reads_back(hz: int) -> None:
    text = frequency_text(hz)
    if hz % 10**3 == 0 or hz < 10**6:
        assert parse_frequency(text) == hz
    assert abs(parse_frequency(text.replace(",", "")) - hz) <= Fraction(hz, 10**5)


@pytest.mark.parametrize(
    ("hz", "text"),
    [
        (1, "1 Hz"),
        (999, "999 Hz"),
        (1000, "1 kHz"),
        (32_768, "32.768 kHz"),
        (10**6, "1 MHz"),
        (Fraction(10**6), "1 MHz"),
        (25_000_000, "25 MHz"),
        (Fraction(10**9, 7), "142.857 MHz"),
        (Fraction(1, 2), "0.5 Hz"),
        (Fraction(1, 3), "0.333333 Hz"),
    ],
)
def test_frequencies_are_in_a_fitting_unit(hz: Fraction, text: str) -> None:
    assert frequency_text(hz) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (Fraction(1, 10**6), "1 us"),
        (Fraction(2), "2 s"),
        (Fraction(2**30, 25_000_000), "42.9 s"),
        (Fraction(1, 3000), "333 us"),
        (Fraction(-1, 3000), "-333 us"),
        (Fraction(300_000), "300000 s"),
    ],
)
def test_a_rounded_duration_is_never_in_powers_of_ten(seconds: Fraction, text: str) -> None:
    assert about_duration_text(seconds) == text


@given(st.fractions(min_value=Fraction(1, 10**12), max_value=10**9, max_denominator=10**15))
def test_the_text_of_a_duration_reads_back(seconds: Fraction) -> None:
    text = duration_text(seconds)
    if all(len(digits) <= 18 for digits in re.findall(r"\d+", text)):
        assert parse_duration(text) == seconds


@given(st.text(max_size=30))
def test_any_text_is_a_duration_or_a_message(text: str) -> None:
    try:
        assert parse_duration(text) > 0
    except ValueError as error:
        assert str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("pattern", "parse"),
    [
        (DURATION_PATTERN, parse_duration),
        (FREQUENCY_PATTERN, parse_frequency),
        (PERIOD_PATTERN, parse_period),
    ],
)
@given(data=st.data())
def test_what_the_schema_takes_the_parser_takes(
    pattern: str, parse: Callable[[str], Fraction], data: st.DataObject
) -> None:
    """Except for what a pattern cannot see: zero, and more than a hundred years."""
    try:
        parse(data.draw(st.from_regex(pattern, fullmatch=True)))
    except ValueError as error:
        assert "zero" in str(error) or "hundred years" in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (Fraction(0), "0 ms"),
        (Fraction(1, 400), "2.5 ms"),
        (Fraction(1, 3000), "1000/3 us"),
        (Fraction(1, 10**5), "10 us"),
        (Fraction(120), "120 s"),
        (Fraction(-1, 1000), "-1 ms"),
        (Fraction(1, 2 * 10**9), "0.5 ns"),
    ],
)
def test_durations_are_shown_in_the_unit_that_fits(seconds: Fraction, text: str) -> None:
    assert duration_text(seconds) == text
