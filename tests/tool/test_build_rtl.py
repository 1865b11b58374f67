# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How the RTL board's simulator comes into the cache, with a stand-in for Verilator."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

import pytest

from horolog.build import rtl
from horolog.build.rtl import simulator
from horolog.data import data_root
from horolog.model import Exit, HorologError
from horolog.programs import call

VERILATOR = """#!/bin/sh
[ "$1" = --version ] && echo "Verilator 5" && exit 0
for word; do
    case $word in *' '*) echo "a space: $word" >&2; exit 1 ;; esac
    [ "$before" = --Mdir ] && work=$word
    case $word in *.cpp | *.c) [ -f "$word" ] || exit 1 ;; esac
    before=$word
done
sleep {seconds}
echo "$@" >"{log}.arguments"
echo made >>"{log}"
mkdir -p "$work" && echo "#!/bin/sh" >"$work/horolog-ibex"
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Everything in folders with spaces; what is written when a simulator is built."""
    root = tmp_path / "a place with ö"
    for folder in ("bin", "ibex", "checkout"):
        (root / folder).mkdir(parents=True)
    for folder in ("rtl", "watch"):
        (root / "checkout" / folder).symlink_to(data_root() / folder)
    program = root / "bin" / "verilator"
    script = VERILATOR.replace("{seconds}", "0.3").replace("{log}", str(root / "log"))
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(root / "cache"))
    monkeypatch.setattr(rtl, "data_root", lambda: root / "checkout")
    monkeypatch.setattr(rtl, "ibex_folder", lambda: root / "ibex")
    return root / "log"


def test_the_core_of_the_watchers_is_c_and_cpp() -> None:
    """gcc compiles it for the plugins, g++ for the simulator."""
    sources = sorted(map(str, (data_root() / "watch").glob("*.c")))
    assert sources
    flags = ("-Wall", "-Wextra", "-Werror", "-Wpedantic", "-fsyntax-only", f"-I{data_root()}")
    for compiler in (("gcc", "-std=c11"), ("g++", "-std=c++17", "-x", "c++")):
        done = call([*compiler, *flags, *sources], seconds=60)
        assert done.status == 0, done.errors


def test_a_change_of_the_core_is_another_simulator(log: Path) -> None:
    core = log.parent / "checkout" / "watch"
    core.unlink()
    copytree(data_root() / "watch", core)
    made = simulator("small")
    with (core / "window.h").open("a", encoding="utf-8") as header:
        header.write("/* changed */\n")
    assert simulator("small") != made


def test_it_is_built_where_paths_have_no_spaces_and_moved(log: Path) -> None:
    said: list[str] = []
    made = simulator("small", say=said.append)
    assert made.is_relative_to(log.parent / "cache" / "horolog")
    assert made.read_text(encoding="utf-8") == "#!/bin/sh\n"
    assert made.stat().st_mode & stat.S_IXUSR
    assert len(said) == 1
    assert "building the simulator, once" in said[0]
    assert simulator("small", say=said.append) == made
    assert simulator("maxperf", say=said.append) != made
    assert log.read_text(encoding="utf-8") == "made\n" * 2


def test_a_board_of_several_cores_has_a_simulator_of_its_own(log: Path) -> None:
    made = [
        simulator("small"),
        simulator("small", cores=2),
        simulator("small", cores=4),
        simulator("small", cores=4, shared_ports=True),
    ]
    assert len(set(made)) == 4
    said = Path(f"{log}.arguments").read_text(encoding="utf-8").split()
    assert {"-GCORES=4", "-GSHARED_PORTS=1", "-DHRL_CORES=4", "-DHRL_CELLS=64"} <= set(said)
    assert [Path(word).name for word in said if word.endswith("main.cpp")] == ["main.cpp"]
    assert any(word.endswith("rtl/cores/sim/main.cpp") for word in said)


def test_a_change_of_what_several_cores_share_is_no_other_simulator_of_one(log: Path) -> None:
    ours = log.parent / "checkout" / "rtl"
    ours.unlink()
    copytree(data_root() / "rtl", ours)
    one, two = simulator("small"), simulator("small", cores=2)
    with (ours / "cores" / "hrl_bus.sv").open("a", encoding="utf-8") as source:
        source.write("// changed\n")
    assert simulator("small") == one
    assert simulator("small", cores=2) != two


def test_a_board_has_1_2_4_or_8_cores_and_several_share_no_lines(log: Path) -> None:
    for cores in (0, 3, 16):
        with pytest.raises(HorologError, match="so many cores"):
            simulator("small", cores=cores)
    with pytest.raises(HorologError, match="share no request lines"):
        simulator("small", cores=2, shared_lines=True)
    assert not log.exists()


def test_a_caller_that_comes_while_it_is_built_waits_and_says_so(log: Path) -> None:
    said: list[str] = []
    with ThreadPoolExecutor(3) as pool:
        running = [pool.submit(simulator, "small", say=said.append) for _ in range(3)]
        made = {one.result() for one in running}
    assert len(made) == 1
    assert log.read_text(encoding="utf-8") == "made\n"
    assert sum("building" in text and "waiting" not in text for text in said) == 1
    assert sum("waiting" in text for text in said) == 2


def test_one_that_does_not_build_leaves_nothing(log: Path) -> None:
    (log.parent / "bin" / "verilator").write_text("#!/bin/sh\necho broken\nexit 1\n")
    with pytest.raises(HorologError, match="does not build") as raised:
        simulator("small")
    assert raised.value.exit is Exit.NOT_INSTALLED
    assert "broken" in str(raised.value)
    assert [one.suffix for one in (log.parent / "cache" / "horolog").iterdir()] == [".lock"]
