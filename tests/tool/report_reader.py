# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reads a report's page for the tests, and checks that its elements close in order."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from html.parser import HTMLParser

from tests.tool.report_fixture import (
    chronos,
    measured,
    stock,
)

from horolog.model.plan import Planned
from horolog.model.result import Result
from horolog.model.system import System
from horolog.report import page
from horolog.report.packing import pack
from horolog.trace import Trace, jobs, segments

VOID = {"meta", "link", "br", "img", "input", "hr", "path"}


class Reader(HTMLParser):
    """Collects what the tests ask for, and checks that elements close in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text: list[str] = []
        self.data_block = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            if data.startswith("{"):
                self.data_block = data
        elif "style" not in self.open:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


@cache
def run() -> tuple[System, Result, Planned, Trace, Trace]:
    target = chronos(60, Fraction(1, 5))
    return target, *measured(target)


@cache
def report() -> str:
    target, result, planned, ours, theirs = run()
    return page(result, planned, target, ours, stock(theirs))


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def pack_of(trace: Trace, target: System) -> str:
    return pack(jobs(trace, target), segments(trace), list(trace.interrupts()))
