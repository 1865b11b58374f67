# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from horolog.data import data_root
from horolog.read.bodies import functions_of

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop


def bodies(source: str) -> list[str]:
    return [function.name for function in functions_of(source) if function.is_body]


@pytest.mark.parametrize(
    "source",
    [
        "void step(void) { }",
        "void step() { }",
        "void\nstep(void)\n{\n}\n",
        "void step (\n void ) {",
        "extern void step(void) { for (;;) { if (x) { } } }",
        "void step(void); void step(void) { }",
        "#include <stdint.h>\nvoid step(void) { }",
        "#define BEGIN { \\\n {\nvoid step(void) { }",
        "struct s { int x; }; static struct s a = { 1 }; void step(void) { }",
        "/* void other(void) { */ void step(void) { } /* } */",
        "// void other(void) {\nvoid step(void) { }",
        "// void other(void) { \\\n void more(void) {\nvoid step(void) { }",
        "char const *s = \"void other(void) {\"; char c = '{'; void step(void) { }",
        'char const *s = "\\"{"; void step(void) { }',
        '__attribute__((section(".fast"))) void step(void) { }',
        "void step(void) __attribute__((noinline)) { }",
        "static int help(int a) { return a; } void step(void) { help(1); }",
        "int table[] = {1, 2}; void step(void) { void nested(void); }",
    ],
)
def test_a_body_is_found(source: str) -> None:
    assert bodies(source) == ["step"]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("static void step(void) { }", "static void step(void)"),
        ("int step(void) { }", "int step(void)"),
        ("void step(int a, char *b) { }", "void step(int a, char *b)"),
        ("void *step(void) { }", "void * step(void)"),
        ("static inline void step(void) { }", "static void step(void)"),
    ],
)
def test_a_function_of_another_shape_is_no_body(source: str, shown: str) -> None:
    (function,) = functions_of(source)
    assert not function.is_body
    assert str(function) == shown


@pytest.mark.parametrize(
    "source", ["", "void step(void);", "/* void step(void) { }", "}", "{", '"', "int step = 3;"]
)
def test_what_defines_nothing(source: str) -> None:
    assert functions_of(source) == ()


def test_lines_are_the_file_s() -> None:
    source = "/* a\nb */\n#define X \\\n 1\n\nvoid one(void) { }\nvoid\ntwo(void) { }\n"
    assert [(f.name, f.line) for f in functions_of(source)] == [("one", 6), ("two", 8)]


def test_the_drone_s_bodies() -> None:
    source = (data_root() / "examples" / "drone" / "bodies.c").read_text(encoding="utf-8")
    assert bodies(source) == [
        "rate_control",
        "attitude_filter",
        "receiver_decode",
        "altitude_hold",
        "telemetry_format",
        "battery_monitor",
        "self_check",
    ]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("static void fast_step(void) { }", 'the function "fast_step" in bodies.c is no task body'),
        ("int fast_step(void) { }", "found:    int fast_step(void)"),
        ("/* void fast_step(void) { } */", 'no function "fast_step" in bodies.c'),
        ("void fast_step(void);", 'no function "fast_step" in bodies.c'),
        ("void fast_step(void) { }\n" * 2, "is defined 2 times in bodies.c"),
    ],
)
def test_the_error_says_what_is_there_instead(workshop: Workshop, source: str, text: str) -> None:
    said = workshop.run("check", str(workshop.write(bodies=source)))
    assert said.code == 2
    assert text in said.err
    assert "void fast_step(void)" in said.err


CXX = """
#include "filter.hpp"
namespace { void hidden(void) {} }
void mangled(void) {}
extern "C" void alone() { if (1) {} }
extern "C" int no_body(int x) { return x; }
extern "C" {
// extern "C" void in_a_comment(void) {}
struct pair { int a, b; };
void first(void) { }
static void second(void) { }
}
template <int n> void generic() {}
extern "C" { void third() {} }
const char *text = "extern \\"C\\" void in_a_string(void) {}";
"""


def test_of_cxx_those_that_c_can_call() -> None:
    found = functions_of(CXX, cxx=True)
    assert [(one.name, one.line, one.is_body) for one in found] == [
        ("alone", 5, True),
        ("no_body", 6, False),
        ("first", 10, True),
        ("second", 11, False),
        ("third", 14, True),
    ]


def test_of_cxx_those_that_were_declared_so_before() -> None:
    text = (
        'extern "C" {\nvoid inside();\n}\nextern "C" void alone(void);\nvoid other();\n'
        + "".join(f"void {name}() {{}}\n" for name in ("inside", "alone", "other", "in_a_header"))
    )
    found = functions_of(text, cxx=True, declared=["in_a_header"])
    assert [(one.name, one.is_body) for one in found] == [
        ("inside", True),
        ("alone", True),
        ("in_a_header", True),
    ]


def test_headers_beside_a_source_declare_its_bodies(workshop: Workshop) -> None:
    path = workshop.write_changed(("bodies.c", "bodies.cpp"))
    folder = workshop.directory
    guard = '#ifdef __cplusplus\nextern "C" {\n#endif\nvoid fast_step(void);\n#ifdef __cplusplus\n}\n#endif\n'
    (folder / "bodies.hpp").write_text(guard)
    (folder / "bodies.cpp").write_text('#include "bodies.hpp"\nvoid fast_step()\n{\n}\n')
    assert workshop.run("check", str(path)).code == 0
    (folder / "bodies.hpp").write_text("void fast_step();\n")
    said = workshop.run("check", str(path))
    assert said.code == 2
    assert 'no function "fast_step" in bodies.cpp' in said.err
