# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which board a project is for, by each of the names that it may have; and what is near a wrong one."""

from __future__ import annotations

import pytest

from horolog.model import HorologError
from horolog.project import chosen_board


def test_a_board_that_comes_with_horolog_needs_no_files() -> None:
    found = chosen_board("microbit")
    assert (found.name, found.reference, found.files, found.part) == (
        *("microbit", "microbit"),
        {},
        None,
    )


@pytest.mark.parametrize("name", ["nucleo-f446re", "Nucleo-F446RE"])
def test_a_kit_that_comes_with_horolog_is_that_board(name: str) -> None:
    found = chosen_board(name)
    assert (found.reference, found.files) == ("nucleo-f446re", {})


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("nucleo-f411re", "STM32F411RE"),
        ("Nucleo-F411RE", "STM32F411RE"),
        ("nucleo-u575zi-q", "STM32U575ZI"),  # the letter behind is its power supply's
        ("STM32F405RG", "STM32F405RG"),
        ("stm32f446ret6", "STM32F446RE"),  # an order code
    ],
)
def test_a_kit_or_a_part_is_written(name: str, part: str) -> None:
    found = chosen_board(name)
    assert found.part is not None
    assert found.part.name == part
    assert found.reference == f"./boards/{name.lower()}"
    assert f'name = "{name.lower()}"' in found.files[f"boards/{name.lower()}/board.toml"]


@pytest.mark.parametrize(
    ("name", "message", "expected"),
    [
        ("microbitt", 'unknown board or part "microbitt"', "microbit; or else a board"),
        ("mps2-an358", "unknown board or part", "mps2-an385"),
        ("nukleo-f446re", "unknown board or part", "nucleo-f446re"),
        ("toaster", "unknown board or part", "a board (horolog boards), an ST kit"),
        ("nucleo-", "unknown board or part", "an ST kit such as nucleo-f446re"),
        ("stm32f446rx", 'unknown part "stm32f446rx"', "STM32F446R"),
        ("nucleo-f446rr", '"nucleo-f446rr" has a chip that is not known', "STM32F446RE"),
        ("stm32f407", '"stm32f407" is not a whole part number', "STM32F407IE, STM32F407IG"),
        ("nucleo-h745zi-q", "has a chip that is not known", "STM32H745ZI-CM4 or STM32H745ZI-CM7"),
    ],
)
def test_a_wrong_name_gets_those_that_are_near(name: str, message: str, expected: str) -> None:
    with pytest.raises(HorologError) as error:
        chosen_board(name)
    assert message in error.value.message
    assert f'"{name}"' in str(error.value)
    assert expected in (error.value.expected or "")
