# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the bench `masked` found, and its file."""

from __future__ import annotations

from dataclasses import dataclass

from horolog_experiments.harness import Data

__all__ = ["DATA", "Masked", "Release", "Window"]


@dataclass(frozen=True, slots=True)
class Window:
    """The longest interrupts-off window of one call, and how many windows there were.

    `where` is the function that masks, or the handler; `of_handler` says which.
    """

    sleepers: int
    call: str
    windows: int
    longest: int
    where: str
    of_handler: bool


@dataclass(frozen=True, slots=True)
class Release:
    """The longest window of a described system; the handlers of its cells release its tasks."""

    kind: str
    mechanism: str
    store: str
    windows: int
    longest: int
    where: str


@dataclass(frozen=True)
class Masked:
    """All windows, and what they hold for."""

    windows: tuple[Window, ...]
    releases: tuple[Release, ...]
    platform: str
    toolchain: str

    @property
    def sizes(self) -> list[int]:
        """The numbers of sleepers measured, ascending."""
        return sorted({window.sleepers for window in self.windows})

    @property
    def calls(self) -> list[str]:
        """The calls that were measured, by name."""
        return sorted({window.call for window in self.windows})

    def longest(self, sleepers: int) -> Window:
        """The longest window of any call, without whole handlers, as the application chooses their length.

        KeyError if that number of sleepers was not measured.
        """
        found = [one for one in self.windows if one.sleepers == sleepers and not one.of_handler]
        if not found:
            raise KeyError(sleepers)
        return max(found, key=lambda window: window.longest)


DATA = Data(
    Masked,
    head=("platform", "toolchain"),
    lists=("windows", "releases"),
)
