# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `soak`: the long campaigns of the kernel's tests, on this machine, in virtual time.

Runs in a checkout only, as it runs the checkout's tests. What it records is the same in every run: how much
each campaign did, from which seeds, and whether it found nothing; no times.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from horolog.build.firmware import build_step
from horolog.data import data_root
from horolog.model import Exit, HorologError
from horolog.programs import Finished, call, require, version
from horolog_experiments.harness import (
    EVIDENCE,
    MEASURED,
    Experiment,
    Found,
    Run,
    Target,
    entries,
    listed,
    table,
    targets_table,
    typed,
)
from horolog_experiments.sources import Sources, changed_since, sources_of

__all__ = [
    "EXPERIMENT",
    "PARTS",
    "Campaign",
    "Soak",
    "measure_soak",
    "queue_campaigns",
    "soak_from",
    "soak_page",
    "soak_state",
    "soak_text",
]

MODEL_STEPS = 10_000_000
_MODEL_PARTS = 8
CORES_STEPS = 1_000_000
_CORES = (2, 4)
_FUZZ_RUNS = {"fuzz_queue": 50_000, "fuzz_services": 200_000}
_QUICK = 100  # times less
_WORKERS = 2
_SECONDS = 3 * 3600


@dataclass(frozen=True, slots=True)
class Campaign:
    """One campaign: what it did, and whether it found nothing. `amount` is None where it does not say."""

    part: str
    name: str
    amount: int | None
    unit: str
    seeds: str
    passed: bool


@dataclass(frozen=True)
class Soak:
    """Campaigns, by part and name; the command and the tools that each part was measured with; and of which
    sources, where that was recorded.
    """

    campaigns: tuple[Campaign, ...]
    measured: Mapping[str, str]
    sources: Mapping[str, Sources] = field(default_factory=dict)

    def with_parts_of(self, other: Soak) -> Soak:
        """This result, with the parts that `other` has measured taken from `other`."""
        kept = [one for one in self.campaigns if one.part not in other.measured]
        campaigns = sorted((*kept, *other.campaigns), key=lambda one: (one.part, one.name))
        before = {p: one for p, one in self.sources.items() if p not in other.measured}
        return Soak(
            tuple(campaigns),
            dict(sorted({**self.measured, **other.measured}.items())),
            dict(sorted({**before, **other.sources}.items())),
        )


def measure_soak(
    out: Path, say: Callable[[str], None], parts: Sequence[str] = (), *, quick: bool = False
) -> Soak:
    """Run the `parts`, all of PARTS by default; what `quick` runs is about a hundredth.

    HorologError (3) away from a checkout or if a tool is missing. What a campaign finds is in the result
    and, in full, in a file below `out`.
    """
    root = data_root()
    if not (root / "tests" / "model").is_dir():
        raise HorologError(
            "the bench soak runs the kernel's tests",
            found="an installed package, which comes without them",
            expected="a checkout of Horolog",
            exit=Exit.NOT_INSTALLED,
        )
    require("cmake", "ninja", "gcc", "clang")
    out = out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    chosen = [part for part in PARTS if part in parts or not parts]
    campaigns: list[Campaign] = []
    sources: dict[str, Sources] = {}
    for part in chosen:
        say(f"running {part}")
        before = sources_of(root)
        campaigns += _RUNS[part](root, out, quick)
        if before is not None:
            edited = before != sources_of(root)
            sources[part] = replace(before, modified=before.modified or edited)
    made = {part: _command(part, quick) for part in chosen}
    return Soak((), {}).with_parts_of(Soak(tuple(campaigns), made, sources))


def _command(part: str, quick: bool) -> str:
    tools = {
        "queues": f"gcc {version('gcc')}",
        "cores": f"gcc {version('gcc')}",
        "fuzz": f"clang {version('clang')}",
    }.get(part, f"gcc {version('gcc')}, hypothesis {_installed('hypothesis')}")
    return f"`horolog bench soak --part {part}{' --quick' if quick else ''}`, {tools}"


def _installed(package: str) -> str:
    try:
        return package_version(package)
    except PackageNotFoundError as error:
        raise HorologError(
            f"not installed: {package}", expected="make setup-test", exit=Exit.NOT_INSTALLED
        ) from error


