# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reads a board's costs.toml into its prices (costs.py)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from horolog.data import data_root
from horolog.figures import number as number_text
from horolog.model import (
    QUEUES,
    STORES,
    Board,
    CostsOrigin,
    HorologError,
    Mode,
    Place,
)
from horolog.plan.prices.basic_costs import BASIC_STEPS, NEW_BASIC_STEPS, RELEASE_METHODS
from horolog.plan.prices.budget_costs import BUDGET_MEANING, BUDGET_WAYS, BudgetCosts
from horolog.plan.prices.costs import NEW_COSTS, NOTHING, Cooperation, Costs, Prices, SharingCosts
from horolog.plan.prices.curves import LINE_OVER, OVER, SHAPES, Curve, Point, QueueCosts
from horolog.plan.prices.expiry_costs import EXPIRY_STEPS, POINT_MEANING, ExpiryCosts
from horolog.plan.prices.group_costs import LineQueueCosts
from horolog.plan.prices.handler_costs import HANDLER_STEPS, HandlerCosts
from horolog.plan.prices.size_costs import BasicSizes, SizeCosts, ThreadSizes
from horolog.plan.prices.static_costs import STEP_STORES, STEPS, StepCosts, new_steps
from horolog.read.costs_file import costs_path, is_shipped
from horolog.read.document import Loc, read_document
from horolog.read.problems import did_you_mean, listed, shown

__all__ = ["read_prices"]

_NONE = Fraction(0)


def read_prices(board: Board) -> Prices:
    """The costs of `board`: from the user's own costs.toml, else from the board's.

    NOTHING where no instructions are counted. Values are TOML integers, decimals, or strings such as
    "91/2"; all are read exactly. HorologError if the file is missing or says something impossible, with
    the line and the key.
    """
    if board.runner.ns_per_step is None:
        return NOTHING
    path = costs_path(board)
    try:
        raw = path.read_bytes()
    except OSError:
        return _Reader(board, path).prices()  # which says so
    return _known(board, path, raw)


@lru_cache(maxsize=16)
def _known(board: Board, path: Path, raw: bytes) -> Prices:
    """The prices of a file that holds `raw`: a command asks for them several times."""
    del raw  # it only tells one content of the file from another
    return _Reader(board, path).prices()


