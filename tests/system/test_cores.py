# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Firmware for several cores: it is built, and what each core has lies in its memory; as a soak it runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.support import horolog

from horolog.image import CoreNames, read_image

TEXT = """\
[system]
name = "two"
board = "ibex-cells-x2"
duration = "10 ms"

[[task_group]]
name = "fast"
tasks = 2
period = "1 ms"
work = 300
core = 0

[[task]]
name = "other"
period = "1 ms"
work = 600
core = 1

[[task]]
name = "slow"
period = "3 ms"
work = 1_000
core = 1
"""
BASIC = """\
[[task]]
name = "spark"
kind = "basic"
period = "500 us"
work = 100
core = 0

[[task]]
name = "knock"
kind = "basic"
period = "500 us"
work = 100
core = 1

[[task]]
name = "check"
kind = "basic"
period = "700 us"
work = 100
core = 1

[[task]]
name = "log"
kind = "basic"
period = "5 ms"
work = 500
core = 1
"""
SPUN = """
[[resource]]
name = "bus"
tasks = ["fast", "other"]
spin = true
hold = "1 us"
"""
SEVERAL = """
[[task]]
name = "left"
period = "1 ms"
work = 5_000
core = 0

[[task]]
name = "right"
period = "1 ms"
offset = "400 us"
work = 5_000
core = 1

[[task]]
name = "brisk"
period = "500 us"
work = 500
cores = [0, 1]

[[task]]
name = "long"
period = "4 ms"
work = 25_000
cores = [1, 0]

[[task_group]]
name = "more"
tasks = 4
period = "10 ms"
work = 1_000
cores = [0, 1]
"""
OWN, STEP = 0x91000000, 0x100000


