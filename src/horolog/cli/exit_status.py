# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How a command ends: one exit status, one JSON object if JSON was asked for, and never a traceback.

An error is a HorologError that the user can put right, or else a fault of Horolog's: then a file with what is
needed to find it is left where outputs go.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from horolog.cli.streams import echo, give_up, shows_unicode, tell, visible
from horolog.model import Exit, HorologError

__all__ = ["ClosedPipe", "Ending", "ended", "error_object"]


class ClosedPipe(Exception):
    """The reader of the output has gone: a message could not be shown."""


@dataclass(slots=True)
class Ending:
    """Collects what a command prints as JSON, so that in the end it is one object, errors included."""

    as_json: bool
    made: dict[str, Any] | None = None

    def show(self, error: HorologError, **more: object) -> None:
        """Tell the user of `error`; `more` stands beside it in JSON."""
        if self.as_json:
            self.made = {**(self.made or {}), **error_object(error, **more)}
        else:
            _show(error)

    def print(self) -> None:
        """Print what was made, if anything was."""
        if self.made is not None:
            unicode = shows_unicode(sys.stdout)
            echo(json.dumps(self.made, indent=2, ensure_ascii=not unicode))


def ended(command: Callable[[Ending], object], arguments: Sequence[str]) -> int:
    """Run `command` to its end and say how it ended: the exit status."""
    ending = Ending("--json" in arguments)
    try:
        try:
            code = _guarded(command, ending, arguments)
            ending.print()
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            raise ClosedPipe from None
        except OSError as error:  # of the output itself: a full disk
            _show(_unreadable(error))
            give_up(sys.stdout)
            return Exit.BAD_INPUT
    except ClosedPipe:
        for stream in (sys.stdout, sys.stderr):
            give_up(stream)
        return Exit.CLOSED_PIPE
    except (KeyboardInterrupt, click.Abort):
        give_up(sys.stdout)
        return Exit.INTERRUPTED


def _guarded(command: Callable[[Ending], object], ending: Ending, arguments: Sequence[str]) -> int:
    """The exit status of `command`, whatever it raises but for what ends the program at once."""
    try:
        code = command(ending)
        return code if isinstance(code, int) else Exit.OK
    except (ClosedPipe, BrokenPipeError, click.Abort):
        raise
    except HorologError as error:
        shown = error
    except click.ClickException as error:
        if not ending.as_json:
            error.show()
            return error.exit_code
        shown = HorologError(error.format_message())
    except OSError as error:
        shown = _unreadable(error)
    except Exception as error:
        shown = _fault(error)
        file = _crash_file(error, arguments)
        ending.show(shown, file=file)
        if not ending.as_json:
            tell(f"  send:     {file or 'the traceback'}, to where you have Horolog from")
        return shown.exit
    ending.show(shown)
    return shown.exit


def _unreadable(error: OSError) -> HorologError:
    return HorologError(
        f"cannot read or write: {(error.strerror or str(error)).lower()}",
        found=str(error.filename) if error.filename is not None else None,
    )


def _fault(error: Exception) -> HorologError:
    said = " ".join(str(error).split())[:300]
    return HorologError(
        "this is a fault of Horolog's, not of your system's",
        found=f"{type(error).__name__}: {said}" if said else type(error).__name__,
        expected="another version may do better",
        exit=Exit.FAULT,
    )


def _crash_file(error: Exception, arguments: Sequence[str]) -> str | None:
    """Writes what is needed to find the fault; below build/, or where there is room. None: nowhere."""
    text = "\n".join(
        [
            "A fault of Horolog's: please send this file, if you can with the system's description.",
            "",
            f"command: {shlex.join(['horolog', *arguments])}",
            *_versions(),
            "",
            "".join(traceback.format_exception(error)),
        ]
    )
    for folder in (Path("build"), Path(tempfile.gettempdir())):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(".txt", "horolog-fault-", folder)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as out:
                out.write(text)
            return str(folder / Path(name).name)
    return None


def _versions() -> list[str]:
    """Lines with the versions of Horolog, Python, the system and the packages that Horolog requires."""
    import platform
    from importlib.metadata import requires, version

    from horolog import __version__

    found = [f"horolog {__version__}", f"python {platform.python_version()}, {platform.platform()}"]
    with suppress(Exception):  # what is not installed as a package has no list of its own
        for requirement in requires("horolog") or ():
            name = requirement.split()[0].split(";")[0].split("=")[0].split("<")[0].split(">")[0]
            found.append(f"{name} {version(name)}")
    with suppress(Exception):
        from horolog.programs import version as program

        for name in ("arm-none-eabi-gcc", "qemu-system-arm", "cmake", "ninja"):
            found.append(f"{name} {program(name)}")
    return found


def _show(error: HorologError) -> None:
    several = getattr(error, "errors", (error,))
    for one in several:
        text = visible(str(one))
        head, newline, rest = text.partition("\n")
        prefix = "" if one.place else "error: "
        tell(click.style(prefix + head, bold=True) + newline + rest)
    if len(several) > 1:
        tell(f"{len(several)} errors")


def error_object(error: HorologError, **more: object) -> dict[str, Any]:
    """An error for programs. Several at once: the first, and all of them under `all`."""
    made = {**_one_error(error), **more}
    several = getattr(error, "errors", ())
    if several:
        made["all"] = [_one_error(one) for one in several]
    return {"error": made}


def _one_error(error: HorologError) -> dict[str, Any]:
    return {
        "message": error.message,
        "place": None if error.place is None else asdict(error.place),
        "found": error.found,
        "expected": error.expected,
        "exit": int(error.exit),
    }
