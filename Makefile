# Everything that a person or CI runs. `make help` lists it.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILE := --quiet --strip-extras --no-emit-index-url --no-emit-find-links --no-emit-trusted-host
export DO_NOT_TRACK = 1

.DEFAULT_GOAL := help
.PHONY: help install lint test run bad-night up down status lock clean

help: ## list what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

install: $(VENV)/.installed ## make .venv from the lock (three minutes, once)

$(VENV)/.installed: requirements.txt requirements-dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt -r requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

run: install ## run the sample corpus's Dag and show what it built
	@$(BIN)/python -m tailgate_local run

bad-night: install ## a log dump and a giant section land in the sample corpus: see the gate and the alert
	@$(BIN)/python -m tailgate_local bad-night

up: install ## start Airflow's web interface on the same data
	@$(BIN)/python -m tailgate_local up

down: ## stop it
	@test ! -x $(BIN)/python || $(BIN)/python -m tailgate_local down

status: install ## say whether it runs, and where
	@$(BIN)/python -m tailgate_local status

lint: install ## style, types, layers
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --no-cache --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: install ## every test
	$(BIN)/python -m pytest

lock: install ## make the requirements .txt files from the .in files
	$(BIN)/pip-compile $(COMPILE) --output-file requirements.txt requirements.in
	$(BIN)/pip-compile $(COMPILE) --output-file requirements-dev.txt requirements-dev.in
	sed -i 's/^torch==\([0-9.]*\)+cpu/torch==\1/' requirements.txt requirements-dev.txt


clean: ## stop Airflow, remove what was built (not .venv)
	@test ! -x $(BIN)/python || $(BIN)/python -m tailgate_local down
	rm -rf data .airflow include/samples/bad-night
