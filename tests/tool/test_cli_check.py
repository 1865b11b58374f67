# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog check`: whole files, paths and outputs, and how errors are shown."""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop, assert_refused


def test_a_valid_system_passes(workshop: Workshop) -> None:
    said = workshop.check()
    assert (said.code, said.err) == (0, "")
    assert "2 tasks" in said.out
    assert "2.56 %" in said.out
    assert said.out.rstrip().endswith("valid")


def test_utilisation_above_one_is_exit_1_with_the_sum(workshop: Workshop) -> None:
    said = workshop.check(('"120 us"', '"4 ms"'), ("work = 500", "work = 100_000"))
    assert_refused(said, "the utilisation is 1.1200, above 1", "1.1200 (28/25)", code=1)
    assert "fast 0.800 and slow 0.320" in said.err


def test_utilisation_barely_above_one_is_still_above(workshop: Workshop) -> None:
    said = workshop.check(('"120 us"', '"4.9999999 ms"'))
    assert_refused(said, "the utilisation is 1.0016, above 1", code=1)
    said = workshop.check(('"120 us"', '"4.99200001 ms"'), ("work = 500", "work = 500"))
    assert_refused(said, "the utilisation is 1 + 0.00000000200, above 1", code=1)


def test_utilisation_of_exactly_one_is_too_much_where_the_kernel_takes_time(
    workshop: Workshop,
) -> None:
    full = ('"120 us"', '"4.992 ms"')
    said = workshop.check(full)
    assert_refused(said, "the utilisation is 1, and the kernel needs time", "below 1", code=1)
    assert workshop.check(('"120 us"', '"4.991 ms"')).code == 0
    assert workshop.check(full, ('"mps2-an385"', '"host"')).code == 0


def test_a_single_table_in_place_of_an_array(workshop: Workshop) -> None:
    head, _, _ = workshop.text.partition("[[task]]")
    path = workshop.write(head + '[task]\nname = "a"\nperiod = "1 ms"\nwork = 5\n')
    said = workshop.run("check", str(path))
    assert_refused(said, ":7:1: task: has to be an array of tables", "double brackets: [[task]]")


def test_an_array_in_place_of_a_single_table(workshop: Workshop) -> None:
    path = workshop.write(workshop.text.replace("[system]", "[[system]]"))
    assert_refused(workshop.run("check", str(path)), ":1:1: system: has to be a table", "[system]")


def test_an_empty_file_wants_a_system(workshop: Workshop) -> None:
    said = workshop.run("check", str(workshop.write("")))
    assert_refused(said, "system.toml: the table [system] is missing")


def test_a_system_without_tasks(workshop: Workshop) -> None:
    head, _, _ = workshop.text.partition("[[task]]")
    assert_refused(workshop.run("check", str(workshop.write(head))), "no tasks", "[[task_group]]")


def test_a_file_that_is_not_there(workshop: Workshop) -> None:
    said = workshop.run("check", str(workshop.directory / "none.toml"))
    assert_refused(said, "none.toml: cannot read it: no such file or directory")


def test_a_folder_instead_of_a_file(workshop: Workshop) -> None:
    assert_refused(workshop.run("check", str(workshop.directory)), "cannot read it: is a directory")


def test_a_byte_order_mark_is_no_part_of_the_text(workshop: Workshop) -> None:
    path = workshop.write()
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert workshop.run("check", str(path)).code == 0
    path.write_bytes(codecs.BOM_UTF8 + b"nonsense = 1\n")
    assert_refused(workshop.run("check", str(path)), ":1:1: nonsense: unknown key")


@pytest.mark.parametrize("sign", ["\u00b5", "\u03bc"])
def test_what_outputs_print_is_read(sign: str, workshop: Workshop) -> None:
    changes = (
        ('"120 us"', f'"120.0\u202f{sign}s"'),
        ('"5 ms"', '"200 Hz"'),
        ('"20 ms"', '"0.05 kHz"'),
    )
    assert workshop.check(*changes).out == workshop.check().out


UNBUILDABLE = [";", '"', "\\", "$", "${HOME}", "[1]", "|", "\n", "\r", "\0"]


@pytest.mark.parametrize("sign", UNBUILDABLE)
def test_a_source_that_the_build_cannot_take_is_refused(sign: str, workshop: Workshop) -> None:
    name = f"bo{sign}dies.c"
    if "\0" not in name:
        (workshop.directory / name).write_text("void fast_step(void) {}\n", encoding="utf-8")
    said = workshop.check(('"bodies.c"', json.dumps(name)))
    assert_refused(said, ":5:12: system.sources[0]: the build cannot take a source file with ")
    assert_refused(said, 'expected: a path without ; " \\ $ [ ] | and line breaks, in UTF-8')


def test_a_source_s_path_is_checked_behind_a_symbolic_link(workshop: Workshop) -> None:
    """CMake gets the path that it leads to, in which these signs would be commands."""
    folder = workshop.directory / 'x")execute_process(COMMAND id)#'
    folder.mkdir()
    (folder / "real.c").write_text("void fast_step(void) {}\n", encoding="utf-8")
    (workshop.directory / "link.c").symlink_to(folder / "real.c")
    said = workshop.check(('"bodies.c"', '"link.c"'))
    assert_refused(said, ":5:12: system.sources[0]: the build cannot take a source file with ")


