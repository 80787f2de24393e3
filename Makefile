# quepu 雀谱: `make run` and `make test` are all a fresh machine with Python 3.11 needs; they set up .venv by themselves.

PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,$(shell \
	$(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $(p))))
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
CORES := $(shell $(PYTHON) -c 'import os; print(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)')
# Two more than there are cores: tests of servers and in the browser wait a part of their time.
JOBS ?= $(shell expr $(CORES) + 2)
# A file is one piece of work, the long ones first (tests/conftest.py).
SHARED := -n $(JOBS) --dist loadfile --no-loadscope-reorder
# Only `make long` makes requests at random.
QUICK := -p no:schemathesis
# Rules, table and match: words, files, exports, processes, documents and what serves them are left to `make test`.
UNIT := $(addsuffix .py,$(addprefix tests/test_,books circumstances conformance distance explanations near_misses notation overlay \
	payment_options properties readings shapes stated_play usual wait_planes waiting)) \
	$(addprefix tests/,core lingque yuque guobiao canton table) \
	$(filter-out $(addprefix tests/match/test_,log_tables.py mjai_export.py),$(wildcard tests/match/test_*.py))

# The pages that a server shows, and what of their sources changed since they were built; 繁體 needs the books' texts.
PAGES := src/quepu/server/static/index.html
CHANGED = find web/* \( -name node_modules -o -name generated -o -path web/device \) -prune -o -newer $(PAGES) -print ; \
	find src/quepu/rulebooks \( -name '*.py' -o -name '*.toml' \) -newer $(PAGES) -print

# Compiled once, used by every worker, terminal and server that the tests start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run client test check unit lint lint-python lint-web check-web tests-read audit long slow bench bench-check mutants core dist bounds site pictures numbers lock app format clean help

run: $(VENV)/run.stamp client  ## 启动 · start
	@$(BIN)/quepu serve

test: $(VENV)/dev.stamp client  ## 测试 · all quick tests, the browser's too
	@$(BIN)/python .ci/web.py test >$(VENV)/web-tests.txt 2>&1 & web=$$!; \
		$(PYTEST) $(SHARED) $(QUICK); told=$$?; wait $$web; web=$$?; cat $(VENV)/web-tests.txt; exit $$((told | web))

check: $(VENV)/dev.stamp  ## 检查 · format, lint, layers, types, tests of rules, table and match
	@$(MAKE) --no-print-directory -j 3 lint-python check-web unit

unit: $(VENV)/dev.stamp
	@$(PYTEST) $(SHARED) -n $(CORES) $(QUICK) $(UNIT)

lint: $(VENV)/dev.stamp  ## 静态检查 · everything but the tests
	@$(MAKE) --no-print-directory -j 2 lint-python lint-web

lint-python: $(VENV)/dev.stamp
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/mypy

lint-web: $(VENV)/dev.stamp
	@$(BIN)/python .ci/web.py lint

check-web: $(VENV)/dev.stamp
	@$(BIN)/python .ci/web.py lint test

# What the processes of `test` would each do in a fresh checkout: compile every library and test module once.
tests-read: $(VENV)/dev.stamp
	@$(PYTEST) $(QUICK) --collect-only -qq >$(VENV)/tests.txt || { tail -n 40 $(VENV)/tests.txt; exit 1; }

audit: $(VENV)/dev.stamp  ## 依赖审计 · known vulnerabilities of dependencies (says so where it cannot ask)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $$($(BIN)/python .ci/audit.py --tools) || true
	@$(BIN)/python .ci/audit.py

long: $(VENV)/dev.stamp client  ## 长测试 · what takes longer: whole matches and evenings in browsers, every size, every book
	@$(PYTEST) $(SHARED) -m "long and not slow"

slow: $(VENV)/peers.stamp  ## 穷举测试 · the exhaustive tests (long)
	@$(PYTEST) -m slow --timeout=0

bench: $(VENV)/peers.stamp  ## 性能 · figures for bench/results.md
	@$(BIN)/python bench/run.py

bench-check: $(VENV)/peers.stamp  ## 性能比对 · fails where a figure of the last `make bench` is a fifth worse
	@$(BIN)/python bench/run.py --check

mutants: $(VENV)/dev.stamp  ## 变异测试 · small changes that a test must notice (MUTANTS="rows guobiao", "code luck --sample 30", "list")
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'cosmic-ray>=8.7'
	@$(BIN)/python .ci/mutants $(or $(MUTANTS),all)

core: $(VENV)/dev.stamp  ## 核心包 · build the core wheel alone and check its size (seconds)
	@$(BIN)/python .ci/dist.py --core

dist: $(VENV)/dev.stamp client  ## 发布包 · wheels, sdist, SBOM and licences in dist/ (QUEPU_URL: where it is published)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'twine>=6' 'cyclonedx-bom>=6'
	@$(BIN)/python .ci/dist.py
	@$(BIN)/python -m twine check --strict dist/*.whl dist/*.tar.gz

bounds: dist  ## 依赖上下限 · install the wheels with the oldest and the newest dependencies, and see that they work
	@$(BIN)/python .ci/bounds.py lowest
	@$(BIN)/python .ci/bounds.py newest

site: $(VENV)/dev.stamp client  ## 网站 · documents, tutorials, every book and fan, API: static pages in site/
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[site]'
	@$(BIN)/python .ci/site.py

pictures: $(VENV)/dev.stamp client  ## 图片 · take the README's pictures from the real pages
	@$(BIN)/python .ci/pictures.py

numbers: $(VENV)/dev.stamp  ## 数字 · size and shape of the code, then and now
	@$(BIN)/python .ci/code_size.py

lock: $(VENV)/dev.stamp  ## 锁定依赖 · pin what deploy/ installs, with digests
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip-tools>=7.4'
	@$(BIN)/pip-compile --quiet --upgrade --generate-hashes --strip-extras --allow-unsafe --no-annotate --no-header \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
		--extra server --extra postgres --extra fast --output-file $(VENV)/requirements.lock pyproject.toml
	@grep -vE '^(#|quepu @ )' $(VENV)/requirements.lock > deploy/requirements.lock # quepu itself, of this folder, has no digest

app: $(VENV)/run.stamp client  ## 静态网站 · the pages as files for any web host, working without a server: dist/app
	@rm -rf dist/app && mkdir -p dist && cp -R src/quepu/server/static dist/app && cp dist/app/index.html dist/app/404.html
	@test -f dist/app/device/bundle.json || { echo "缺少离线计算的部分：python web/device/bundle.py · what answers offline is missing" >&2; exit 1; }
	@echo dist/app

client: | $(VENV)/run.stamp  ## 网页 · the pages as they are in web/, built again where something changed (QUEPU_WEB=skip: never)
	@if [ "$$QUEPU_WEB" != skip ] && { [ ! -e $(PAGES) ] || [ -n "$$({ $(CHANGED); } | head -n 1)" ]; }; then \
		echo "正在生成网页 · building the pages …"; \
		if $(BIN)/python -c 'import hatchling' 2>/dev/null; then $(BIN)/python .ci/web.py build; else \
			QUEPU_WEB=build $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[server]'; fi; fi
	@[ "$$QUEPU_WEB" = skip ] || $(BIN)/python web/device/bundle.py --changed || \
		echo "离线计算的部分没有更新（需要联网） · what answers offline is not up to date: it needs the package index" >&2

format: $(VENV)/dev.stamp  ## 整理格式 · rewrite in the one format
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(BIN)/python .ci/web.py format

clean:  ## 清除 · remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

help:  ## 帮助 · this list
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "quepu 需要 Python 3.11 或更新 · quepu needs Python 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "缺少 venv，请先运行 sudo apt install python3-venv · venv is missing, first run: sudo apt install python3-venv" >&2; \
		exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: pyproject.toml | $(VENV)/bin/python
	@echo "正在准备（只需一次）· setting up, once …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[server]'
	@touch $@

# `client` builds the pages, with the packages that check them: doing it here, too, would install those of the web twice.
# Most modules of most libraries are never imported: those that are get compiled then, not all of them now.
$(VENV)/dev.stamp: pyproject.toml | $(VENV)/bin/python
	@echo "正在准备（只需一次）· setting up, once …"
	@QUEPU_WEB=skip $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -e '.[dev]'
	@touch $@ $(VENV)/run.stamp

$(VENV)/peers.stamp: $(VENV)/dev.stamp
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,peers]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'mjai>=0.2.1' loguru requests || true
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check torch --index-url https://download.pytorch.org/whl/cpu \
		&& $(BIN)/python -m pip install --quiet --disable-pip-version-check 'sb3-contrib>=2.7' 'torchrl>=0.14' || true # not for GPUs: gigabytes
	@touch $@
