# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What VS Code runs: the commands of the tool as tasks, and a debugger on the board or its emulator."""

from __future__ import annotations

from typing import Any

from horolog.model import Board
from horolog.parts import Part

__all__ = ["launches", "tasks"]

_PORT = 1234  # of horolog run --gdb
_HALT = "halt in the emulator"
_TARGETS = {  # OpenOCD 0.12's target/*.cfg, by the family
    "STM32F0": "stm32f0x",
    "STM32F1": "stm32f1x",
    "STM32F2": "stm32f2x",
    "STM32F3": "stm32f3x",
    "STM32F4": "stm32f4x",
    "STM32F7": "stm32f7x",
    "STM32G0": "stm32g0x",
    "STM32G4": "stm32g4x",
    "STM32H7": "stm32h7x",
    "STM32L0": "stm32l0",
    "STM32L1": "stm32l1",
    "STM32L4": "stm32l4x",
    "STM32L4+": "stm32l4x",
    "STM32L5": "stm32l5x",
    "STM32U5": "stm32u5x",
    "STM32WB": "stm32wbx",
    "STM32WL": "stm32wlx",
}


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
    if part is not None:
        return [{"name": "debug on the board", **of_both, **_on_chip(part), "executable": program}]
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


def _on_chip(part: Part) -> dict[str, Any]:
    target = _TARGETS.get(part.family)
    named = part.name.partition("-")[0]
    server: dict[str, Any] = {"servertype": "pyocd", "targetId": named.lower()}
    if target is not None:
        configuration = ["interface/stlink.cfg", f"target/{target}.cfg"]
        server = {"servertype": "openocd", "configFiles": configuration}
    return {
        "type": "cortex-debug",
        "request": "launch",
        "preLaunchTask": "build",
        "device": named,
        **server,
        "runToEntryPoint": "main",
    }
