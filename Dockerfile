# Two images, neither of which holds the course, so no answers: the first is for learners (the last stage, the default),
# the other for grading. docs/jupyterhub.md says how they are used.
#
#   docker build -t babygrad .                          docker build -t babygrad-grade --target grade .

FROM python:3.12-slim-bookworm AS base
ENV PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
RUN apt-get update \
    && apt-get install -y --no-install-recommends git make \
    && rm -rf /var/lib/apt/lists/*

FROM base AS grade
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap libseccomp2 \
    && rm -rf /var/lib/apt/lists/*
COPY requirements-core.txt requirements-grade.txt /opt/grade/
RUN python -m pip install -r /opt/grade/requirements-grade.txt
WORKDIR /course
ENTRYPOINT ["python", "-B", "-m", "grader", "grade"]

FROM base AS learner
# What is copied is what a student edition has: so `make` takes this environment for its own.
COPY requirements-core.txt /opt/course/
COPY grader/__init__.py grader/environment.py /opt/course/grader/
ENV BABYGRAD_VENV=/opt/babygrad PATH=/opt/babygrad/bin:$PATH
RUN cd /opt/course \
    && python -m grader.environment core \
    && /opt/babygrad/bin/python -m pip install "jupyterhub>=5,<6" "nbgitpuller>=1.2,<2"
RUN useradd --create-home --home-dir /srv/learner --uid 1000 learner
USER learner
WORKDIR /srv/learner
CMD ["jupyterhub-singleuser"]
