# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""gdb in one batch: loads a firmware into a target behind a gdb server, runs it, and reads memory out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from horolog.image import read_image
from horolog.model import Board, ChipId, TargetFailed
from horolog.model.board import CPUID_PARTS
from horolog.programs import Finished, call, require

__all__ = [
    "EVERYWHERE",
    "GDB",
    "Remote",
    "check_chip",
    "chip_commands",
    "flash",
    "load_commands",
    "no_server",
    "parse_remote",
    "read_after",
    "refuse_other_chip",
    "refuse_unloaded",
    "reset_commands",
    "run_gdb",
    "stands_at",
    "start_commands",
    "tail",
]

GDB = "gdb-multiarch"
_ANSWER_SECONDS = 10  # of the server, for one request
_LOAD_SECONDS = 300  # in which a slow probe has written and read all of a chip
_VTOR = 0xE000ED08
_CPUID = 0xE000ED00
_CPUID_PART = 0xFFF0  # which processor of Arm it is; the bits beside say its revision
_THUMB = 0x01000000
RESET = "reset halt"
"""Of the monitors of OpenOCD, pyOCD, probe-rs and our simulator: it resets the chip's devices, too."""


EVERYWHERE = ("set mem inaccessible-by-default off",)
"""gdb's commands to reach what the server's map of memory leaves out: probe-rs's has flash and RAM alone."""


@dataclass(frozen=True, slots=True)
class Remote:
    """Where a gdb server listens, and its monitor's command for a reset that halts; None: it has none."""

    host: str
    port: int
    reset: str | None = None

    @property
    def text(self) -> str:
        """HOST:PORT."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


_READ = re.compile(r"^@(core|chip) (0x[0-9a-f]+)$", re.M)
_REMOTE = re.compile(r"(?P<host>[A-Za-z0-9.\-]+|\[[0-9A-Fa-f:.]+\]):(?P<port>[0-9]{1,5})")


def parse_remote(text: str) -> Remote:
    """HOST:PORT. ValueError if it is not. A server may not know RESET, as QEMU's, and goes on."""
    found = _REMOTE.fullmatch(text)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise ValueError("no HOST:PORT")
    return Remote(found["host"].strip("[]"), int(found["port"]), RESET)


def chip_commands(board: Board) -> list[str]:
    """To end with status 3, having said what was read, if the target is no chip that `board` has."""
    asked: list[tuple[str, ChipId]] = []
    core = CPUID_PARTS.get(board.cpu.partition("+")[0])
    if core is not None:
        asked.append(("core", ChipId(_CPUID, _CPUID_PART, core)))
    if board.probe is not None and board.probe.chip is not None:
        asked.append(("chip", board.probe.chip))
    return [
        line
        for name, one in asked
        for line in (
            f"set $word = *(unsigned int *){one.address:#x} & {one.mask:#x}",
            f'printf "@{name} 0x%x\\n", $word',
            f"if $word != {one.value:#x}",
            "quit 3",
            "end",
        )
    ]


def check_chip(board: Board, elf: Path, remote: Remote, folder: Path) -> None:
    """HorologError (4) if the target is no chip that `board` has, or does not answer. Loads nothing."""
    commands = [*chip_commands(board), "echo @known\\n", "detach"]
    done = run_gdb(elf, remote, commands, folder, _ANSWER_SECONDS)
    said = done.output + done.errors
    refuse_unconnected(remote, said, timed_out=done.status is None, seconds=_ANSWER_SECONDS)
    refuse_other_chip(board, remote, said)


def load_commands(board: Board, elf: Path) -> list[str]:
    """To load `elf` into the target, to compare what is there with it, and to start it as a reset does.

    Nothing is loaded into another chip than that of `board`, as far as it is known.
    """
    known = [*chip_commands(board), "echo @known\\n"]
    loading = ["load", "echo @loaded\\n", "compare-sections", "echo @compared\\n"]
    return [*known, *loading, *start_commands(board, elf)]


