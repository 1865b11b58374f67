# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which lines and branches of kernel/ the host tests reach; those they do not are listed with reasons.

    python tests/coverage.py BUILD-FOLDER [--page PAGE]

runs the tests of a build with -DHRL_TESTS_COVERAGE=ON (clang's own counters: they count what the source
says, in each inline function over all files that include it) and a part of the model's campaign, and compares
what was not reached with tests/coverage.toml. Ends with 1 if less than wanted was reached, if something that
was not is not listed, or if something listed was reached or is no longer there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from horolog_experiments.harness.tables import table

__all__ = ["Checks", "Left", "Reached", "listed", "page", "problems", "reached_from"]

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "coverage.toml"
MOST_LINES, MOST_BRANCHES = 98, 95  # percent wanted
MODEL_STEPS = 50_000


@dataclass(frozen=True, slots=True, order=True)
class Left:
    """What was not reached: a line, or one way out of a decision on it, "true" or "false"."""

    file: str
    line: str  # its text, so that lines may move
    what: str


@dataclass(frozen=True, slots=True)
class Checks:
    """Lines that begin in one of these ways, in any file, and what of them is not reached."""

    begin: tuple[str, ...]
    what: str
    reason: str

    def cover(self, one: Left) -> bool:
        return one.what == self.what and one.line.startswith(self.begin)


@dataclass(frozen=True)
class Reached:
    """How often each line was run, and each decision came out true and false, by file and place."""

    lines: dict[tuple[str, int], int]
    branches: dict[tuple[str, int, tuple[int, ...]], tuple[int, int]]

    def left(self, text_of: dict[str, list[str]]) -> list[Left]:
        """Everything that was not reached; `text_of` are the files' lines.

        A line of braces alone is not told: its text says nothing, and would stand for all others like it.
        """
        found = {
            Left(file, text, "line")
            for (file, number), count in self.lines.items()
            if count == 0 and any(map(str.isalnum, text := text_of[file][number - 1].strip()))
        }
        for (file, number, _), counts in self.branches.items():
            line = text_of[file][number - 1].strip()
            if any(counts):  # otherwise it was not reached, which its line says
                ways = zip(("true", "false"), counts, strict=True)
                found |= {Left(file, line, way) for way, count in ways if count == 0}
        return sorted(found)

    def rooms(self) -> dict[str, tuple[int, int, int, int]]:
        """By folder of kernel/: lines, those reached, branches, those taken."""
        sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for (file, _), count in self.lines.items():
            sums[file.split("/")[1]][0] += 1
            sums[file.split("/")[1]][1] += count > 0
        for (file, *_), counts in self.branches.items():
            sums[file.split("/")[1]][2] += 2
            sums[file.split("/")[1]][3] += sum(count > 0 for count in counts)
        return {room: (a, b, c, d) for room, (a, b, c, d) in sorted(sums.items())}

    def percent(self) -> tuple[float, float]:
        """Of lines and of branches."""
        lines, run, branches, taken = map(sum, zip(*self.rooms().values(), strict=True))
        return 100 * run / lines, 100 * taken / branches


