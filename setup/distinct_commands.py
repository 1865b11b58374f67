# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Compile commands without those that make of a source what another one has made of it.

    python3 setup/distinct_commands.py BUILD-FOLDER OUT-FOLDER JOBS longest|all

writes OUT-FOLDER/compile_commands.json: of BUILD-FOLDER's commands those for kernel/, and of each source the
longest text that the preprocessor makes of it, or all of them, each but once. A linter that follows every
command looks at each text once then.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KERNEL = Path(__file__).resolve().parents[1] / "kernel"


def preprocessed(entry: dict[str, str]) -> tuple[str, str, int]:
    """The source of a compile command, a hash of what its preprocessor makes of it, and how long that is."""
    words = shlex.split(entry["command"])
    out = words.index("-o")
    words = [*words[:out], *words[out + 2 :]]
    words[words.index("-c")] = "-E"
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, check=True)
    return entry["file"], hashlib.sha256(done.stdout).hexdigest(), len(done.stdout)


def _size(key: tuple[str, str, int]) -> int:
    return key[2]


def main() -> None:
    """The command."""
    build, out, jobs, which = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    entries = [one for one in entries if KERNEL in Path(one["file"]).parents]
    with ThreadPoolExecutor(jobs) as pool:
        keys = list(pool.map(preprocessed, entries))
    distinct = dict(zip(keys, entries, strict=True))
    if which == "longest":
        of_source = {file: (file, text, size) for file, text, size in sorted(keys, key=_size)}
        distinct = {key: distinct[key] for key in of_source.values()}
    out.mkdir(exist_ok=True)
    text = json.dumps(list(distinct.values()), indent=1)
    (out / "compile_commands.json").write_text(text, encoding="utf-8")
    words = "the longest of each source" if which == "longest" else "all that differ"
    print(f"clang-tidy: {len(distinct)} texts of {len(entries)} compile commands, {words}")


if __name__ == "__main__":
    main()