def start_commands(board: Board, elf: Path, *, load: bool = False) -> list[str]:
    """To start `elf` as a reset does, which the target holds; or with `load` will hold."""
    image = read_image(elf)
    commands = ["load"] if load else []
    vectors = image.symbols.get("vectors")
    if vectors is None:  # a processor without such a table
        return [*commands, "set $pc = _start" if "_start" in image.symbols else "set $pc = $pc"]
    if vectors:
        commands.append(f"set *(unsigned int *){_VTOR:#x} = {vectors:#x}")
    return [
        *commands,
        f"set $xpsr = {_THUMB:#x}",
        f"set $sp = *(unsigned int *){vectors:#x}",
        f"set $pc = *(unsigned int *){vectors + 4:#x} & ~1",
    ]


def flash(board: Board, elf: Path, remote: Remote, folder: Path) -> None:
    """Load `elf`, compare it with what is there then, and let it run from its start. HorologError (4)."""
    done = run_gdb(elf, remote, [*load_commands(board, elf), "detach"], folder, _LOAD_SECONDS)
    said, late = done.output + done.errors, done.status is None
    refuse_unloaded(board, remote, said, timed_out=late, seconds=_LOAD_SECONDS)
    if done.status != 0:
        raise TargetFailed(
            f"the firmware is in {board.name} behind {remote.text}, and was not started",
            found=f"nothing in {_LOAD_SECONDS} s" if late else tail(said),
            expected="a reset of the board, which starts it",
        )


def read_after(
    board: Board,
    elf: Path,
    remote: Remote,
    stop: str,
    reads: Sequence[tuple[str, str, str]],
    folder: Path,
    seconds: float,
) -> None:
    """Load `elf`, run it until it calls `stop`, and dump memory: from one expression to another, into a file.

    The files lie in `folder`. The target stays halted. HorologError (4), which says what of it was done.
    """
    commands = [
        *load_commands(board, elf),
        f"thbreak {stop}",
        "echo @started\\n",
        "continue",
        "echo @stopped\\n",
        stands_at(stop),
        *(f"dump binary memory {name} {low} {high}" for name, low, high in reads),
        "echo @read\\n",
        "detach",
    ]
    done = run_gdb(elf, remote, commands, folder, seconds)
    said = done.output + done.errors
    refuse_unloaded(board, remote, said, timed_out=done.status is None, seconds=seconds)
    if "@stopped" not in said or "@at 1" not in said:
        raise TargetFailed(
            f"the target behind {remote.text} stopped answering"
            if done.status is None
            else f"the firmware behind {remote.text} stopped before its trace ended",
            found=f"nothing in {seconds:.0f} s after the start"
            if done.status is None
            else tail(said),
            expected="a firmware that runs until the end of its window; the target's memory holds all of it",
        )
    if "@read" not in said:
        raise TargetFailed(
            f"the trace could not be read out of the target behind {remote.text}", found=tail(said)
        )


def stands_at(function: str) -> str:
    """A command to say `@at 1` if the target stands at the begin of a function."""
    both = f"$pc == (unsigned int)&{function} || $pc == ((unsigned int)&{function} & ~1)"
    return f'printf "@at %d\\n", {both}'


def refuse_unloaded(
    board: Board, remote: Remote, said: str, *, timed_out: bool, seconds: float
) -> None:
    """HorologError (4) unless gdb `said` that it has connected, loaded and compared all sections."""
    refuse_unconnected(remote, said, timed_out=timed_out, seconds=seconds)
    refuse_other_chip(board, remote, said)
    if "@loaded" not in said:
        raise TargetFailed(
            f"the firmware was not loaded, or only a part of it, into {board.name} behind {remote.text}",
            found=f"nothing in {seconds:.0f} s" if timed_out else tail(said),
            expected="memory where board.toml and link.ld say it is; load it again before the target runs",
        )
    wrong = [line for line in said.splitlines() if "MIS-MATCHED" in line]
    if wrong or "@compared" not in said:
        raise TargetFailed(
            f"the firmware in {board.name} behind {remote.text} is not what was loaded",
            found="; ".join(line.strip() for line in wrong) or tail(said),
            expected="every section matched; the target holds a part of the firmware, so load it again",
        )