def _build(root: Path, folder: str, *options: str, targets: Sequence[str] = ()) -> Path:
    build = root / "build" / folder
    configure = ["cmake", "-S", str(root / "tests"), "-B", str(build), "-G", "Ninja", *options]
    build_step("configuring", call(configure, seconds=_SECONDS))
    compile_ = ["cmake", "--build", str(build), *(("--target", *targets) if targets else ())]
    build_step("compiling", call(compile_, seconds=_SECONDS))
    return build


def _note(out: Path, name: str, done: Finished) -> None:
    """Write what a campaign printed to a file of its name below `out`."""
    (out / f"{name}.txt").write_text(done.output + done.errors, encoding="utf-8")


def _queues(root: Path, out: Path, quick: bool) -> list[Campaign]:
    """Every delay queue against a plain model, conversions and periods, and random systems."""
    build, junit = _build(root, "host-tests"), out / "ctest.xml"
    chosen = ["-LE", "soak", "-R", "^conform_(queue|release)"] if quick else ["-L", "soak"]
    command = ["ctest", "--test-dir", str(build), *chosen, "-j", str(_WORKERS)]
    command += ["--test-output-size-passed", "1000000", "--output-junit", str(junit)]
    _note(out, "queues", call(command, seconds=_SECONDS))
    return queue_campaigns(junit.read_text(encoding="utf-8"))


def queue_campaigns(junit: str) -> list[Campaign]:
    """From ctest's JUnit file."""
    found = []
    for case in ElementTree.fromstring(junit).iter("testcase"):
        said = re.findall(
            r"\b(\d+) (?:random )?operations$", case.findtext("system-out") or "", re.MULTILINE
        )
        failed = case.find("failure") is not None or case.get("status") not in (None, "run")
        found.append(
            Campaign(
                "queues",
                case.get("name", "?"),
                sum(map(int, said)) if said else None,
                "random operations",
                "fixed",
                not failed,
            )
        )
    return found


def _model(root: Path, out: Path, quick: bool) -> list[Campaign]:
    """Kernel and reference model through the same scripts, in parts that run side by side."""
    _build(root, "host-tests", targets=["model_play"])
    steps = MODEL_STEPS // _MODEL_PARTS // (_QUICK if quick else 1)

    def run(part: int) -> Campaign:
        command = ["tests.model.soak", str(steps), str(seed := 1_000_000 * (part + 1))]
        name = f"model against kernel, part {part + 1} of {_MODEL_PARTS}"
        return _of_steps("model", name, command, seed, root, out / f"model_{part}")

    with ThreadPoolExecutor(_WORKERS) as pool:
        return list(pool.map(run, range(_MODEL_PARTS)))


def _cores(root: Path, out: Path, quick: bool) -> list[Campaign]:
    """The same on several simulated cores."""
    _build(root, "host-tests", targets=[f"model_play_x{cores}" for cores in _CORES])
    steps, seed = CORES_STEPS // (_QUICK if quick else 1), 1_000_000

    def run(cores: int) -> Campaign:
        command = ["tests.model.campaign_cores", *map(str, (steps, seed, cores))]
        name = f"model against kernel on {cores} cores"
        return _of_steps("cores", name, command, seed, root, out / f"cores_{cores}")

    with ThreadPoolExecutor(_WORKERS) as pool:
        return list(pool.map(run, _CORES))


def _of_steps(
    part: str, name: str, command: Sequence[str], seed: int, root: Path, out: Path
) -> Campaign:
    """Runs a module with its arguments, which says how many steps there were."""
    done = call([sys.executable, "-m", *command], seconds=_SECONDS, folder=root)
    _note(out.parent, out.name, done)
    said = re.fullmatch(r"(\d+) steps\n", done.output)
    amount = int(said.group(1)) if said else None
    holds = done.status == 0 and said is not None
    return Campaign(part, name, amount, "steps", f"from {seed:,}", holds)


