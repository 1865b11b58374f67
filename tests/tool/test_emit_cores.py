# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The generated sources of several cores: a file for each, with the tasks' numbers in the whole system."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tool.core_boards import system_on
from tests.tool.test_read_activated_cores import NOTE, TASK, both, described

from horolog.divide import plans_for_cores
from horolog.emit import generated_files_for_cores, generated_for_cores
from horolog.read import read_system


def texts_of(path: Path, queue: str | None = None) -> dict[str, str]:
    found = plans_for_cores(read_system(path), queue=queue)
    return dict(generated_for_cores(found.system, found.plans).texts)


def test_a_file_for_each_core(tmp_path: Path) -> None:
    texts = texts_of(system_on(tmp_path))
    assert {*texts} == {
        "hrl_gen_bodies.c",
        "hrl_gen_core_0.c",
        "hrl_gen_core_1.c",
        "hrl_gen_freertos.c",
        "hrl_gen_freertos_any_core.c",
        "hrl_gen_freertos_config.h",
        "hrl_gen_freertos_rate_group.c",
        "hrl_gen_system.c",
        "system.cmake",
    }
    assert "set(HRL_CORES 2)" in texts["system.cmake"]
    assert not [name for name, text in texts.items() if "GLOBAL_THREAD" in text]
    assert len(re.findall(r"^HRLP_JOB_BODY\(", texts["hrl_gen_bodies.c"], re.MULTILINE)) == 5


def test_what_a_core_has_and_what_all_have(tmp_path: Path) -> None:
    texts = texts_of(system_on(tmp_path))
    once = ("HRLI_DISPATCH_DEFINE(", "hrl_gen_clock_rate =", "HRLI_MAIN(", "HRLI_SYSTEMS(")
    for core in range(2):
        text = texts[f"hrl_gen_core_{core}.c"]
        first = [line for line in text.splitlines() if line.startswith("#")][:2]
        assert first == [f"#define HRLI_CORE_NUMBER {core}", '#include "core_names.h"']
        for name in once:
            assert name not in text
        for name in ("HRLI_SYSTEM(", "HRLI_PREPARE(", "HRLI_LAYOUT", "HRLI_IDLE("):
            assert text.count(name) == 1
    assert all(texts["hrl_gen_system.c"].count(name) == 1 for name in once)
    assert "HRLI_SYSTEMS(HRLI_OF_CORE(0) HRLI_OF_CORE(1))" in texts["hrl_gen_system.c"]


def test_core_0_calls_the_function_before_the_start(tmp_path: Path) -> None:
    assert "\nHRLI_MAIN()\n" in texts_of(system_on(tmp_path))["hrl_gen_system.c"]
    (tmp_path / "begin.c").write_text("void begin(void) {}\n", encoding="utf-8")
    path = system_on(tmp_path, cores='cores = 2\nsources = ["begin.c"]\nstart = "begin"')
    texts = texts_of(path)
    assert "\nHRLI_MAIN(HRLI_CALL(begin))\n" in texts["hrl_gen_system.c"]
    assert not [
        name for name, text in texts.items() if "begin" in text and name.endswith("core_0.c")
    ]
    assert not [name for name in texts if "freertos" in name]  # its services are Horolog's


def test_tasks_have_the_numbers_of_the_whole_system(tmp_path: Path) -> None:
    texts = texts_of(system_on(tmp_path, core="1"))
    one, other = (texts[f"hrl_gen_core_{core}.c"] for core in range(2))
    assert re.findall(r"void hrl_gen_body_(\d+)", one) == ["0"]
    assert re.findall(r"void hrl_gen_body_(\d+)", other) == ["1", "2", "3", "4"]
    assert re.findall(r"HRLI_STACK\((\d+)", other) == ["1", "2"]  # late.0 to late.2 share one
    assert "HRLI_SHARED_THREAD(2, 1u, " in other
    assert "HRLI_SHARED_JOB(2, 0u, hrl_gen_body_2)" in other
    assert "HRLI_SHARED_LAST_JOB(hrl_gen_body_4)" in other
    assert "Cell_Handler32" in other
    assert "HRLI_PERIODIC(0, " in one
    assert "HRLI_PERIODIC(1, " in other  # its releaser: the first is core 0's