def refuse_unconnected(remote: Remote, said: str, *, timed_out: bool, seconds: float) -> None:
    """HorologError (4) unless gdb `said` that it has connected."""
    if "@connected" not in said:
        raise no_server(remote, f"nothing in {seconds:.0f} s" if timed_out else tail(said))


def no_server(remote: Remote, found: str) -> TargetFailed:
    """That nothing answers at `remote`."""
    return TargetFailed(
        f"no gdb server answers at {remote.text}",
        found=found,
        expected="a server that runs already, such as qemu-system-arm -S -gdb tcp:..., OpenOCD or "
        "probe-rs gdb; nothing was loaded",
    )


def refuse_other_chip(board: Board, remote: Remote, said: str) -> None:
    """HorologError (4) if gdb `said` that the target is no chip that `board` has."""
    read = _READ.findall(said)
    if not read or "@known" in said:
        return
    what, value = read[-1]
    its_chip = board.probe.chip if board.probe is not None else None
    chip = its_chip if what == "chip" else None
    names = {part: name for name, part in CPUID_PARTS.items()}
    word = int(value, 16)
    is_core = names.get(word) == board.cpu.partition("+")[0]
    is_right = is_core and its_chip is None if chip is None else word == chip.value
    if is_right:
        return  # gdb ended for another reason
    if chip is None and its_chip is not None and is_core:
        raise TargetFailed(
            f"the chip behind {remote.text} does not say that it is that of {board.name}",
            found=f"a {names[word]}, and no word from {its_chip.address:#x}: {tail(said)}",
            expected=f"{its_chip.value:#x} there, masked with {its_chip.mask:#x}; nothing was loaded",
        )
    raise TargetFailed(
        f"the chip behind {remote.text} is not that of {board.name}",
        found=names.get(word, f"a processor whose CPUID says {word:#x}")
        if chip is None
        else f"{word:#x} at {chip.address:#x}, masked with {chip.mask:#x}",
        expected=f"{board.cpu if chip is None else hex(chip.value)}; nothing was loaded",
    )


def reset_commands(remote: Remote) -> list[str]:
    """To reset the target, as far as its server can, and to forget what gdb knows of its registers."""
    if remote.reset is None:
        return []
    lines = (
        "def first(*commands):",
        "    for command in commands:",
        "        try:",
        "            return gdb.execute(command)",
        "        except gdb.error:",
        "            pass",
        f"first('monitor {remote.reset}')",
        "first('maintenance flush register-cache', 'flushregs')",  # the name in gdb 13, and before
    )
    return [f"python exec({chr(10).join(lines)!r})"]


def run_gdb(
    elf: Path, remote: Remote, commands: Sequence[str], folder: Path, seconds: float
) -> Finished:
    """Run gdb on `elf`, connected to `remote`, which executes `commands` in `folder` until one fails."""
    require(GDB)
    script = folder / "probe.gdb"
    script.write_text(
        "\n".join(
            [
                "set confirm off",
                "set pagination off",
                "set width 0",
                "set tcp auto-retry off",  # the server runs already
                *EVERYWHERE,
                f"set remotetimeout {_ANSWER_SECONDS}",
                f"target remote {remote.text}",
                "echo @connected\\n",
                *reset_commands(remote),
                *commands,
            ]
        )
        + "\n",
        encoding="utf-8",
    )
    command = [
        GDB,
        "-nx",
        "-batch",
        "-iex",
        "set auto-load off",
        "-x",
        script.name,
        str(elf.resolve()),
    ]
    return call(command, seconds=seconds, folder=folder)


def tail(said: str) -> str:
    """The last lines of what gdb said, for an error."""
    lines = [line for line in said.splitlines() if line.strip() and not line.startswith("@")]
    return "\n            ".join(lines[-4:]) or "nothing"