def _faults(root: Path, out: Path, quick: bool) -> list[Campaign]:
    """Broken lines of the kernel that the model has to find, all of them also in a quick run."""
    junit = out / "faults.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-m", "soak", f"--junitxml={junit}"]
    command += [str(root / "tests" / "model" / "test_faults.py")]
    done = call(command, seconds=_SECONDS, folder=root)
    _note(out, "faults", done)
    cases = list(ElementTree.parse(junit).getroot().iter("testcase"))
    name = "lines of the kernel broken one at a time, each found by the model"
    return [Campaign("faults", name, len(cases), "broken lines", "1", done.status == 0)]


def _fuzz(root: Path, out: Path, quick: bool) -> list[Campaign]:
    """libFuzzer, from nothing, the same inputs every time."""
    options = ("-DHRL_TESTS_COMPILER=clang", "-DHRL_FUZZ=ON")
    build = _build(root, "fuzz-tests", *options, targets=list(_FUZZ_RUNS))

    def run(name: str) -> Campaign:
        runs = _FUZZ_RUNS[name] // (_QUICK if quick else 1)
        command = [str(build / name), "-seed=1", f"-runs={runs}", "-max_len=2048", "-timeout=10"]
        command += [f"-artifact_prefix={out}/"]
        done = call(command, seconds=_SECONDS, folder=out)
        _note(out, name, done)
        said = re.search(r"^Done (\d+) runs", done.errors, re.MULTILINE)
        amount = int(said.group(1)) if said else None
        return Campaign("fuzz", name, amount, "runs", "1", done.status == 0 and said is not None)

    with ThreadPoolExecutor(_WORKERS) as pool:
        return list(pool.map(run, _FUZZ_RUNS))


_RUNS: Mapping[str, Callable[[Path, Path, bool], list[Campaign]]] = {
    "queues": _queues,
    "model": _model,
    "cores": _cores,
    "faults": _faults,
    "fuzz": _fuzz,
}
PARTS = tuple(_RUNS)
"""In the order in which they run."""


def _steps(soak: Soak) -> Found:
    model = [one for one in soak.campaigns if one.part == "model"]
    if not model:
        return Found(None, {"reason": "not measured"})
    steps = sum(one.amount or 0 for one in model)
    return Found(steps, {"reason": "a quick run, or it found something"})


def _steps_on_cores(soak: Soak) -> Found:
    cores = [one for one in soak.campaigns if one.part == "cores"]
    if not cores:
        return Found(None, {"reason": "not measured"})
    least = min(one.amount or 0 for one in cores)
    return Found(least, {"reason": "a quick run, or it found something"})


def _failed(soak: Soak) -> Found:
    failed = [one.name for one in soak.campaigns if not one.passed]
    return Found(len(failed), ", ".join(failed))


_TARGETS: Sequence[Target[Soak]] = (
    Target("model against kernel, steps", ">=", MODEL_STEPS, "steps", _steps),
    Target(
        "model against kernel, steps on 2 and on 4 cores, the least",
        ">=",
        CORES_STEPS,
        "steps",
        _steps_on_cores,
    ),
    Target("campaigns that found something", "==", 0, "campaigns", _failed),
)
"""What issues 4 and 23 ask of the long run, and that nothing was found."""


def _result_rows(soak: Soak) -> list[dict[str, Any]]:
    return [
        {"what": "campaign", **asdict(one), "platform": "host port, virtual time", "measured": by}
        for one in soak.campaigns
        if (by := soak.measured[one.part])
    ]


def soak_text(soak: Soak) -> str:
    """`soak` as JSON: what the page is made from."""
    sources = {part: asdict(one) for part, one in soak.sources.items()}
    campaigns = listed("campaigns", (asdict(one) for one in soak.campaigns))
    return (
        f'{{"measured": {json.dumps(soak.measured, indent=1)},\n'
        f'"sources": {json.dumps(sources, indent=1)},\n{campaigns}}}\n'
    )


def soak_from(text: str) -> Soak:
    """What `soak_text` wrote."""
    data = json.loads(text)
    return Soak(
        typed(tuple[Campaign, ...], data["campaigns"]),
        data["measured"],
        typed(Mapping[str, Sources], data["sources"]),  # type: ignore[type-abstract]
    )