BASIC = """
[[task]]
name = "basic"
kind = "basic"
period = "{period}"
work = 5
core = {core}
"""


def test_basic_tasks_of_a_core(tmp_path: Path) -> None:
    more = BASIC.format(core=1, period="1 ms") + BASIC.format(core=1, period="2 ms").replace(
        '"basic"', '"more"', 1
    )
    path = system_on(tmp_path, core="0", more=more)
    found = plans_for_cores(read_system(path), mechanism="one-shot")
    made = generated_for_cores(found.system, found.plans)
    one, other = (made.texts[f"hrl_gen_core_{core}.c"] for core in range(2))
    assert "HRLI_LINE" not in one
    assert "#define hrl_gen_line_1 HRLI_ON_CORE(hrl_gen_line_1)" in other
    assert re.findall(r"^    \{hrl_gen_body_(\d+), &hrl_gen_line_(\d)", other, re.MULTILINE) == [
        ("5", "0"),
        ("6", "1"),
    ]
    handlers = re.findall(r"HRLI_ALONE_ENTRY\((\w+), hrl_gen_body_(\d), (\w+), 1\)", other)
    assert [body for _, body, _ in handlers] == ["5", "6"]
    for handler, body, frame in handlers:
        assert re.fullmatch(r"Software_Handler\d+_on_1", handler)
        assert made.framed[frame] == f"hrl_gen_body_{body}"
    assert not any("_on_0" in frame for frame in made.framed)
    common = made.texts["hrl_gen_system.c"]
    assert "HRLI_NO_LINES_ON(0)\nHRLI_LINES_ON(1)\n" in common
    assert "HRLI_LINES_OF_CORES(HRLI_LINES_OF(0) HRLI_LINES_OF(1))" in common
    settings = made.texts["system.cmake"]
    assert "set(HRL_BASIC_TASKS 1)" in settings
    assert "WITHOUT_THREADS" not in settings
    assert "OWN_PRIORITIES" not in settings  # of core 0, whose threads have
    assert [one.system.shares_levels_elsewhere for one in found.plans] == [True, True]


def test_interrupts_and_what_they_activate(tmp_path: Path) -> None:
    more = both("core = 1") + NOTE.format(by="fast").replace("note", "after")
    spark = TASK.format(name="spark", by="interrupt bell", priority=1) + 'kind = "basic"\n'
    texts = texts_of(described(tmp_path, more + spark))
    one, other = (texts[f"hrl_gen_core_{core}.c"] for core in range(2))
    bodies = texts["hrl_gen_bodies.c"]
    assert "HRLP_HANDLER_BODY(5, hrl_work(20u), " in bodies
    names = re.findall(r"^HRLP_JOB_BODY(?:_AND)?\((\d+), .*?/\* (\S+) \*/", bodies, re.M | re.S)
    assert names[5:] == [("6", "open"), ("7", "note"), ("8", "after"), ("9", "spark")]
    assert "HRLI_STACK(6, 512)" in other
    assert "HRLI_SPORADIC(6, open, 2u)" in other
    assert "HRLI_SPORADIC(7, note, 1u)" in other
    assert "HRLI_SPORADIC(8, after, 1u)" in one
    assert re.search(r"HRLI_SPORADIC_BASIC\(spark, hrl_gen_body_9, ", other)
    gives = "HRLI_ACTIVATE(open)\n    HRLI_ACTIVATE_BASIC(spark)"
    assert f"HRLI_INTERRUPT_AND(0, 5,\n    {gives}" in other
    prepared = other[other.index("HRLI_PREPARE(") :]
    for step in ("HRLI_START_SPORADIC(6)", "HRLI_START_SPORADIC(7)", "HRLI_ATTACH(0, 29u, 2u)"):
        assert step in prepared
    assert "HRLI_START_SPORADIC(8)" in one
    assert "HRLI_ATTACH" not in one
    assert "\nHRLI_MAIN()\n" in texts["hrl_gen_system.c"]


