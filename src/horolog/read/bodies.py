# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Finds the functions that C files define, as far as naming task bodies needs it.

No preprocessor runs: a definition that a macro makes, or that an #if leaves out, is read as it
stands. The compiler has the last word; this is for an error before it, in the user's terms.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

__all__ = ["CFunction", "declared_for_c", "functions_of"]

_SKIPPED = re.compile(
    r"""
      /\*.*?(?:\*/|\Z)                    # comment
    | //(?:\\\r?\n|[^\n])*                # line comment
    | "(?:\\.|[^"\\\n])*"                 # string
    | '(?:\\.|[^'\\\n])*'                 # character
    | ^[ \t]*\#(?:\\\r?\n|/\*.*?\*/|[^\n])*   # directive, with its continuations
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_ATTRIBUTE = re.compile(r"\b__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
_DEFINITION = re.compile(
    r"(?P<type>[A-Za-z_][\w\s*]*?[\s*])(?P<name>[A-Za-z_]\w*)\s*\((?P<parameters>[^{};]*)\)\s*\{"
)
_LINKAGE = re.compile(r'\bextern\s*"C"')
_OF_C = "extern_C"
_OF_C_BLOCK = re.compile(r"\bextern_C\s*\{")
_DECLARATION = re.compile(r"\b([A-Za-z_]\w*)\s*\([^(){};]*\)\s*;")
_NOT_LINE_END = re.compile(r"[^\n]")
_BRACE = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True)
class CFunction:
    """A function definition."""

    name: str
    returns: str
    parameters: str
    line: int

    @property
    def is_body(self) -> bool:
        """Whether it is `void NAME(void)` and can be linked to."""
        return self.returns == "void" and self.parameters in ("void", "")

    def __str__(self) -> str:
        return f"{self.returns} {self.name}({self.parameters})"


def declared_for_c(source: str) -> frozenset[str]:
    """The names of functions that a C++ source or header declares as `extern "C"`."""
    text = _without_attributes(source, cxx=True)
    inside, outside = _split(text)
    single = re.findall(rf"\b{_OF_C}\b(?!\s*\{{)[^;{{}}]*;", outside)
    return frozenset(name for part in (*inside, *single) for name in _DECLARATION.findall(part))


def functions_of(
    source: str, *, cxx: bool = False, declared: Collection[str] = ()
) -> tuple[CFunction, ...]:
    """The functions that `source` defines, in order; of C++ those that C can call.

    These are defined as `extern "C"`, or declared so before: there, or in a header, which `declared` says.
    """
    text = _without_attributes(source, cxx=cxx)
    if not cxx:
        return tuple(_defined(text))
    inside, outside = _split(text)
    found = [
        replace(one, returns=f"{_OF_C} {one.returns}") for part in inside for one in _defined(part)
    ]
    found += _defined(outside)
    names = declared_for_c(source).union(declared)
    return tuple(
        replace(one, returns=one.returns.removeprefix(f"{_OF_C} "))
        for one in sorted(found, key=lambda one: one.line)
        if one.returns.startswith(f"{_OF_C} ") or one.name in names
    )


def _without_attributes(source: str, *, cxx: bool) -> str:
    """`source` without comments, strings, directives and attributes; linkages of C are one word."""
    if cxx:
        source = _LINKAGE.sub(_of_c, source)
    return _ATTRIBUTE.sub(_blank, _SKIPPED.sub(_blank, source))


def _split(text: str) -> tuple[list[str], str]:
    """What is in each block of C's linkage, and the rest; each thing on the line that it was on."""
    inside = []
    while (block := _OF_C_BLOCK.search(text)) is not None:
        end = _end_of_block(text, block.end() - 1)
        before = text[: block.end()]
        inside.append(_NOT_LINE_END.sub(" ", before) + text[block.end() : end - 1])
        text = (
            text[: block.start()] + _NOT_LINE_END.sub(" ", text[block.start() : end]) + text[end:]
        )
    return inside, text


def _of_c(match: re.Match[str]) -> str:
    return _OF_C + "\n" * match[0].count("\n") + " "


def _defined(text: str) -> list[CFunction]:
    """The functions in `text`, which has no comments and no strings."""
    found = []
    start = 0
    while (match := _DEFINITION.search(text, start)) is not None:
        opening = text.find("{", start, match.start())
        if opening >= 0:  # some other block comes first: a struct, an initialiser
            start = _end_of_block(text, opening)
            continue
        words = re.sub(r"\s*\*\s*", " *", match["type"]).split()
        found.append(
            CFunction(
                name=match["name"],
                returns=" ".join(word for word in words if word not in ("extern", "inline")),
                parameters=" ".join(match["parameters"].split()),
                line=text.count("\n", 0, match.start("name")) + 1,
            )
        )
        start = _end_of_block(text, match.end() - 1)
    return found


def _blank(match: re.Match[str]) -> str:
    """Blank text with as many line ends as the match has."""
    return " " + "\n" * match[0].count("\n")


def _end_of_block(text: str, opening: int) -> int:
    """The index after the brace that closes the one at `opening`."""
    depth = 0
    for brace in _BRACE.finditer(text, opening):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return len(text)
