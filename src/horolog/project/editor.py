# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What VS Code runs: the commands of the tool as tasks, and a debugger on the board or its emulator."""

from __future__ import annotations

from typing import Any

from horolog.model import Board, Probing
from horolog.parts import Part

__all__ = ["launches", "tasks"]

_PORT = 1234  # of horolog run --gdb
_HALT = "halt in the emulator"


def tasks(board: Board) -> list[dict[str, Any]]:
    """The commands for `board`, the first is the usual build."""
    found = [
        {**_task("build", "build"), "group": {"kind": "build", "isDefault": True}},
        _task("check", "check"),
        _task("plan", "plan"),
    ]
    if board.runner.kind != "none":
        found += [_task("run", "run"), _task("compare with FreeRTOS", "compare")]
    if _is_halted(board):
        found.append(
            {
                **_task(_HALT, "run", "--gdb"),
                "isBackground": True,
                "problemMatcher": {
                    "pattern": {"regexp": "^never$", "file": 1, "line": 1, "message": 1},
                    "background": {
                        "activeOnStart": True,
                        "beginsPattern": "building",
                        "endsPattern": "halted at reset",
                    },
                },
            }
        )
    return found


def _task(label: str, command: str, *options: str) -> dict[str, Any]:
    return {
        "label": label,
        "type": "process",
        "command": "horolog",
        "args": [command, "system.toml", *options],
        "problemMatcher": [],
    }


def _is_halted(board: Board) -> bool:
    """Whether horolog run --gdb takes it."""
    return board.runner.kind in ("qemu", "simavr")


def launches(board: Board, part: Part | None, firmware: str) -> list[dict[str, Any]]:
    """How a debugger comes to `firmware`, a path in the project; nothing where none does."""
    of_both = {"cwd": "${workspaceFolder}", "request": "attach"}
    program = "${workspaceFolder}/" + firmware
    is_arm = board.port.compiler.startswith("arm-")
    on_board = part is not None or (board.runner.kind == "none" or board.runner.has_chip_file)
    if on_board and board.probe is not None:
        on_chip = _on_chip(board.probe)
        return [{"name": "debug on the board", **of_both, **on_chip, "executable": program}]
    if not _is_halted(board):
        return []
    named = {"name": "debug in the emulator", **of_both, "preLaunchTask": _HALT}
    if is_arm:
        server = {"servertype": "external", "gdbTarget": f"localhost:{_PORT}"}
        gdb = {"gdbPath": "gdb-multiarch"}
        return [{**named, "type": "cortex-debug", **server, **gdb, "executable": program}]
    gdb = {"miDebuggerPath": "avr-gdb" if board.runner.kind == "simavr" else "gdb-multiarch"}
    server = {"miDebuggerServerAddress": f"localhost:{_PORT}", "MIMode": "gdb"}
    return [{**named, "type": "cppdbg", "request": "launch", **server, **gdb, "program": program}]


def _on_chip(by: Probing) -> dict[str, Any]:
    server: dict[str, Any] = {"servertype": "pyocd", "targetId": by.pyocd}
    if by.openocd:
        server = {"servertype": "openocd", "configFiles": list(by.openocd)}
    return {
        "type": "cortex-debug",
        "request": "launch",
        "preLaunchTask": "build",
        "device": by.probe_rs,
        **server,
        "runToEntryPoint": "main",
    }
