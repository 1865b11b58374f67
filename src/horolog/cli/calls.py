# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog calls: what the code of each task reaches, and what that asks of stack and registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from horolog.calls import (
    Body,
    Calls,
    MainStack,
    analyse_calls,
    body_root,
    common_stack,
    frame,
    main_stack,
)
from horolog.cli import (
    board_option,
    console,
    echo_json,
    json_option,
    plain_table,
    right,
    system_argument,
    teller,
)
from horolog.model import CorePlan, HorologError, System, parts_of
from horolog.plan import plan_moving
from horolog.read import read_system
from horolog.run import CoresRequest, Request, build, build_cores

__all__ = ["calls"]


@click.command()
@system_argument
@board_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to build; default: ./build/<system>.",
)
@json_option
def calls(path: Path, board: str | None, out: Path | None, as_json: bool) -> None:
    """What each task's code reaches: functions, worst stack, registers, calls that wait, recursion.

    Builds SYSTEM.toml and follows the calls of the linked firmware. What cannot be followed, such as
    a call through a pointer, is said.
    """
    system = read_system(path, board=board)
    if system.board.port.is_process:
        raise HorologError(
            f"{system.board.name} runs on this machine, and horolog does not follow its code",
            expected="a board with a processor of its own: --board mps2-an385",
        )
    folder = out if out is not None else Path("build") / system.name
    say = teller(as_json)
    if system.cores > 1:
        system, plans = _planned_cores(system)
        elf = build_cores(CoresRequest(system, plans, folder, say)).horolog
    else:
        system, planned = plan_moving(system)
        elf = build(Request(system, planned, folder, say)).horolog
        plans = tuple(CorePlan(part, planned) for part in parts_of(system))
    roots = [body_root(system.job(index)) for index in range(len(system.all_tasks))]
    found = analyse_calls(elf, roots, system.board.port.switch_calls)
    stacks = tuple(_stacks(system, plans, found, elf))
    if as_json:
        echo_json(_object(system, found, stacks))
    else:
        _print(system, found)
        for one in stacks:
            _print_stacks(one)


@dataclass(frozen=True, slots=True)
class _Stacks:
    """The stacks that a core's handlers and basic tasks have in common."""

    core: int | None  # None: there is one
    bodies: int | None  # bytes of basic tasks' bodies, all levels nested; None: not known
    has_basic: bool
    main: MainStack

    def to_data(self) -> dict[str, Any]:
        """For programs."""
        return {
            "common_stack_bytes": self.bodies,
            "main_stack": {
                "most_bytes": self.main.most,
                "given_bytes": self.main.given,
                "parts": [asdict(part) for part in self.main.parts],
                "not_followed": list(self.main.unknown),
            },
        }


def _planned_cores(system: System) -> tuple[System, tuple[CorePlan, ...]]:
    from horolog.divide import plans_for_cores

    found = plans_for_cores(system)
    return found.system, found.plans


def _stacks(
    system: System, plans: Sequence[CorePlan], found: Calls, elf: Path
) -> Iterator[_Stacks]:
    """Of each core with tasks."""
    several = system.cores > 1
    for one in plans:
        if one.planned is None:
            continue
        own = replace(found, bodies=tuple(found.bodies[task] for task in one.part.tasks))
        yield _Stacks(
            one.core if several else None,
            common_stack(one.system, own) if one.system.has_basic else None,
            one.system.has_basic,
            main_stack(one.system, one.planned.choice, elf, one.part if several else None),
        )


def _object(system: System, found: Calls, stacks: Sequence[_Stacks]) -> dict[str, Any]:
    of_cores = [{"core": one.core, **one.to_data()} for one in stacks]
    return {
        "system": system.name,
        "board": system.board.name,
        **(stacks[0].to_data() if system.cores == 1 else {"cores": of_cores}),
        "tasks": [
            {
                "name": task.name,
                "kind": task.kind.value,
                "stack_bytes": body.stack_bytes,
                "stack_given": task.stack,
                "registers": body.registers,
                "functions": list(body.functions),
                "services": list(body.services),
                "recursion": [[asdict(spot) for spot in cycle] for cycle in body.cycles],
                "for_threads": [
                    {
                        "call": wait.call,
                        "certain": wait.certain,
                        "path": [asdict(spot) for spot in wait.path],
                    }
                    for wait in body.waits
                ],
                "not_followed": [
                    {**asdict(doubt.spot), "reason": doubt.reason} for doubt in body.doubts
                ],
                "unbounded": [
                    {**asdict(doubt.spot), "reason": doubt.reason} for doubt in body.unbounded
                ],
            }
            for task, body in zip(system.all_tasks, found.bodies, strict=True)
        ],
    }


def _print(system: System, found: Calls) -> None:
    out = console()
    registers = any(body.registers is not None for body in found.bodies)
    numbers = right("stack", "given", *(("registers",) if registers else ()), "functions")
    table = plain_table("task", "kind", *numbers, "calls of the kernel")
    for task, body in zip(system.all_tasks, found.bodies, strict=True):
        table.add_row(
            escape(task.name),
            task.kind.value,
            "unknown" if body.stack_bytes is None else f"{body.stack_bytes}",
            f"{task.stack}",
            *((f"{frame(body).bit_count()}",) if registers else ()),
            f"{len(body.functions)}",
            ", ".join(body.services),
        )
    out.print(table)
    for text, tasks in _notes(system, found).items():
        names = ", ".join(tasks[:3]) + (f" and {len(tasks) - 3} more" if len(tasks) > 3 else "")
        out.print(f"[yellow]note[/] {escape(f'{names}: {text}')}", soft_wrap=True)


def _print_stacks(of: _Stacks) -> None:
    out, main = console(), of.main
    core = "" if of.core is None else f"core {of.core}: "
    if of.has_basic:
        text = "not known" if of.bodies is None else f"{of.bodies} bytes at most"
        out.print(f"{core}bodies of basic tasks on their common stack, all levels nested: {text}")
    parts = (" + " if not main.from_top else ", or ").join(str(part) for part in main.parts)
    bound = "what cannot be followed comes on top" if main.unknown else "at most"
    text = f"{core}main stack: {main.most:,} bytes of {main.given:,}, {bound}: {parts}"
    out.print(escape(text), soft_wrap=True)
    for gap in main.unknown:
        out.print(f"[yellow]note[/] {escape(f'{core}main stack: {gap}')}", soft_wrap=True)


def _notes(system: System, found: Calls) -> dict[str, list[str]]:
    """What there is to say, and of which tasks; the same of several once."""
    notes: dict[str, list[str]] = {}
    for task, body in zip(system.all_tasks, found.bodies, strict=True):
        for text in _said(body, task.stack):
            notes.setdefault(text, []).append(task.name)
    return notes


def _said(body: Body, given: int) -> list[str]:
    doubts = dict.fromkeys(body.doubts + body.unbounded)
    said = [f"{doubt}" for doubt in doubts if not doubt.in_kernel]
    if len(said) < len(doubts):
        said.append("what the kernel calls there is not known in full: neither stack nor registers")
    said += ["recursion: " + ", ".join(f"{spot}" for spot in cycle) for cycle in body.cycles]
    if body.possible:
        said.append(f"a call through a pointer may reach {', '.join(body.possible)}")
    if body.stack_bytes is not None and body.stack_bytes > given:
        said.append(f"{body.stack_bytes} bytes of stack, and {given} are given")
    return said
