# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which calls of a body are recorded in a firmware that measures itself, beside include/hrl."""

from __future__ import annotations

import re
from pathlib import Path

from horolog.calls.services import PUBLIC
from horolog.programs import call

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "cmake" / "firmware" / "ring_services.cmake"
ENDS = re.compile(r"(?:_Noreturn|HRLI_NORETURN)(?:\s+#endif)?\s+void\s+(hrl_\w+)\(")


def wrapped(names: set[str], folder: Path) -> set[str]:
    """What the script wraps of these, if `nm` lists them as undefined."""
    listed = folder / "names"
    listed.write_text("".join(f"         U {name}\n" for name in sorted(names)), encoding="utf-8")
    nm = folder / "nm"
    nm.write_text(f'#!/bin/sh\ncat "{listed}"\n', encoding="utf-8")
    nm.chmod(0o755)
    made = {one: folder / one for one in ("WRAPPERS", "OPTIONS")}
    command = ["cmake", f"-DNM={nm}", "-DBODIES=none"]
    command += [f"-D{one}={path}" for one, path in made.items()]
    done = call([*command, "-P", str(SCRIPT)], seconds=60)
    assert done.status == 0, done.errors
    options = made["OPTIONS"].read_text(encoding="utf-8")
    found = set(re.findall(r"^-Wl,--wrap=(\w+)$", options, re.MULTILINE))
    text = made["WRAPPERS"].read_text(encoding="utf-8")
    assert found == set(re.findall(r"service __wrap_(\w+), __real_\1\n", text))
    return found


def test_services_that_return_are_wrapped(tmp_path: Path) -> None:
    headers = sorted((ROOT / "include" / "hrl").glob("*.h"))
    text = "".join(one.read_text(encoding="utf-8") for one in headers)
    ends = {"hrl_start", *ENDS.findall(text)}  # which runs threads, and is not declared so
    assert {"hrl_thread_exit", "hrl_basic_terminate", "hrl_program_end"} <= ends
    hooks = {name for name in PUBLIC if name.endswith("_hook")}
    own = {"hrl_gen_body_a", "hrl_gen_system", "hrl_work", "memcpy", "body_of_hrl_"}
    assert wrapped(set(PUBLIC) | own, tmp_path) == set(PUBLIC) - ends - hooks
