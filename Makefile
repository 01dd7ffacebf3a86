# Every target is one line that can be typed without make, for example:  python -m grader check 2.1
# GNU make 3.81, which macOS has, can read this file.
#
#   PYTHON   makes the environment the first time       make check PYTHON=python3.12
#   VENV     the environment's folder                   make check VENV=../env
#   ARGS     more for the command behind the target     make test ARGS="-k topological"

PYTHON ?= python3
VENV ?= $(or $(BABYGRAD_VENV),.venv)
RUN = '$(VENV)/bin/python' -m

##  make check [EX=2.1] [NB=02]     grade what you wrote: points, and the first failure explained
##             [TRACK=evening]       what is next on the shortest way (or core, everything); remembered
##  make watch                      check an exercise each time you save its file
##  make hint EX=2.1                the next of three hints
##  make quiz [NB=03]               five questions that are due today; each comes back, later and later
##  make lab [NB=02]                JupyterLab: the notebook, and beside it the file that it asks for
##  make train DATA=moons           train your net: progress, a film, a checkpoint (digits, mnist: NET=conv; cities, manual)
##  make nbcheck NB=02              run a notebook on your package, compare its outputs with the recorded ones
##  make fill EX=2.1 (or NB=02)     go on without it: fill the answer in (a backup of your file is kept)
##  make reset EX=2.1 (or NB=02)    start the exercise over (a backup of your file is kept)
##  make submit NAME=ada            check everything, and pack your files to hand them in
##  make update FROM=folder-or-zip  a newer course with your answers in it (a backup of your files is kept)
##  make help                       this list
##  make help-all                   the same, then what is for teachers, and for whoever works on the course
##for the teacher
##  make release OUT=folder         write the student edition: the same checks, without the answers
##             [TRACK=core]         points for the core alone; docs/exercises.md says what is core
##             [EXCHANGE=folder]    and put it there, where all accounts come: %fetch, %submit; docs/jupyterhub.md
##  make grade SUBMISSIONS=folder   grade a class safely: points, pages and tables in grades/ (or OUT=folder)
##             [NOTEBOOKS=3]       these alone of all that was handed in: the next homework, with its own dates
##  make mark GRADES=grades         mark answers and code in the browser: comments at lines, a rubric, two tutors at once
##  make term GRADES="hw1 hw2"      several gradings joined: who fades, one gradebook; in term/ (or OUT=folder)
##  make exam OUT=folder [SEED=7]   exam sheets with drawn numbers, and their solutions (NOTEBOOKS=2-9)
##  make slides [NB=03]             slides of the notebooks, with speaker's notes, in slides/ (or OUT=folder); needs npm
##for whoever works on the course
##  make test                       the project's own tests, three to eight minutes on two processors
##  make test-all                   all of them: every notebook, attack, window and seed; up to an hour
##  make elsewhere [ARGS=hub]       other Pythons and systems, a JupyterHub, Firefox: what the machine can do of it
##  make notebooks                  write the notebooks from solutions/notebooks/*.py
##  make stubs                      write babygrad/ from solutions/babygrad/
##  make bench                      time checks, engine, transformers, filters, players, playground, grading
##  make site                       the course as a book of static pages, in site/ (or OUT=folder); needs npm
##  make lint                       ruff
##  make clean                      remove caches; answers, backups and .venv stay

help:
	@sed -n -e '/^##for the teacher/q' -e 's/^##//p' Makefile

help-all:
	@sed -n 's/^##//p' Makefile

# ---- the learner's ----

# The grader ends with 1 while exercises are open. That is daily life in a course, but make would call it an
# Error in the last line on the screen. So at a terminal 1 counts as done; a script, whose output is no
# terminal, gets the failure.
OPEN_IS_FINE_AT_A_TERMINAL = || { status=$$?; [ $$status -eq 1 ] && [ -t 1 ] && [ -t 2 ]; } || exit $$status

# ---- a target that misses what it is about asks for it ----

misses-nbcheck = $(if $(NB),,Which notebook? For example: make nbcheck NB=02)
misses-hint = $(if $(EX),,Which exercise? For example: make hint EX=2.1)
misses-fill = $(if $(EX)$(NB),,Which exercise or notebook? For example: make fill EX=2.1, or NB=02)
misses-reset = $(if $(EX)$(NB),,Which exercise or notebook? For example: make reset EX=2.1, or NB=02)
misses-train = $(if $(DATA),,Which data? For example: make train DATA=moons, or digits, mnist, cities, manual)
misses-update = $(if $(FROM),,Where is the newer course? For example: make update FROM=../babygrad-main.zip)
misses-submit = $(if $(NAME),,What is your name? For example: make submit NAME=ada)
misses-release = $(if $(OUT),,Where should the student edition be written? For example: make release OUT=../students)
misses-grade = $(if $(SUBMISSIONS),,Which submissions? For example: make grade SUBMISSIONS=submissions)
misses-mark = $(if $(GRADES),,Which grading? For example: make mark GRADES=grades)
misses-term = $(if $(GRADES),,Which gradings? For example: make term GRADES="hw1 hw2" OUT=term)
misses-exam = $(if $(OUT),,Where should the sheets be written? For example: make exam OUT=../exam NOTEBOOKS=2-9)

# At a terminal it is the question alone. A script gets a failure: $(error ...) puts a line number and *** before it.
MISSES = $(strip $(foreach goal,$(MAKECMDGOALS),$(misses-$(goal))))
ASKS = $(if $(MISSES),$(if $(shell test -t 2 && echo at a terminal),echo '$(MISSES)' >&2,$(error $(MISSES))))