@pytest.fixture
def system(tmp_path: Path) -> Path:
    path = tmp_path / "system.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_each_core_has_its_own_memory(system: Path, tmp_path: Path) -> None:
    system.write_text(TEXT + SPUN, encoding="utf-8")
    said = horolog("build", system, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    elf = Path(json.loads(said.out)["horolog"])
    names = (CoreNames(0, (0, 1), range(1), 0), CoreNames(1, (2, 3), range(1, 2), 1))
    for core, of in enumerate(names):
        image = read_image(elf, of)
        own = range(OWN + core * STEP, OWN + (core + 1) * STEP)
        for name in ("hrl_gen_threads", "hrl_gen_stack_0", "hrl_gen_releaser_0", "idle_stack"):
            assert image.address(name) in own, name
        assert image.layout is not None
        assert image.address("hrli_core") < OWN  # private: at one address on all cores
    said = horolog("calls", system, "--out", tmp_path / "out", "--json")
    found = json.loads(said.out)
    assert [one["name"] for one in found["tasks"]] == ["fast.0", "fast.1", "other", "slow"]
    assert [one["core"] for one in found["cores"]] == [0, 1]
    for one in found["cores"]:
        assert one["common_stack_bytes"] is None
        assert 200 < one["main_stack"]["most_bytes"] < one["main_stack"]["given_bytes"] == 16384


@pytest.mark.soak
@pytest.mark.parametrize("options", [[], ["--queue", "mask-table"], ["--mechanism", "one-shot"]])
def test_basic_tasks_do_what_is_predicted(system: Path, tmp_path: Path, options: list[str]) -> None:
    system.write_text(TEXT + BASIC, encoding="utf-8")
    said = horolog("run", system, "--out", tmp_path / "out", "--json", *options)
    assert said.code == 0, said.err
    for one in json.loads(said.out)["cores"]:
        side = one["horolog"]
        assert (side["jobs"], side["deadline_misses"]) == ((40, 51)[one["core"]], 0)
        assert side["overruns"] == 0
        found = side["interrupts"]
        assert found["predicted"] == found["taken"] + found["coalesced"]


@pytest.mark.soak
@pytest.mark.parametrize("options", [[], ["--queue", "mask-table"], ["--mechanism", "one-shot"]])
def test_each_core_does_what_is_predicted(system: Path, tmp_path: Path, options: list[str]) -> None:
    said = horolog("run", system, "--out", tmp_path / "out", "--json", *options)
    assert said.code == 0, said.err
    result = json.loads(said.out)
    jobs = {0: 20, 1: 14}
    for one in result["cores"]:
        side = one["horolog"]
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (
            jobs[one["core"]],
            0,
            0,
        )
        found = side["interrupts"]
        assert found["predicted"] == found["taken"] + found["coalesced"]
        assert found["excess"] == 0
    assert result["horolog"]["jobs"] == 34


SHARED = """\
[system]
name = "shared"
board = "ibex-cells-x2"
duration = "30 ms"
sources = ["bodies.c"]
"""
TASKS = {  # body, core, period, WCET
    "fast": ("hrl_work(100); HELD(hrl_spinlock, bus, 200)", 0, "500 us", "26 us"),
    "log": ("hrl_work(900); for (int i = 0; i < 3; i++) { HELD(hrl_spinlock, bus, 500) } WITH(disk, 300)", 0,
            "2 ms", "170 us"),
    "writer": ("WITH(disk, 200)", 0, "1 ms", "15 us"),
    "other": ("HELD(hrl_spinlock, bus, 400) hrl_work(50); HELD(hrl_spinlock, bus, 400)", 1,
              "290 us", "55 us"),
    "edge": ("HELD(hrl_resource, port, 50)", 1, "400 us", "5 us"),
    "drain": ("HELD(hrl_resource, port, 300) hrl_work(200);", 1, "1 ms", "33 us"),
}  # fmt: skip
USED = """
[[resource]]
name = "bus"
tasks = ["fast", "log", "other"]
spin = true
hold = { fast = "13 us", log = "31 us", other = "25 us" }
requests = { log = 3, other = 2 }

[[resource]]
name = "disk"
tasks = ["log", "writer"]
mutex = "inheritance"
hold = { log = "19 us", writer = "13 us" }

[[resource]]
name = "port"
tasks = ["edge", "drain"]
hold = { edge = "4 us", drain = "19 us" }
"""
BODIES = """\
#include <hrl/mutex.h>
#include <hrl/resource.h>
#include <hrl/spinlock.h>
void hrl_work(uint32_t turns);
extern struct hrl_spinlock bus;
extern struct hrl_mutex disk;
extern struct hrl_resource port;
#define HELD(kind, name, turns) kind##_take(&name); hrl_work(turns); kind##_give(&name);
#define WITH(name, turns) (void)hrl_mutex_lock(&name, HRL_FOREVER); hrl_work(turns); hrl_mutex_unlock(&name);
"""


@pytest.mark.soak
@pytest.mark.parametrize("options", [[], ["--mechanism", "one-shot"]])
def test_responses_with_resources_of_one_core_and_of_several(
    tmp_path: Path, options: list[str]
) -> None:
    """Cores wait for each other, and no response is above its bound."""
    text, bodies = SHARED, BODIES
    for name, (body, core, period, wcet) in TASKS.items():
        kind = 'kind = "basic"' if name == "edge" else "waits = false"
        text += f'\n[[task]]\nname = "{name}"\nbody = "{name}"\ncore = {core}\n{kind}\n'
        text += f'period = "{period}"\nwcet = "{wcet}"\n'
        bodies += f"void {name}(void) {{ {body} }}\n"
    path = tmp_path / "system.toml"
    path.write_text(text + USED, encoding="utf-8")
    (tmp_path / "bodies.c").write_text(bodies, encoding="utf-8")
    said = horolog("analyse", path, "--json", *options)
    assert said.code == 0, said.out
    bounds = {
        task["name"]: task["bound_ns"]
        for core in json.loads(said.out)["cores"]
        for task in core["analysis"]["tasks"]
    }
    said = horolog("run", path, "--out", tmp_path / "out", "--json", *options)
    assert said.code == 0, said.err
    seen = 0
    for core in json.loads(said.out)["cores"]:
        assert core["horolog"]["deadline_misses"] == 0
        for name, response in core["horolog"]["response"].items():
            assert response["max_ns"] <= bounds[name], name
            seen += 1
        spent = core["horolog"]["cycles"]["by_function"]["hrl_spinlock_take"]
        requests = (60 + 3 * 15, 2 * 104)[core["core"]]
        assert spent > 60 * requests, "a take without a wait has some 20 cycles"
    assert seen == len(TASKS)


@pytest.mark.emulator
@pytest.mark.xdist_group("rtl")
@pytest.mark.soak  # builds the simulator of two cores; bench cores compares many such systems
def test_freertos_does_the_same_work_on_the_same_cores(system: Path, tmp_path: Path) -> None:
    text = system.read_text(encoding="utf-8").replace('"10 ms"', '"3 ms"')
    system.write_text(text, encoding="utf-8")
    said = horolog("compare", system, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    result = json.loads(said.out)
    sides = {"stock": result["freertos"]}
    sides |= {name: one["side"] for name, one in result["baselines"].items()}
    assert {*sides} == {"stock", "rate-group", "any-core"}
    for side in sides.values():  # a ratio is given for equal work only
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (10, 0, 0)
        assert side["interrupts"] == {"predicted": 3, "taken": 3, "coalesced": 0, "excess": 0}
        assert 0 < side["doorbells"] < 10
    assert result["ratio"] > 2
    assert all(one["ratio"] > 2 for one in result["baselines"].values())
    for name, cores in result["freertos_cores"].items():
        kernel = sum(one["kernel"] for one in cores)
        assert kernel == sides[name]["cycles"]["kernel"]
        assert all(one["bodies"] > 0 for one in cores), name
        assert len({one["total"] for one in cores}) == 1


@pytest.mark.soak
@pytest.mark.parametrize(
    "options", [["--checks"], ["--queue", "mask-table"], ["--mechanism", "one-shot"]]
)
def test_tasks_that_several_cores_may_run(system: Path, tmp_path: Path, options: list[str]) -> None:
    system.write_text(TEXT[: TEXT.index("\n[[")] + "\n" + SEVERAL, encoding="utf-8")
    said = horolog("run", system, "--out", tmp_path / "out", "--json", *options)
    assert said.code == 0, said.err
    result = json.loads(said.out)
    side = result["horolog"]
    assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (47, 0, 0)
    (note,) = (one for one in result["notes"] if "of core by tasks" in one)
    # A job of 1.5 ms, beside one of 0.3 ms a millisecond on each core, goes on where there is a core.
    assert int(note[note.index("long ") + 5 :].split(",")[0]) > 5
