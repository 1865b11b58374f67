# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Aperiodic tasks on several cores: a server has the core of its task, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tool.test_read_activated_cores import INTERRUPT, described

from horolog.divide import divided, plans_for_cores
from horolog.emit import generated_for_cores
from horolog.model import parts_of
from horolog.model.errors import HorologError
from horolog.read import read_system

SERVED = """
[[server]]
name = "serves"
kind = "{kind}"
period = "10 ms"
jobs = 2
priority = 2

[[task]]
name = "asked"
server = "serves"
work = 50
{keys}
"""


def refused(path: Path) -> str:
    with pytest.raises(HorologError) as caught:
        read_system(path)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["polling", "deferrable"])
def test_a_server_has_the_core_of_its_task(tmp_path: Path, kind: str) -> None:
    path = described(tmp_path, SERVED.format(kind=kind, keys="core = 1"), core="0")
    system = read_system(path)
    first, second = parts_of(system)
    assert first.system.sporadic == ()
    (one,) = second.system.sporadic
    assert one.server is not None
    assert second.system.tasks[one.server.task].name == "serves"
    assert second.system.served == {1: 2}
    assert second.jobs == (1, 5, 6)
    found = plans_for_cores(system)
    made = generated_for_cores(found.system, found.plans)
    other = made.texts["hrl_gen_core_1.c"]
    assert re.search(rf"HRLI_{kind.upper()}_SERVER\(serves, 6, asked, ", other)
    assert ("HRLI_START_SPORADIC(6)" in other) == (kind == "deferrable")
    assert "serves, 6" not in made.texts["hrl_gen_core_0.c"]
    assert "hrl_gen_serve_serves()" in made.texts["hrl_gen_bodies.c"]


def test_the_plan_keeps_them_together(tmp_path: Path) -> None:
    more = SERVED.format(kind="polling", keys="")
    path = described(tmp_path, more, cores='cores = 2\ncore = "auto"', core='"auto"')
    found = divided(read_system(path)).system
    (one,) = found.sporadic
    assert one.server is not None
    assert one.task.core == found.tasks[one.server.task].core
    assert one.task.core is not None


def test_an_aperiodic_task_says_its_core(tmp_path: Path) -> None:
    said = refused(described(tmp_path, SERVED.format(kind="polling", keys=""), core="0"))
    assert 'the task "asked" does not say on which of 2 cores it runs' in said
    assert 'expected: core = 0 to 1, or core = "auto", here or in [system]' in said
    bell = INTERRUPT.format(name="bell", line=29) + "core = 1\n"
    keys = 'activated_by = "interrupt bell"\n'
    said = refused(described(tmp_path, bell + SERVED.format(kind="polling", keys=keys), core="0"))
    assert 'the task "asked" does not say on which of 2 cores it runs' in said
    keys += "core = 0"
    said = refused(described(tmp_path, bell + SERVED.format(kind="polling", keys=keys), core="0"))
    assert 'the task "asked" of core 0 is activated on core 1' in said


def test_cores_that_it_cannot_have(tmp_path: Path) -> None:
    said = refused(described(tmp_path, SERVED.format(kind="polling", keys="core = 2"), core="0"))
    assert said.count("there is no core 2") == 1
    more = SERVED.format(kind="polling", keys="cores = [0, 1]")
    said = refused(described(tmp_path, more, core="0"))
    assert "tasks that several cores may run: not yet supported" in said