def test_threads_that_run_basic_tasks_of_a_core(tmp_path: Path) -> None:
    path = system_on(tmp_path, core="0\npriority = 3", more=BASIC.format(core=1, period="50 ms"))
    text = path.read_text(encoding="utf-8").replace("work", "priority = 2\nwork", 2)
    text = text.replace('kind = "basic"', 'kind = "basic"\npriority = 1')
    text = text.replace("\n[[task]]", 'priorities = "explicit"\n[[task]]', 1)
    path.write_text(text, encoding="utf-8")
    text = texts_of(path)["hrl_gen_core_1.c"]
    assert "HRLI_SERVER(" in text
    assert re.search(r"HRLI_HANDLER\(Software_Handler\d+_on_1,\s+HRLI_RING_SERVERS", text)


def test_tasks_that_end(tmp_path: Path) -> None:
    texts = texts_of(system_on(tmp_path, core="1", cores="cores = 2\nreleases = 3"))
    other = texts["hrl_gen_core_1.c"]
    assert re.findall(r"HRLI_LIMITED_THREAD\((\d+)", other) == ["1"]
    assert re.findall(r"HRLI_LIMITED_SHARED_JOB\((\d+)", other) == ["2", "3", "4"]
    assert "HRLI_LIMITED_SHARED_THREAD(2, HRLI_LIMITED_IS_OVER(2)" in other


def test_a_core_without_tasks_is_idle(tmp_path: Path) -> None:
    texts = texts_of(system_on(tmp_path, of=4, cores="cores = 3", core="1"))
    idle = texts["hrl_gen_core_2.c"]
    assert "HRLI_SYSTEM(NULL, 0u, NULL, 0u, hrli_no_timeouts, hrli_enrolment)" in idle
    assert "HRLI_HANDLER" not in idle
    assert "HRLI_LAYOUT" not in idle


def test_one_kernel_has_what_all_cores_allow(tmp_path: Path) -> None:
    own = "set(HRL_OWN_PRIORITIES 1)"
    assert own in texts_of(system_on(tmp_path / "own", core="1"))["system.cmake"]
    never = system_on(tmp_path / "same", core="1", cores='cores = 2\nshare = "never"')
    assert own not in texts_of(never)["system.cmake"]  # three on one level of core 1
    texts = texts_of(never, queue="mask-table")
    assert "#define hrl_gen_mask_parts hrl_gen_mask_parts_on_1" in texts["hrl_gen_core_1.c"]
    masked = texts["system.cmake"]
    assert "set(HRL_RELEASE_MASKS 1)" in masked
    assert own not in masked
    assert "HRL_RELEASE_PRIORITIES" not in masked  # share = "never": threads may wait


def test_files_that_do_not_change_are_left_alone(tmp_path: Path) -> None:
    found = plans_for_cores(read_system(system_on(tmp_path)))
    whole, plans = found.system, found.plans
    made = generated_files_for_cores(whole, plans, tmp_path / "gen")
    file = tmp_path / "gen" / "hrl_gen_core_1.c"
    assert file.read_text(encoding="utf-8") == made.texts[file.name]
    before = file.stat().st_mtime_ns
    generated_files_for_cores(whole, plans, tmp_path / "gen")
    assert file.stat().st_mtime_ns == before


def test_freertos_has_the_same_tasks_on_the_same_cores(tmp_path: Path) -> None:
    texts = texts_of(system_on(tmp_path, core="1"))
    pinned = texts["hrl_gen_freertos.c"]
    on = re.findall(r"BASELINE_STACK_ON\((\d), (\w+), ", pinned)
    assert on == [
        ("0", "hrl_gen_stack_0"),
        *(("1", f"hrl_gen_stack_{task}") for task in range(1, 5)),
        ("0", "idle_stack_0"),
        ("1", "idle_stack_1"),
    ]
    bits = re.search(r"baseline_affinities\[\] = \{([^}]*)\}", pinned)
    assert bits is not None
    assert re.findall(r"\d+", bits[1]) == ["1", "2", "2", "2", "2"]
    assert "StackType_t *const baseline_idle_stacks[] = {idle_stack_0, idle_stack_1};" in pinned
    anywhere = texts["hrl_gen_freertos_any_core.c"]
    assert "BASELINE_STACK_ON" not in anywhere
    assert anywhere.count("BASELINE_STACK(") == 7
    grouped = texts["hrl_gen_freertos_rate_group.c"]
    assert "BASELINE_JOB(2) BASELINE_JOB(3) BASELINE_JOB(4)" in grouped
    assert "HRL_GEN_START_TICKS 4u" in texts["hrl_gen_freertos_config.h"]
    assert (
        "set(HRL_BASELINES freertos freertos_rate_group freertos_any_core)" in texts["system.cmake"]
    )