@pytest.mark.parametrize("sign", [";", '"', "\\", "$", "[", "|", "\n", os.fsdecode(b"\xfc")])
def test_a_folder_that_the_build_cannot_take_is_refused(sign: str, tmp_path: Path) -> None:
    folder = tmp_path / f"a{sign}b"
    folder.mkdir()
    said = Workshop.run("check", str(Workshop(folder).write()))
    assert_refused(
        said, "system.toml: the build cannot take a folder with ", "expected: a path without"
    )


@pytest.mark.parametrize(
    "name", ["a #1 (copy) 100% @ b&c", "it's <new>?*", "a,b=c:d", "\u00fc\u6642"]
)
def test_other_names_are_taken(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    assert Workshop.run("check", str(Workshop(folder).write())).code == 0


def test_a_board_that_the_build_cannot_take_is_refused(workshop: Workshop) -> None:
    said = workshop.check(('"mps2-an385"', '"./a;b/board.toml"'))
    assert_refused(said, ":3:9: system.board: the build cannot take a board with a semicolon in it")


def test_what_a_file_says_does_not_command_the_terminal(workshop: Workshop) -> None:
    """As a key, as a value and as a line of firmware's console, all of which errors show."""
    said = workshop.check(('board = "mps2-an385"', r""""\u001b[2Jx\u009b" = 1"""))
    assert_refused(said, r"\x1b[2Jx\x9b")
    assert "\x1b" not in said.err
    assert "\x9b" not in said.err


def test_bytes_that_are_no_text(workshop: Workshop) -> None:
    path = workshop.write()
    path.write_bytes(b'[system]\nname = "\xff"\n')
    assert_refused(workshop.run("check", str(path)), ":2:9: not UTF-8", "0xff")


def test_all_errors_come_at_once_in_the_order_of_the_file(workshop: Workshop) -> None:
    said = workshop.check(('"5 ms"', '"5"'), ('"20 ms"', "20"), ('"2 s"', '"0 s"'))
    assert_refused(said, "3 errors")
    lines = [line for line in said.err.splitlines() if "system.toml:" in line]
    assert [line.split(":")[-4] for line in lines] == ["4", "9", "15"]


def test_columns_count_characters_not_bytes(workshop: Workshop) -> None:
    text = workshop.text + '\n[[task]]\n"n\u00e4me" = 1\nname = "x"\nperiod = "1 ms"\nwork = 1\n'
    said = workshop.run("check", str(workshop.write(text)))
    assert_refused(said, ':19:1: task.x.n\u00e4me: unknown key "n\u00e4me"; did you mean "name"?')
    inline = 'task = [{name = "\u00e4\u00e4", period = "5", work = 1}]\n'
    head, _, _ = workshop.text.partition("[[task]]")
    said = workshop.run("check", str(workshop.write(inline + head)))
    assert_refused(said, ":1:32: task.\u00e4\u00e4.period: a duration needs a unit")


def test_errors_as_json_keep_the_exit_status(workshop: Workshop) -> None:
    path = workshop.write_changed(('"5 ms"', '"5"'))
    said = workshop.run("check", str(path), "--json")
    assert said.code == 2
    assert said.err == ""
    assert said.object == {
        "error": {
            "message": "a duration needs a unit",
            "place": {"file": str(path), "line": 9, "column": 10, "key": "task.fast.period"},
            "found": '"5"',
            "expected": 'a number and a unit, such as "5 ms", "2.5 us" or "1/3 ms"; '
            'or how often: "60 Hz"',
            "exit": 2,
        }
    }


def test_several_errors_as_json(workshop: Workshop) -> None:
    path = workshop.write_changed(('"5 ms"', '"5"'), ('"20 ms"', '"20"'))
    said = workshop.run("check", "--json", str(path))
    assert [one["place"]["line"] for one in said.object["error"]["all"]] == [9, 15]


def test_the_report_as_json(workshop: Workshop) -> None:
    said = workshop.run("check", "--json", str(workshop.write()))
    assert said.code == 0
    assert said.object["utilisation_exact"] == "16/625"
    assert said.object["tasks"] == 2
    assert said.object["cells"] == ["timer0", "timer1", "dual0", "systick"]
    assert said.object["findings"] == []


def test_another_board_by_option(workshop: Workshop) -> None:
    path = str(workshop.write())
    assert workshop.run("check", "--json", "--board", "host", path).object["board"] == "host"
    assert_refused(workshop.run("check", "--board", "hots", path), 'did you mean "host"?')


def test_what_is_implausible_is_said_and_accepted(workshop: Workshop) -> None:
    said = workshop.check(('"20 ms"', '"20 s"'))
    assert said.code == 0
    assert "task.slow: a period of 20 s: is the unit right?" in said.out
    assert "the duration of 2 s is shorter than the longest period, 20 s" in said.out
    assert "valid, 2 to look at" in said.out


def test_a_group_takes_the_name_of_a_task(workshop: Workshop) -> None:
    group = '[[task_group]]\nname = "can"\ntasks = 2\nperiod = "9 ms"\nwork = 1\n'
    single = '[[task]]\nname = "can.1"\nperiod = "9 ms"\nwork = 1\n'
    said = workshop.check_with(group + single)
    assert_refused(said, 'the name "can.1" is taken', 'which the group "can" of line 18 has')
    assert_refused(workshop.check_with(group + group), 'the name "can" is taken')