def soak_state(soak: Soak, now: Sources | None) -> dict[str, str | None]:
    """For each part: None if it holds for the sources as they are `now`, or why it is to be run again."""
    if now is None:
        raise HorologError(
            "nothing tells which sources these are",
            found="no git checkout, or no git",
            expected="a clone of Horolog's repository, and git",
            exit=Exit.NOT_INSTALLED,
        )
    return {part: _out_of_date(soak, part, now) for part in PARTS}


def _out_of_date(soak: Soak, part: str, now: Sources) -> str | None:
    if part not in soak.measured:
        return "not measured"
    then = soak.sources.get(part)
    if then is None:
        return "measured at a commit that was not recorded"
    changed = changed_since(then, now)
    if not changed:
        return None
    if then.modified:
        return f"measured at {then.commit} with changes that are in no commit"
    if now.modified:
        return f"measured at {then.commit}; there are changes that are in no commit"
    folders = " and ".join(f"{folder}/" for folder in changed)
    return f"measured at {then.commit}; since then {folders} changed"


_ABOUT = {
    "queues": "Each delay queue against a plain model, each store's own campaign, random systems, periods.",
    "model": "Scripts of calls, interrupt activity included, through the kernel and the reference model "
    "(`tests/model`), which must explain every trace. A step is a call that ended.",
    "cores": "The same on several simulated cores. One runs at a time, for 1 to 16 calls of the port, "
    "as drawn: each has threads and interrupts, and they share the objects (`tests/model/README.md`).",
    "faults": "The other way round: would it be seen (`tests/model/test_faults.py`)?",
    "fuzz": "libFuzzer, coverage-guided, from an empty corpus (`tests/fuzz`). A run is a script of up to 400 "
    "calls, or a sequence of operations through every queue.",
}


def soak_page(soak: Soak) -> str:
    """docs/evidence/soak.md."""
    text = f"""\
# Long campaigns

Written by `horolog bench soak`, which `make soak` runs; do not edit. On the host port, in virtual time, under
AddressSanitizer and UndefinedBehaviorSanitizer. Two runs say the same. A part can be run alone
(`--part`); then the others stand as they were, each with the command that measured it and the commit and
git's names of the trees that it measured. What it says holds for these: `horolog bench soak --status` tells
which parts are to be run again because the kernel, its headers or the ports have changed since.

## Targets

{targets_table(entries(_TARGETS, soak), "why", unit=False)}"""
    for part in PARTS:
        if part in soak.measured:
            text += (
                f"\n## {part.capitalize()}\n\n{_ABOUT[part]} Measured by {soak.measured[part]}, at "
                f"{soak.sources.get(part, 'a commit that was not recorded')}.\n\n"
            )
            text += table(["campaign", "ended", "did", "seeds"], _rows(soak.campaigns, part))
    return text


def _rows(campaigns: Iterable[Campaign], part: str) -> list[list[str]]:
    return [
        [
            one.name,
            "passed" if one.passed else "FAILED",
            "" if one.amount is None else f"{one.amount:,} {one.unit}",
            one.seeds,
        ]
        for one in campaigns
        if one.part == part
    ]


def _kept(soak: Soak, there: str, run: Run) -> Soak:
    """The page keeps what it says of parts that were not run."""
    return soak if run.quick else soak_from(there).with_parts_of(soak)


def _status(root: Path) -> Mapping[str, str | None]:
    data = root / EVIDENCE / "soak" / MEASURED
    if not data.is_file():
        raise HorologError(
            "there is no page of the bench soak",
            found=f"no {data}",
            expected="a checkout of Horolog",
            exit=Exit.NOT_INSTALLED,
        )
    return soak_state(soak_from(data.read_text(encoding="utf-8")), sources_of(root))


EXPERIMENT = Experiment[Soak](
    "soak",
    measure=lambda run: measure_soak(run.folder, run.say, run.parts, quick=run.quick),
    rows=_result_rows,
    page=soak_page,
    targets=_TARGETS,
    data=soak_text,
    is_whole=lambda soak, run: not run.quick,
    kept=_kept,
    takes=("parts", "quick"),
    parts=PARTS,
    status=_status,
)