def test_a_rate_group_lies_on_one_core(tmp_path: Path) -> None:
    path = system_on(tmp_path, core="0")
    text = path.read_text(encoding="utf-8")
    more = '[[task]]\nname = "more"\nperiod = "50 ms"\nwork = 5\ncore = 1\n'
    path.write_text(text + more, encoding="utf-8")
    grouped = texts_of(path)["hrl_gen_freertos_rate_group.c"]
    assert "BASELINE_JOB(2) BASELINE_JOB(3) BASELINE_JOB(4)" in grouped
    assert re.search(r'"more", hrl_gen_body_5, server_stack_3,', grouped)


def test_what_no_tick_expresses_is_not_generated(tmp_path: Path) -> None:
    path = system_on(tmp_path, core="0")
    text = path.read_text(encoding="utf-8").replace('period = "5 ms"', 'period = "70 us"')
    path.write_text(text.replace("work = 500", "work = 20"), encoding="utf-8")
    assert not [name for name in texts_of(path) if "freertos" in name]


def test_resources_of_one_core_and_of_several(tmp_path: Path) -> None:
    more = BASIC.format(core=0, period="1 ms")
    for name, tasks, how in (
        ("bus", '"fast", "slow"', 'spin = true\nhold = "1 us"'),
        ("local", '"basic", "fast"', ""),
        ("disk", '"slow", "late"', 'mutex = "inheritance"'),
        ("wire", '"basic", "late"', 'spin = true\nhold = "100 ns"'),
    ):
        more += f'\n[[resource]]\nname = "{name}"\ntasks = [{tasks}]\n{how}\n'
    texts = texts_of(system_on(tmp_path, core="1", more=more))
    one, other = (texts[f"hrl_gen_core_{core}.c"] for core in range(2))
    assert re.search(r"HRL_RESOURCE_DEFINE\(local, \d+u\);", one)
    assert "HRL_MUTEX" not in one
    assert "HRL_MUTEX_DEFINE(disk);" in other
    assert "HRL_RESOURCE" not in other
    assert "SPINLOCK" not in one + other
    common = texts["hrl_gen_system.c"]
    assert "#include <hrl/spinlock.h>\n" in common
    assert "HRL_SPINLOCK_DEFINE(bus, 28);\nHRL_SPINLOCK_DEFINE(wire, 29);\n" in common
    assert "OWN_PRIORITIES" not in texts["system.cmake"]


def test_a_task_that_several_cores_may_run(tmp_path: Path) -> None:
    path = system_on(tmp_path, core="1")
    text = path.read_text(encoding="utf-8").replace("core = 0", "cores = [0, 1]", 1)
    path.write_text(text, encoding="utf-8")
    system = read_system(path)
    found = plans_for_cores(system)
    # One ranking of all cores' tasks: fast before slow before late.
    assert [task.priority for task in found.system.tasks] == [3, 2, 1, 1, 1]
    assert found.system.tasks[0].wcet == system.tasks[0].wcet
    texts = dict(generated_for_cores(found.system, found.plans).texts)
    common, home = texts["hrl_gen_system.c"], texts["hrl_gen_core_0.c"]
    assert 'HRLI_GLOBAL_THREAD(0, "fast", 3u, 3u)' in common
    assert "HRLI_STACK(0, " in common
    assert "HRLI_MAIN(HRLI_START_GLOBAL(0))" in common
    assert "HRLI_RELEASES_GLOBAL(0)" in home
    assert "HRLI_STACK(releasing_0, " in home
    assert 'HRLI_PERIODIC_THREAD(releasing_0, "fast", 31u, ' in home
    assert "hrl_gen_release_0" in home
    assert "SINGLE_THREAD_HANDLER" not in home  # it would end with the switch
    assert "GLOBAL" not in texts["hrl_gen_core_1.c"]
    assert "set(HRL_GLOBAL_THREADS 1)" in texts["system.cmake"]
    assert "OWN_PRIORITIES" not in texts["system.cmake"]
    pinned = texts["hrl_gen_freertos.c"]
    affinities = pinned[pinned.index("baseline_affinities") :]
    assert re.findall(r"(\d)u,", affinities)[:2] == ["3", "2"]