check: ready-core
	@$(RUN) grader check $(EX) $(NB) $(if $(TRACK),--track $(TRACK)) $(ARGS) $(OPEN_IS_FINE_AT_A_TERMINAL)

watch: ready-core
	@$(RUN) grader watch $(ARGS)

nbcheck: ready-core
	@$(or $(ASKS),$(RUN) grader nbcheck $(NB) $(ARGS) $(OPEN_IS_FINE_AT_A_TERMINAL))

hint: ready-core
	@$(or $(ASKS),$(RUN) grader hint $(EX) $(ARGS))

quiz: ready-core
	@$(RUN) grader quiz $(NB) $(ARGS)

fill: ready-core
	@$(or $(ASKS),$(RUN) grader fill $(EX) $(NB) $(ARGS))

reset: ready-core
	@$(or $(ASKS),$(RUN) grader reset $(EX) $(NB) $(ARGS))

# PACKAGE=solutions trains the reference's net.
train: ready-core
	@$(or $(ASKS),$(RUN) grader train '$(DATA)' $(if $(NET),--net '$(NET)') $(if $(PACKAGE),--package '$(PACKAGE)') $(ARGS) $(OPEN_IS_FINE_AT_A_TERMINAL))

update: ready-core
	@$(or $(ASKS),$(RUN) grader update '$(FROM)' $(ARGS))

lab: ready-core
	@$(RUN) grader lab $(NB) $(ARGS)

submit: ready-core
	@$(or $(ASKS),$(RUN) grader submit '$(subst ','\'',$(NAME))' $(ARGS))

# ---- the teacher's ----

release: ready-grade
	@$(or $(ASKS),$(RUN) grader release '$(OUT)' $(if $(TRACK),--track '$(TRACK)') $(if $(EXCHANGE),--exchange '$(EXCHANGE)') $(ARGS))

grade: ready-grade
	@$(or $(ASKS),$(RUN) grader grade '$(SUBMISSIONS)' --out '$(or $(OUT),grades)' $(if $(NOTEBOOKS),--notebooks '$(NOTEBOOKS)') $(ARGS))

mark: ready-core
	@$(or $(ASKS),$(RUN) grader mark '$(GRADES)' $(ARGS))

# MINUTES=90 takes questions for so long, of all notebooks in turn.
term: ready-core
	@$(or $(ASKS),$(RUN) grader term $(GRADES) --out '$(or $(OUT),term)' $(ARGS))

exam: ready-core
	@$(or $(ASKS),$(RUN) grader exam '$(OUT)' $(if $(SEED),--seed '$(SEED)') $(if $(NOTEBOOKS),--notebooks '$(NOTEBOOKS)') $(if $(MINUTES),--minutes '$(MINUTES)') $(ARGS))

slides: ready-site
	@$(RUN) grader slides '$(or $(OUT),slides)' $(NB) $(ARGS)

# ---- the course's ----

PYTEST = $(RUN) pytest -n 2 --dist worksteal -p no:nbval --durations=10 -rs

test: ready-all
	@$(PYTEST) $(ARGS)

test-all: ready-all
	@$(PYTEST) -n 3 --leg=test --leg=push --leg=night $(ARGS)

elsewhere: ready-all
	@$(RUN) tests.elsewhere $(ARGS)

notebooks: ready-all
	@$(RUN) grader notebooks $(ARGS)

stubs: ready-core
	@$(RUN) grader stubs $(ARGS)

bench: ready-bench
	@$(RUN) benchmarks $(ARGS)

site: ready-site
	@$(RUN) grader site $(if $(OUT),--out '$(OUT)') $(ARGS)

lint: ready-all
	@$(RUN) ruff check $(ARGS)

clean:
	@find . \( -name .git -o -name .venv -o -path './$(VENV)' \) -prune -o \
	  \( -name __pycache__ -o -name '.*_cache' -o -name .hypothesis -o -name .ipynb_checkpoints \) \
	  -prune -exec rm -rf {} +

# ---- the environment ----

# grader/environment.py writes the stamps ready-core and so on into $(VENV), last of all. Python need not start to find
# that all is well: is there a stamp for this folder and this Python, and no list of requirements newer than it? That is
# asked in the shell, because make takes a path with a space for two.
HAS = stamp: $(shell cat '$(VENV)/ready-$*' 2> /dev/null)
NEEDS = stamp: $(shell test -x '$(VENV)/bin/python' && readlink -f '$(VENV)' '$(VENV)/bin/python' 2> /dev/null) requirements
NEWER = $(shell find requirements*.txt requirements/*.txt '$(VENV)/not-ready' -newer '$(VENV)/ready-$*' 2> /dev/null)

ASK = command -v $(firstword $(PYTHON)) > /dev/null || { echo "There is no $(PYTHON) here: \
	install Python 3.11 or newer, or name yours, for example: make check PYTHON=python3.12" >&2; exit 2; }; \
	BABYGRAD_VENV='$(VENV)' $(PYTHON) -m grader.environment $*

READY = $(addprefix ready-,core grade site all bench)
$(READY): ready-%:
	@$(if $(MISSES),,$(if $(or $(NEWER),$(if $(findstring $(NEEDS),$(HAS)),,others)),$(ASK)))

.PHONY: help help-all check watch nbcheck train hint quiz fill reset update lab submit release grade mark term exam slides test test-all elsewhere notebooks stubs bench site lint clean
.PHONY: $(READY)
.SUFFIXES:
