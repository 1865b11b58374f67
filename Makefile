# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The two commands are `make run` and `make test`; both set up first. `make` alone lists the rest.

# The first Python on PATH that is new enough; `make PYTHON=...` names another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 /usr/bin/python3; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; \
	done)

BIN := .venv/bin
HOST_TESTS := build/host-tests
FUZZ_TESTS := build/fuzz-tests
COVERAGE := build/coverage
JOBS ?= 2
TEXTS ?= longest
EXAMPLES := examples/engine-control/system.toml examples/chronos/system.toml
C_FILES = $(shell git ls-files '*.c' '*.h')
PYTHON_DIRS := src experiments tests setup

.DEFAULT_GOAL := help
ifndef SIDE_BY_SIDE
.NOTPARALLEL:
endif
.PHONY: help run test check soak setup-run setup-test format lint types licences format-check \
	host-tests fuzz-tests coverage-tests lint-c lint-python test-c test-fuzz test-coverage test-python \
	coverage goldens pictures lock sbom clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup-run ## set up, then plan, build, boot and measure two systems beside FreeRTOS
	@for system in $(EXAMPLES); do \
		echo "== horolog compare $$system --verify"; \
		$(BIN)/horolog compare "$$system" --verify || exit $$?; \
	done

test: setup-test test-c test-fuzz test-python ## set up, then pass every test

check: setup-test check-first test-python ## format, lint, types, licences, then every test

# What looks at texts runs on one processor, most of it mypy's; what compiles the kernel has the others, as far as it can.
.PHONY: check-first check-texts check-kernel
check-first:
	$(MAKE) -j2 --output-sync=target SIDE_BY_SIDE=yes check-texts check-kernel

check-texts:
	$(MAKE) SIDE_BY_SIDE= format-check lint-python types licences

check-kernel:
	$(MAKE) SIDE_BY_SIDE= lint-c test-fuzz test-coverage

soak: setup-test ## the long campaigns
	$(MAKE) lint-c TEXTS=all
	$(BIN)/horolog bench soak
	$(BIN)/horolog bench irregular
	$(BIN)/horolog bench releases
	$(BIN)/pytest -n $(JOBS) -m soak || [ $$? -eq 5 ]

setup-run: need-python ## install what `make run` needs and is missing
	@"$(PYTHON)" setup/set_up.py run

setup-test: need-python ## install what `make test` needs and is missing
	@"$(PYTHON)" setup/set_up.py test

.PHONY: need-python
need-python:
	@[ -n "$(PYTHON)" ] || { echo "Python 3.11 or newer is needed; make PYTHON=/path names one" >&2; exit 3; }

format: ## rewrite C and Python in the house style
	@echo 'clang-format -i (C files)'
	@clang-format -i $(C_FILES)
	$(BIN)/ruff format $(PYTHON_DIRS)
	$(BIN)/ruff check --fix $(PYTHON_DIRS)

format-check: ## does the formatter agree?
	@echo 'clang-format --dry-run -Werror (C files)'
	@clang-format --dry-run -Werror $(C_FILES)
	$(BIN)/ruff format --check $(PYTHON_DIRS)

lint: lint-python lint-c ## linters over Python and the kernel

lint-python:
	$(BIN)/ruff check $(PYTHON_DIRS)

lint-c: coverage-configured
	sh setup/lint_c.sh $(COVERAGE) $(JOBS) $(TEXTS)

types: ## mypy, strict
	$(BIN)/mypy

licences: ## every file names its copyright holders and its licence
	$(BIN)/reuse lint --quiet || $(BIN)/reuse lint

host-tests: ## build the kernel's tests for this machine, with sanitizers
	cmake -S tests -B $(HOST_TESTS) -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
	cmake --build $(HOST_TESTS)

test-c: host-tests ## the kernel's tests, by gcc
	ctest --test-dir $(HOST_TESTS) -LE soak --output-on-failure -j $(JOBS)

fuzz-tests: ## build the fuzz targets: clang, libFuzzer, sanitizers
	cmake -S tests -B $(FUZZ_TESTS) -G Ninja -DHRL_TESTS_COMPILER=clang -DHRL_FUZZ=ON
	cmake --build $(FUZZ_TESTS) --target fuzz_queue fuzz_services

test-fuzz: fuzz-tests ## a few seconds of fuzzing
	ctest --test-dir $(FUZZ_TESTS) -R ^fuzz_ --output-on-failure -j $(JOBS)

.PHONY: coverage-configured
coverage-configured:
	cmake -S tests -B $(COVERAGE) -G Ninja -DHRL_TESTS_COMPILER=clang -DHRL_TESTS_COVERAGE=ON \
		-DCMAKE_EXPORT_COMPILE_COMMANDS=ON

coverage-tests: coverage-configured
	cmake --build $(COVERAGE)

test-coverage: coverage-tests ## the kernel's tests, by clang: do they reach the kernel, but for what is listed?
	$(BIN)/python tests/coverage.py $(COVERAGE)

coverage: coverage-tests ## the same, and write docs/evidence/coverage.md
	$(BIN)/python tests/coverage.py $(COVERAGE) --page docs/evidence/coverage.md

test-python: ## the tool's and the system tests
	$(BIN)/pytest -n $(JOBS) --dist loadgroup -m "not soak"

goldens: setup-test ## write the golden files anew, deliberately; read the diff
	$(BIN)/pytest tests/system --update-goldens -k golden

pictures: setup-test ## take the pictures of docs/pictures anew, from reports of today (needs Chromium)
	$(BIN)/horolog compare examples/chronos/system.toml --out build/pictures
	$(BIN)/horolog compare examples/motor/system.toml --out build/pictures-small
	$(BIN)/python tests/browser/pictures.py build/pictures/report.html build/pictures-small/report.html docs/pictures

lock: ## choose Python packages anew (needs the network; commit the result)
	sh setup/lock.sh

sbom: setup-test ## write the bill of materials (CycloneDX) to build/sbom.cdx.json
	$(BIN)/python setup/sbom.py

clean: ## remove what was built; .venv and the user's cache stay
	rm -rf build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find $(PYTHON_DIRS) -name __pycache__ -type d -prune -exec rm -rf {} +