class _Reader:
    def __init__(self, board: Board, path: Path) -> None:
        self._board = board
        self._path = path
        self._by = f"a file written by: horolog calibrate {board.name}"

    def prices(self) -> Prices:
        if not self._path.is_file():
            raise HorologError(
                f"board {self._board.name} has no costs.toml: what the kernel costs there is not known",
                place=Place(str(self._path)),
                expected=self._by,
            )
        self._document = read_document(self._path)
        self._data = tomllib.loads(self._path.read_text(encoding="utf-8-sig"), parse_float=_exact)
        costs = self._table("costs")
        known = [f.name for f in fields(Costs) if f.name not in NEW_COSTS or f.name in costs]
        return Prices(
            Costs(
                **{
                    name: self._number(costs, "costs", name, negative=name in NEW_COSTS)
                    for name in known
                }
            ),
            self._queues(),
            self._stores(),
            self._cooperation("cooperation"),
            self._cooperation("cooperation-by-queue"),
            self._sharing(),
            self._basic(),
            self._line_queues(),
            {mode: self._cells("costs", "cell", mode.value) for mode in Mode}
            if "cell" in costs
            else {},
            self._origin(),
            self._handlers(),
            self._sizes("flash"),
            self._sizes("variables"),
            self._cells("costs", "deadline"),
            self._cells("costs", "own-deadline"),
            self._cells("costs", "own-deadline-alone"),
            self._cells("costs", "dispatched"),
            self._cells("costs", "moving-deadline"),
            self._budgets(),
            self._expiries(),
            self._points(),
        )

    def _table(self, *loc: str) -> dict[str, Any]:
        value: Any = self._data
        for step in loc:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, dict):
            return value
        name = ".".join(loc)
        raise HorologError(
            f"no [{name}] table",
            place=self._document.place(*loc),
            found=None if value is None else shown(value),
            expected=self._by,
        )

    def _queues(self) -> dict[str, QueueCosts]:
        if "queue" not in self._data:
            return {}
        table = self._table("queue")
        for name in table:
            self._check_name("queue", name, QUEUES)
        self._table("queue", QUEUES[0])  # the others are compared with it
        return {name: self._queue(name) for name in QUEUES if name in table}

    def _check_name(self, table: str, name: str, known: tuple[str, ...]) -> None:
        if name in known:
            return
        near = did_you_mean(name, known)
        raise HorologError(
            f'unknown {table} "{name}"' + (f'; did you mean "{near}"?' if near else ""),
            place=self._document.place(table, name, key=True),
            found=name,
            expected=f"one of {listed(known)}",
        )

    def _stores(self) -> dict[str, StepCosts]:
        if "store" not in self._data:
            return {}
        tables = self._table("store")
        for name in tables:
            self._check_name("store", name, STEP_STORES)
        return {name: self._steps(name) for name in STEP_STORES if name in tables}

    def _basic(self) -> dict[str, StepCosts]:
        if "basic" not in self._data:
            return {}
        tables = self._table("basic")
        for name in tables:
            self._check_name("basic", name, RELEASE_METHODS)
        return {
            name: replace(
                self._step_costs(("basic", name), modes, NEW_BASIC_STEPS),
                cells={mode: self._cells("basic", name, mode.value, "cell") for mode in modes},
            )
            for name in RELEASE_METHODS
            if name in tables
            for modes in [self._modes(name)]
        }

    def _modes(self, method: str) -> dict[Mode, tuple[str, ...]]:
        """The modes of a release method; moved cells, which few boards have, only if the file has them."""
        known = self._table("basic", method)
        return {
            mode: steps
            for mode, steps in BASIC_STEPS[method].items()
            if (method, mode) != ("none", Mode.ONE_SHOT) or mode.value in known
        }

    def _line_queues(self) -> dict[str, LineQueueCosts]:
        if "line-queue" not in self._data:
            return {}
        tables = self._table("line-queue")
        for name in tables:
            self._check_name("line-queue", name, QUEUES)
        return {name: self._line_queue(name) for name in QUEUES if name in tables}

    def _line_queue(self, name: str) -> LineQueueCosts:
        loc = ("line-queue", name)
        table = self._table(*loc)
        over = _over(table)
        if over not in LINE_OVER:
            raise self._wrong((*loc, "over"), over, _one_of(LINE_OVER))
        return LineQueueCosts(
            over,
            self._number(table, *loc, "interrupt", negative=True),
            Curve(tuple(self._line_queue_points(table.get("release"), (*loc, "release")))),
            self._slot_walk(table, *loc),
        )

    def _slot_walk(self, table: dict[str, Any], *loc: str) -> Fraction:
        """Not in files of earlier versions, which have it in the curve; of a wheel only."""
        return self._number(table, *loc, "slot_walk") if "slot_walk" in table else _NONE

    def _line_queue_points(self, rows: Any, loc: Loc) -> Iterator[Point]:
        if not isinstance(rows, list) or not rows:
            raise self._wrong(loc, rows, "at least one [x, release], in instructions")
        least: Fraction | None = None
        for index, row in enumerate(rows):
            if not isinstance(row, list) or len(row) != 2:
                raise self._wrong((*loc, index), row, "[x, release]")
            x = self._value(row[0], (*loc, index, 0))
            if least is not None and x <= least:
                ascending = f"more than {number_text(least)}: x ascends"
                raise self._wrong((*loc, index, 0), row[0], ascending)
            least = x
            yield Point(x, self._value(row[1], (*loc, index, 1), negative=True), _NONE, _NONE)

    def _cells(self, *loc: str) -> dict[str, Fraction]:
        """What an interrupt costs more by the cell's device, where the file says so."""
        if loc[-1] not in self._table(*loc[:-1]):
            return {}
        table, known = self._table(*loc), {cell.device for cell in self._board.cells}
        for name in table:
            if name not in known:
                raise self._wrong((*loc, name), name, f"a cell's device: {listed(sorted(known))}")
        return {name: self._number(table, *loc, name, negative=True) for name in table}

    def _budgets(self) -> dict[tuple[str, str], BudgetCosts]:
        """Not in files of earlier versions, nor of boards without budgets."""
        if "budget" not in self._data:
            return {}
        ways, known = self._table("budget"), {cell.device for cell in self._board.cells}
        found = {}
        for way in ways:
            self._check_name("budget", way, BUDGET_WAYS)
            for device in self._table("budget", way):
                loc = ("budget", way, device)
                if device not in known:
                    raise self._wrong(loc, device, f"a cell's device: {listed(sorted(known))}")
                table = self._table(*loc)
                for name in table:
                    self._check_name(".".join(loc), name, tuple(BUDGET_MEANING))
                found[way, device] = BudgetCosts(
                    **{
                        f.name: self._number(table, *loc, f.name, negative=True)
                        for f in fields(BudgetCosts)
                        if f.name in table or f.default is MISSING
                    }
                )
        return found

    def _expiries(self) -> ExpiryCosts | None:
        if "expiry" not in self._data:
            return None
        table = self._table("expiry")
        for name in table:
            self._check_name("expiry", name, EXPIRY_STEPS)
        able = [name for name in EXPIRY_STEPS if name in table or name != "basic"]
        return ExpiryCosts({name: self._typical_and_most(table, name) for name in able})

    def _typical_and_most(self, table: dict[str, Any], name: str) -> tuple[Fraction, Fraction]:
        values = table.get(name)
        if not isinstance(values, list) or len(values) != 2:
            raise self._wrong(("expiry", name), values, "[typically, at most], in instructions")
        typical, most = (
            self._value(one, ("expiry", name, at), negative=True) for at, one in enumerate(values)
        )
        return typical, most

    def _points(self) -> dict[str, Fraction]:
        if "cell-point" not in self._data:
            return {}
        table = self._table("cell-point")
        for name in table:
            self._check_name("cell-point", name, tuple(POINT_MEANING))
        return {name: self._number(table, "cell-point", name, negative=True) for name in table}

    def _steps(self, name: str) -> StepCosts:
        return self._step_costs(("store", name), STEPS[name], new_steps(name))

    def _step_costs(
        self,
        of: tuple[str, ...],
        by_mode: Mapping[Mode, tuple[str, ...]],
        instead: Mapping[str, tuple[str, ...]] | None = None,
    ) -> StepCosts:
        found = {}
        for mode, steps in by_mode.items():
            loc = (*of, mode.value)
            table = self._table(*loc)
            found[mode] = {
                step: self._number(table, *loc, step, negative=True)
                for step in steps
                if step in table or instead is None or step not in instead
            }
        return StepCosts(found, instead=instead or {})

    def _cooperation(self, name: str) -> Cooperation | None:
        if name not in self._data:
            return None
        table = self._table(name)
        return Cooperation(
            **{
                f.name: self._number(table, name, f.name, negative=True)
                for f in fields(Cooperation)
                if f.name in table or f.default is MISSING
            }
        )

    def _handlers(self) -> dict[tuple[str, Mode], HandlerCosts]:
        if "handler" not in self._data:
            return {}
        tables = self._table("handler")
        for name in tables:
            self._check_name("handler", name, STORES)
        return {
            (name, mode): self._handler("handler", name, mode.value)
            for name in STORES
            if name in tables
            for mode in Mode
            if mode.value in self._table("handler", name)
        }

    def _handler(self, *loc: str) -> HandlerCosts:
        table, known = self._table(*loc), HANDLER_STEPS[loc[1]]
        found = {}
        for step, values in table.items():
            self._check_name(".".join(loc), step, known)
            if not isinstance(values, list) or len(values) != 2:
                raise self._wrong((*loc, step), values, "[at least, at most], in instructions")
            least, most = (self._value(one, (*loc, step, at)) for at, one in enumerate(values))
            found[step] = (least, most)
        return HandlerCosts(found)

    def _sizes(self, name: str) -> SizeCosts | None:
        """What is taken of the memory `name`; of files of earlier versions, which have no variables, nothing.

        Their flash had bodies in it.
        """
        if not {"flash", "variables"} <= self._data.keys():
            return None
        table, basic = self._table(name), None

        def numbers(of: type, table: dict[str, Any], *loc: str) -> dict[str, Fraction]:
            names = (f.name for f in fields(of))
            return {one: self._number(table, *loc, one, negative=True) for one in names}

        if "basic" in table:
            basic = BasicSizes(**numbers(BasicSizes, self._table(name, "basic"), name, "basic"))
        return SizeCosts(ThreadSizes(**numbers(ThreadSizes, table, name)), basic)

    def _sharing(self) -> SharingCosts | None:
        if "shared" not in self._data:
            return None
        table = self._table("shared")
        return SharingCosts(
            **{
                f.name: self._number(table, "shared", f.name, negative=True)
                for f in fields(SharingCosts)
            }
        )

    def _queue(self, name: str) -> QueueCosts:
        table = self._table("queue", name)
        over = _over(table)
        if over not in OVER:
            raise self._wrong(("queue", name, "over"), over, _one_of(OVER))

        def number(key: str, *, negative: bool = False) -> Fraction:
            return self._number(table, "queue", name, key, negative=negative)

        return QueueCosts(
            over=over,
            ram=number("ram"),
            ram_per_task=number("ram_per_task"),
            rom=number("rom", negative=True),
            job=number("job", negative=True),
            job_one_shot=number(
                "job_one_shot" if "job_one_shot" in table else "job", negative=True
            ),
            interrupt_periodic=number("interrupt_periodic", negative=True),
            interrupt_one_shot=number("interrupt_one_shot", negative=True),
            curves={shape: self._curve(table, name, _measured(table, shape)) for shape in SHAPES},
            slot_walk=self._slot_walk(table, "queue", name),
        )

    def _curve(self, table: dict[str, Any], name: str, shape: str) -> Curve:
        loc = ("queue", name, shape)
        rows = table.get(shape)
        expected = "at least one [x, insert, first, pop], in instructions"
        if not isinstance(rows, list) or not rows:
            raise self._wrong(loc, rows, expected)
        points: list[Point] = []
        for index, row in enumerate(rows):
            if not isinstance(row, list) or len(row) != 4:
                raise self._wrong((*loc, index), row, "[x, insert, first, pop]")
            point = Point(*[self._value(v, (*loc, index, i)) for i, v in enumerate(row)])
            if points and point.x <= points[-1].x:
                raise self._wrong(
                    (*loc, index, 0), row[0], f"more than {number_text(points[-1].x)}: x ascends"
                )
            points.append(point)
        return Curve(tuple(points))

    def _origin(self) -> CostsOrigin:
        meta = self._data.get("meta")
        meta = meta if isinstance(meta, dict) else {}
        said = {key: meta.get(key) for key in ("toolchain", "flags")}
        for key, value in said.items():
            if value is not None and not isinstance(value, str):
                raise self._wrong(("meta", key), value, "a string in quotes")
        shipped = is_shipped(self._board)
        if self._path.parent != self._board.directory:
            kind, file = "the user's copy", str(self._path)
        elif shipped:
            kind, file = "shipped", self._path.relative_to(data_root()).as_posix()
        else:
            kind, file = "beside board.toml", str(self._path)
        return CostsOrigin(file, kind, said["toolchain"], said["flags"])

    def _number(self, table: Mapping[str, Any], *loc: str, negative: bool = False) -> Fraction:
        return self._value(table.get(loc[-1]), loc, negative=negative)

    def _value(self, value: Any, loc: Loc, *, negative: bool = False) -> Fraction:
        exact: Fraction | None = None
        if isinstance(value, (int, str, Fraction)) and not isinstance(value, bool):
            try:
                exact = Fraction(value)
            except (ValueError, ZeroDivisionError):
                exact = None
        if exact is None or (exact < 0 and not negative):
            may = "" if negative else ", not negative"
            raise self._wrong(loc, value, f'a number{may}: 45, 45.5 or "91/2"')
        return exact

    def _wrong(self, loc: Loc, value: Any, expected: str) -> HorologError:
        return HorologError(
            "a value is missing" if value is None else "a value cannot be used",
            place=self._document.place(*loc),
            found=None if value is None else _shown(value),
            expected=expected,
        )


def _one_of(names: Sequence[str]) -> str:
    return "one of " + listed([f'"{name}"' for name in names])


def _over(table: Mapping[str, Any]) -> Any:
    """What the curves of a queue run over; files of earlier versions say "walked" for nodes passed."""
    over = table.get("over")
    return "passed" if over == "walked" else over


def _measured(table: Mapping[str, Any], shape: str) -> str:
    """The shape of the curve that holds for `shape`: files of earlier versions have none for `distinct`."""
    return "many" if shape == "distinct" and shape not in table else shape


def _exact(text: str) -> Fraction | str:
    """A TOML float. What is no number ("inf", "nan") stays text, which is refused where it is used."""
    try:
        return Fraction(text)
    except ValueError:
        return text


def _shown(value: Any) -> str:
    return number_text(value) if isinstance(value, Fraction) else shown(value)