def reached_from(exported: str, traced: str, root: Path) -> Reached:
    """From `llvm-cov export` as JSON, which has branches, and as lcov, which has lines."""
    lines: dict[tuple[str, int], int] = {}
    file = ""
    for line in traced.splitlines():
        key, _, value = line.partition(":")
        if key == "SF":
            file = str(Path(value).relative_to(root))
        elif key == "DA":
            number, count = map(int, value.split(","))
            lines[file, number] = count
    branches: dict[tuple[str, int, tuple[int, ...]], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for one in json.loads(exported)["data"][0]["files"]:
        file = str(Path(one["filename"]).relative_to(root))
        # Those of a macro belong to the line that uses it and stand at one place; their order tells which.
        places = [(branch[0], tuple(branch[:4]), branch) for branch in one["branches"]]
        for use in one["expansions"]:
            line, column = use["source_region"][:2]
            places += [(line, (line, column, i), b) for i, b in enumerate(use["branches"])]
        for line_number, place, branch in places:
            was = branches[file, line_number, place]
            branches[file, line_number, place] = (was[0] + branch[4], was[1] + branch[5])
    # What is constant, as clang counts it, never comes out; neither does what the line leaves out: `b` of
    # `a && b`, of which `a` is said to be never true.
    never = {key for key, ways in branches.items() if not any(ways) and lines.get(key[:2])}
    return Reached(lines, {key: ways for key, ways in branches.items() if key not in never})


def problems(
    reached: Reached, left: Iterable[Left], listed: Iterable[Left], checks: Iterable[Checks] = ()
) -> list[str]:
    """What is not as it should be, a line each."""
    left, listed, checks = set(left), set(listed), list(checks)
    unused = [begin for c in checks for begin in c.begin if not _begins(left, begin, c.what)]
    left = {one for one in left if not any(c.cover(one) for c in checks)}
    lines, branches = reached.percent()
    found = [
        f"{what}: {is_so:.2f} % reached, {wanted} % wanted"
        for what, is_so, wanted in (
            ("lines", lines, MOST_LINES),
            ("branches", branches, MOST_BRANCHES),
        )
        if is_so < wanted
    ]
    found += [f"not reached and not listed: {one}" for one in sorted(left - listed)]
    found += [f"listed, but reached or gone: {one}" for one in sorted(listed - left)]
    found += [f"listed, but no line that begins so is left: {begin}" for begin in unused]
    return found


def _begins(left: Iterable[Left], begin: str, what: str) -> bool:
    return any(one.what == what and one.line.startswith(begin) for one in left)


def page(reached: Reached, reasons: dict[Left, str], checks: Iterable[Checks] = ()) -> str:
    """docs/evidence/coverage.md."""

    def share(part: int, whole: int) -> str:
        return f"{100 * part / whole:.2f} %" if whole else ""

    lines, branches = reached.percent()
    rooms = [
        [f"`kernel/{room}`", str(a), str(b), share(b, a), str(c), str(d), share(d, c)]
        for room, (a, b, c, d) in reached.rooms().items()
    ]
    left = [
        [f"`{one.file}`", f"`{one.line}`".replace("|", "\\|"), one.what, reason]
        for one, reason in sorted(reasons.items())
    ]
    left += [
        ["any", ", ".join(f"`{begin}`..." for begin in one.begin), one.what, one.reason]
        for one in checks
    ]
    wanted = [
        ["lines of kernel/", f">= {MOST_LINES} %", f"{lines:.2f} %", _yes(lines >= MOST_LINES)],
        [
            "branches of kernel/",
            f">= {MOST_BRANCHES} %",
            f"{branches:.2f} %",
            _yes(branches >= MOST_BRANCHES),
        ],
    ]
    return f"""\
# Coverage of the kernel by the host tests

Written by `make coverage`; do not edit. The tests of `ctest -LE soak` and {MODEL_STEPS:,} steps of the
model's campaign, on the host port, counted by clang as the source stands: an inline function counts once,
and as reached where any file that includes it reached it. A branch is one way out of a decision, of which
`a && b` has four.

## Targets

{table(["target", "wanted", "measured", "met"], wanted)}
## By room

{table(["room", "lines", "run", "", "branches", "taken", ""], rooms)}
## What is left, and why

From `tests/coverage.toml`; `make check` fails if this list is not complete, or too long.

{table(["file", "line", "never", "reason"], left)}"""


def _yes(met: bool) -> str:
    return "yes" if met else "no"


def _call(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def _run(build: Path) -> Reached:
    """Runs the tests of `build`, anew."""
    from tests.model.campaign import drive
    from tests.model.player import Player

    counts, merged = build / "counts", build / "counts.profdata"
    counts.mkdir(exist_ok=True)
    for old in counts.iterdir():
        old.unlink()
    os.environ["LLVM_PROFILE_FILE"] = f"{counts.resolve()}/%m-%p.profraw"
    _call("ctest", "--test-dir", build, "-LE", "soak", "-j", "2", "--output-on-failure")
    with Player(build / "model_play") as player:
        drive(player, MODEL_STEPS, first_seed=1)
    _call("llvm-profdata", "merge", "-o", merged, *sorted(counts.glob("*.profraw")))
    programs = sorted(one for one in build.iterdir() if one.is_file() and os.access(one, os.X_OK))
    objects = [word for one in programs[1:] for word in ("-object", str(one))]

    def exported(form: str) -> str:
        options = (f"-format={form}", "-instr-profile", merged)
        return _call("llvm-cov", "export", *options, programs[0], *objects, ROOT / "kernel")

    return reached_from(exported("text"), exported("lcov"), ROOT)


def listed() -> tuple[dict[Left, str], list[Checks]]:
    """tests/coverage.toml: what is left, each with its reason; and what holds for lines of any file."""
    read = tomllib.loads(LIST.read_text(encoding="utf-8"))
    reasons = {
        Left(one["file"], one["line"], one["never"]): one["reason"] for one in read.get("left", [])
    }
    checks = read.get("checks", [])
    return reasons, [Checks(tuple(one["begin"]), one["never"], one["reason"]) for one in checks]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    reached = _run(options.build)
    reasons, checks = listed()
    text_of = {
        file: (ROOT / file).read_text(encoding="utf-8").splitlines()
        for file in {file for file, _ in reached.lines}
    }
    found = problems(reached, reached.left(text_of), reasons, checks)
    lines, branches = reached.percent()
    sys.stdout.write(f"kernel/: {lines:.2f} % of lines, {branches:.2f} % of branches\n")
    if options.page is not None:
        options.page.write_text(page(reached, reasons, checks), encoding="utf-8")
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
