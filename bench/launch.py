"""Run one command and write down what the operating system says it took.

    python -S -E launch.py RESULT LIMIT COMMAND...

A process is counted with the memory of the one that started it, so this one stays small and is
started anew for every command. RESULT gets a line: exit code, CPU seconds, wall seconds, and the
peak of memory in the unit of the operating system.
"""

import os
import signal
import sys
import time


def main(result: str, limit: str, *command: str) -> None:
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ, setpgroup=0)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(pid, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, float(limit))
    _, status, usage = os.wait4(pid, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    wall = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime
    with open(result, "w", encoding="ascii") as out:  # noqa: PTH123 - pathlib alone takes 3 MB
        out.write(f"{os.waitstatus_to_exitcode(status)} {cpu} {wall} {usage.ru_maxrss}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
