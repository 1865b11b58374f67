# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The tool's house rules: private names stay private, packages promise names, tests mirror src/."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {"horolog": ROOT / "src", "horolog_experiments": ROOT / "experiments"}
"""The folder that each of our packages lies in."""
TOOL = sorted((ROOT / "src" / "horolog").rglob("*.py"))
MODULES = [path for name, at in SOURCES.items() for path in sorted((at / name).rglob("*.py"))]
PACKAGES = [path for path in MODULES if path.name == "__init__.py"]


def is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def private_uses(text: str, module: str) -> list[str]:
    """Names with a leading underscore that `module`, whose source is `text`, takes from elsewhere.

    A private module may be imported inside the package that it belongs to; a private name of a module
    nowhere.
    """
    tree = ast.parse(text)
    found: list[str] = []
    modules: set[str] = set()  # local names that stand for modules of ours
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] in SOURCES:
                    found += _private_module(alias.name, module)
                    modules.add(alias.asname or alias.name.split(".")[0])
        elif isinstance(node, ast.ImportFrom) and node.level:
            found.append(f"relative import at line {node.lineno}")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in SOURCES:
            source = node.module or ""
            found += _private_module(source, module)
            for alias in node.names:
                if is_private(alias.name) and not _is_module(f"{source}.{alias.name}"):
                    found.append(f"{source}.{alias.name}")
                elif is_private(alias.name):
                    found += _private_module(f"{source}.{alias.name}", module)
                if _is_module(f"{source}.{alias.name}"):
                    modules.add(alias.asname or alias.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            owner = ast.unparse(node.value)
            if owner.split(".")[0] in modules:
                found.append(f"{owner}.{node.attr}")
    return found


def _is_module(name: str) -> bool:
    parts = name.split(".")
    path = SOURCES[parts[0]].joinpath(*parts)
    return path.with_suffix(".py").is_file() or path.is_dir()


def _private_module(name: str, user: str) -> list[str]:
    """[name] if a part of it is private and `user` lies outside the package of that part."""
    parts = name.split(".")
    for index, part in enumerate(parts):
        package = ".".join(parts[:index])
        if is_private(part) and not (user == package or user.startswith(package + ".")):
            return [name]
    return []


def imported(tree: ast.Module) -> set[str]:
    """The modules that are named in imports, wherever in the module they stand."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def promised(tree: ast.Module) -> list[str] | None:
    """What `__all__` lists, or the modules of which a package takes all; None if there is neither."""
    whole = [from_all for node in tree.body if (from_all := taken_whole(node)) is not None]
    if whole:
        return [name for module in whole for name in promised(source_of(module)) or ()]
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            listed: list[str] = ast.literal_eval(node.value)
            return listed
    return None


def taken_whole(node: ast.stmt) -> str | None:
    """The module of `from module import *`."""
    if isinstance(node, ast.ImportFrom) and [alias.name for alias in node.names] == ["*"]:
        return node.module
    return None


def source_of(module: str) -> ast.Module:
    parts = module.split(".")
    return ast.parse(SOURCES[parts[0]].joinpath(*parts).with_suffix(".py").read_text())


def top_level_names(tree: ast.Module) -> set[str]:
    """Names that the module's top level binds."""
    bound: set[str] = set()
    for node in tree.body:
        whole = taken_whole(node)
        if whole is not None:
            bound |= set(promised(source_of(whole)) or ())
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            bound.add(node.name)
        elif isinstance(node, ast.Assign):
            bound |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            bound.add(node.target.id)
    return bound


def dotted(path: Path) -> str:
    (source,) = (at for name, at in SOURCES.items() if path.is_relative_to(at / name))
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_private_names_stay_private(path: Path) -> None:
    module = dotted(path)
    inside = module if path.name == "__init__.py" else module.rpartition(".")[0]
    assert private_uses(path.read_text(), inside) == []


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_module_says_what_it_promises_and_keeps_it(path: Path) -> None:
    tree = ast.parse(path.read_text())
    names = promised(tree)
    assert names is not None, "no __all__"
    assert set(names) <= top_level_names(tree)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_all_of_a_module_is_taken_by_its_own_package_alone(path: Path) -> None:
    """Elsewhere a reader could not see where a name comes from; beside others it could hide one."""
    imports = [
        node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ImportFrom)
    ]
    whole = [module for node in imports if (module := taken_whole(node)) is not None]
    if whole:
        assert path.name == "__init__.py"
        assert len(whole) == len(imports)
        assert {module.rpartition(".")[0] for module in whole} == {dotted(path)}


@pytest.mark.parametrize("path", TOOL, ids=dotted)
def test_the_tool_imports_no_experiment(path: Path) -> None:
    """The wheel of `horolog` is without them: they reach the command line by an entry point."""
    used = imported(ast.parse(path.read_text(encoding="utf-8")))
    assert [name for name in used if name.split(".")[0] == "horolog_experiments"] == []


def test_the_check_sees_imports_inside_functions() -> None:
    text = "def f():\n    from horolog_experiments.rtl import x\n    import horolog.read"
    assert imported(ast.parse(text)) == {"horolog_experiments.rtl", "horolog.read"}


POWERS_OF_TEN = {"analyse/static_stores.py"}  # hyperperiods, which have no bound


def in_powers_of_ten(tree: ast.Module) -> list[int]:
    """The lines that format a number by "g", which makes 1e+06 of a million."""
    specs = [node for node in ast.walk(tree) if isinstance(node, ast.FormattedValue)]
    return [
        node.lineno
        for node in specs
        if node.format_spec is not None and ast.unparse(node.format_spec).rstrip("'").endswith("g")
    ]


@pytest.mark.parametrize("path", TOOL, ids=dotted)
def test_people_read_no_powers_of_ten(path: Path) -> None:
    """horolog.figures and horolog.read.units have what to use. Experiments draw axes, print tolerances."""
    name = path.relative_to(ROOT / "src" / "horolog").as_posix()
    if name not in POWERS_OF_TEN:
        assert in_powers_of_ten(ast.parse(path.read_text(encoding="utf-8"))) == []


def test_the_check_sees_powers_of_ten() -> None:
    assert in_powers_of_ten(ast.parse('f"{a:g} {b:.3g}"\nf"{c:,.1f} {d:>10}"')) == [1, 1]


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {path.parent for path in MODULES}
    assert folders == {path.parent for path in PACKAGES}


@pytest.mark.parametrize("path", [p for p in PACKAGES if p.parent.name not in SOURCES], ids=dotted)
def test_every_package_has_its_tests(path: Path) -> None:
    """tests/tool mirrors src/: package p is tested by test_p*.py or, for its module m, test_m.py."""
    package = path.parent
    stems = [package.name, *(module.stem for module in package.glob("*.py"))]
    tests = ROOT / "tests" / "tool"
    found = [test for stem in stems for test in tests.glob(f"test_{stem}*.py")]
    assert found, f"no tests/tool/test_{package.name}_*.py"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from horolog.plan import choose", []),
        ("from horolog.plan import _choose", ["horolog.plan._choose"]),
        ("from horolog.plan._gcd import g", ["horolog.plan._gcd"]),
        ("from horolog.read._places import p", []),
        ("import horolog.plan._gcd as g", ["horolog.plan._gcd"]),
        ("from horolog import plan\nplan._x()", ["plan._x"]),
        ("from . import places", ["relative import at line 1"]),
        ("self._mine()", []),
        ("import click\nclick._compat", []),
    ],
)
def test_the_check_sees_what_is_wrong(line: str, found: list[str]) -> None:
    assert private_uses(line, "horolog.read") == found
