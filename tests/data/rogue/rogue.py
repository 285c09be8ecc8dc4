"""A plug-in method that behaves as badly as its option ``does`` says, or well."""

import atexit
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pegcp.errors import InputError, Missing
from pegcp.game import Jump, Problem
from pegcp.method import Answer, Method, Reason, Run, Status, stopped

EAT = "import time\nhoard = []\nwhile len(hoard) < {}:\n    hoard.append(b'x' * 1_000_000)\ntime.sleep(60)\n"
DAEMON = """
import os, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
time.sleep(1000)
"""

CHAIN = """
import os, time
for _ in range(20):
    if os.fork() == 0:
        os.setsid()
        while True:  # each process lives for a moment, and the next one goes on
            if os.fork():
                os._exit(0)
time.sleep(1000)
"""


class Unprintable(Exception):
    """Cannot be turned into text."""

    def __str__(self) -> str:
        return str(1 // 0)


def note_pid(pid: int) -> None:
    """Leave a process number where the test finds it."""
    with open(os.environ["ROGUE_PIDS"], "a") as file:
        file.write(f"{pid}\n")


def start_family() -> None:
    """Start a process in this group, one in its own session, and a daemon that nobody is the parent of."""
    note_pid(os.getpid())
    for own_session in (False, True):
        child = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)",
            ],
            start_new_session=own_session,
        )
        note_pid(child.pid)
    subprocess.run([sys.executable, "-c", DAEMON, os.environ["ROGUE_PIDS"]], check=True)
    while len(Path(os.environ["ROGUE_PIDS"]).read_text().split()) < 4:
        time.sleep(0.01)


class Rogue(Method):
    """A method that misbehaves."""

    def run(self, problem: Problem, run: Run, options: Mapping[str, Any], backend: str | None) -> Answer:  # noqa: ARG002
        """Misbehave."""
        does = options["does"]
        if does == "sleep":
            time.sleep(1000)
        elif does == "loop":
            while True:
                pass
        elif does == "litter":
            os.makedirs("folder/folder")
            os.symlink("../precious", "link")
            os.chmod("folder", 0)
        elif does == "compile":  # so it says
            run.report({"compiling": 1})
            time.sleep(1000)
        elif does == "hold":  # the interpreter is busy in one long step, no Python thread can run
            _ = 7 ** (10**8)
        elif does == "ignore-term":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(1000)
        elif does == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
            time.sleep(1000)
        elif does == "eat":
            exec(EAT.format(400))
        elif does == "eat-together":
            for _ in range(4):
                subprocess.Popen([sys.executable, "-c", EAT.format(100)])
            time.sleep(1000)
        elif does == "burn":
            subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.2: pass"], check=True)
        elif does == "shout":
            garbage = bytes(range(256)) * 4096
            for _ in range(60):
                sys.stdout.buffer.write(garbage)
                sys.stderr.buffer.write(garbage)
            print("last words", file=sys.stderr)
            sys.stderr.flush()
            os._exit(5)
        elif does == "garble":
            return Answer("FINE", bound="many", jumps=((1, 2), "x"))  # type: ignore[arg-type]
        elif does == "list-nonsense":
            return Answer(Status.SOLVED, solutions=((Jump(9, 9, 9),),))
        elif does == "garble-progress":
            run.report({"bound": "x"})
            time.sleep(1000)
        elif does == "flood-progress":
            while True:
                run.report({"nodes": 1, "log": "x" * 1000})
        elif does == "flood-progress-at-once":
            run.report({"log": "x" * 20_000_000})
            time.sleep(1000)
        elif does == "fork":
            for _ in range(5):
                os.fork()
            time.sleep(1000)
        elif does == "orphans":  # each ends at once, and nobody waits for it
            subprocess.run(["sh", "-c", "i=0; while [ $i -lt 1000 ]; do (true &); i=$((i + 1)); done"], check=True)
        elif does == "chains":
            subprocess.run([sys.executable, "-c", CHAIN], check=False)
        elif does == "kill-keeper":
            child = os.fork()  # it holds all that this process has opened
            while not child:
                pass
            note_pid(child)
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(1000)
        elif does == "report-and-eat":
            run.report({"jumps": problem.board.jumps[:1]})
            exec(EAT.format(400))
        elif does == "soft-memory":
            return stopped(MemoryError())
        elif does == "fail":
            return Answer(Status.UNKNOWN, Reason.ERROR, message="no luck")
        elif does == "late":
            time.sleep(max(0.0, run.remaining) + 0.05)
            return Answer(Status.SOLVED, jumps=problem.board.jumps[:1])
        elif does == "hang-at-exit":
            atexit.register(time.sleep, 1000)
            threading.Thread(target=time.sleep, args=[1000]).start()
        elif does == "raise-unprintable":
            raise Unprintable
        elif does == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif does == "exit":
            print("a word of farewell", file=sys.stderr)
            sys.exit(3)
        elif does == "raise":
            raise ZeroDivisionError("what a day")
        elif does == "refuse":
            raise InputError("not this one")
        elif does == "miss":
            raise Missing("backend rogue needs courage")
        elif does == "family":
            start_family()
        elif does == "family-forever":
            start_family()
            time.sleep(1000)
        elif does == "report":
            for bound in (1, 2, 3):
                run.report({"bound": bound, "nodes": 10 * bound})
            time.sleep(1000)
        elif does == "report-and-hold":  # in one long step that lets no Python thread run
            for horizon in range(1, 10):
                run.report({"horizon": horizon, "build_seconds": 0.25})
            run.report({"conflicts": 80_000})
            _ = 7 ** (10**8)
        elif does == "incumbent":
            run.report({"jumps": [problem.board.jumps[0]]})
            time.sleep(1000)
        elif does == "cheat":
            return Answer(Status.SOLVED, jumps=problem.board.jumps[:2])
        elif does == "list":  # solutions that nobody asked for
            return Answer(Status.SOLVED, jumps=problem.board.jumps[:1], solutions=(problem.board.jumps[:1],) * 1000)
        elif does == "deny":
            return Answer(Status.INFEASIBLE)
        elif does == "overbid":
            return Answer(Status.UNKNOWN, Reason.TIME, bound=99)
        elif does == "obey":
            return Answer(Status.UNKNOWN, statistics={"folder": os.getcwd(), "nodes": run.limits.seed})
        return Answer(Status.UNKNOWN, message=f"did {does}")


method = Rogue(
    "rogue",
    "Does what it wants.",
    frozenset({"exact", "one-peg", "partial", "dead-end"}),
    frozenset({"any", "fewest-jumps"}),
    options={"does": "nothing"},
)
