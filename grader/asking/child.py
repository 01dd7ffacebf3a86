"""The learner's process. It is started by path, reads requests, and sends frames; it holds no answers.

request: one line, {"package": folder that holds babygrad/, "seed": n,
         "questions": [[exercise id, its file, [probe names]], ...]}
frames:  {"begin": exercise id, "importing": file}, {"begin": exercise id, "probe": name},
         {"exercise": id, "probe": name, "outcome": Outcome}, {"done": true}
What is tried has requests and frames of its own: trying.py.
"""

import json
import os
import sys
from itertools import chain
from pathlib import Path


def main():
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from grader.asking.pipes import no_debugger, take_over_pipes

    requests, frames = take_over_pipes()
    from grader.asking.ask import answer_requests
    from grader.asking.trying import try_requests
    from grader.asking.wire import write_frame

    sys.breakpointhook = no_debugger
    requests = map(json.loads, requests)
    first = next(requests)
    answered = try_requests if "trials" in first else answer_requests
    answered(chain([first], requests), lambda message: write_frame(frames, message))
    os._exit(0)  # nothing that the learner's code left behind may keep the process alive


if __name__ == "__main__":
    main()
