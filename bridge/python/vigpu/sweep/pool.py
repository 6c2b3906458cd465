"""Simulations in batches: processes of `igpu ref --batch` (bridge/programs/cli/batch.h), each with a
few jobs ahead, so that nobody waits."""
from __future__ import annotations

import collections
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from vigpu import igpu
from vigpu.errors import VigpuError

PROGRAMS = {"ref": ("igpu", ("ref", "--batch")), "rtl": ("Vigpu", ("--batch",))}
PROTOCOL = b"1"
TRIES = 2  # of a point that is over its time, or whose process was killed
# Jobs that a batch process has waiting. Where they are shorter than _SHORT seconds of CPU
# time we look at answers only every _NAP, which costs less and keeps nobody waiting.
_AHEAD = 8
_SHORT, _NAP = 0.02, 0.03
_READ = 1 << 18
_ERROR_CHARS = 4000


@dataclass
class Job:
    """One simulation to do. words: its command line."""

    key: str
    engine: str
    words: Sequence[str]
    tries: int = 0


@dataclass(frozen=True)
class Result:
    """What became of a job. state: done, failed, late (over its time) or killed. csv: the
    statistics. error, command: what was wrong, and what shows it again."""

    key: str
    state: str
    tries: int
    csv: str = ""
    error: str = ""
    command: str = ""
    cpu_seconds: float = 0.0
    rss_kb: int = 0


def start(engine: str) -> tuple[subprocess.Popen[bytes], str]:
    """A batch process of the engine, and its model's version."""
    program, words = PROGRAMS[engine]
    path = igpu.find(program)
    try:
        # A session of its own: Ctrl-C is for us, who end it.
        process = subprocess.Popen([path, *words], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, start_new_session=True)
    except OSError as error:
        raise VigpuError(f"{path}: cannot run: {error.strerror}") from error
    assert process.stdout is not None
    hello = process.stdout.readline().split()
    if len(hello) != 4 or hello[:3] != [b"batch", PROTOCOL, engine.encode()]:
        if hello:
            process.kill()
        if process.wait() < 0 and not hello:
            raise VigpuError(igpu.killed(path, words, process.returncode))
        raise VigpuError(f"{path}: is of another version: make igpu verilate")
    return process, hello[3].decode()


def model(engine: str) -> str:
    """The version of the engine's model."""
    process, version = start(engine)
    process.communicate()
    return version


def command(job: Job) -> str:
    """For a shell."""
    program = "igpu ref" if job.engine == "ref" else "Vigpu"
    return f"{program} {shlex.join(job.words)}"


@dataclass(eq=False)
class _Worker:
    process: subprocess.Popen[bytes]
    waiting: collections.deque[Job] = field(default_factory=collections.deque)
    data: bytearray = field(default_factory=bytearray)

    def give(self, job: Job, seconds: int) -> None:
        assert self.process.stdin is not None
        line = "\t".join((job.key, str(seconds), "--csv", "-", *job.words)) + "\n"
        self.waiting.append(job)
        try:
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it is gone, as reading will tell

    def answers(self) -> Iterator[tuple[Job, list[int], bytes, bytes]]:
        """Those that are whole: the job, the header's numbers, both outputs."""
        while (end := self.data.find(b"\n")) >= 0:
            words = self.data[:end].split()
            numbers = list(map(int, words[1:]))
            out, err = numbers[-2:]
            if len(self.data) < end + 1 + out + err:
                return
            job = self.waiting.popleft()
            if words[0].decode() != job.key:
                raise VigpuError(f"--batch: an answer for {words[0].decode()!r}, expected one "
                                 f"for {job.key}")
            body = bytes(self.data[end + 1:end + 1 + out + err])
            del self.data[:end + 1 + out + err]
            yield job, numbers, body[:out], body[out:]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:
                pass


class Pool:
    """Runs jobs of one engine. `with Pool(...) as pool: for results in pool.run(jobs)`."""

    def __init__(self, engine: str, version: str, processes: int, timeout: int) -> None:
        """version: of the model, as model() gave it. timeout: seconds for each job."""
        self._engine, self._version, self._timeout = engine, version, timeout
        self._count = processes
        self._selector = selectors.DefaultSelector()
        self._workers: set[_Worker] = set()
        self._again: collections.deque[Job] = collections.deque()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._workers):
            self._remove(worker)
        self._selector.close()

    def run(self, jobs: Iterable[Job], seconds: float | None = None) -> Iterator[list[Result]]:
        """Whenever some have ended: their results, each once. Also, with none, when none has
        for so many seconds."""
        queue = iter(jobs)
        more = True
        while True:
            while more and len(self._workers) < self._count:
                more = self._feed(self._start(), queue)
            for worker in [w for w in self._workers if not w.waiting]:
                self._feed(worker, queue)
                if not worker.waiting:
                    self._remove(worker)
            if not self._workers:
                if self._again:
                    more = True
                    continue
                return
            results: list[Result] = []
            for chosen, _ in self._selector.select(seconds):
                results += self._read(chosen.data, queue)
            if results and all(0 < result.cpu_seconds < _SHORT for result in results):
                time.sleep(_NAP)
            more = more or bool(self._again)
            yield results

    def _start(self) -> _Worker:
        process, version = start(self._engine)
        worker = _Worker(process)
        if version != self._version:
            worker.end()
            raise VigpuError(f"the model has changed from {self._version} to {version} while "
                             "the sweep ran; run the same command again")
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)
        self._workers.add(worker)
        return worker

    def _remove(self, worker: _Worker) -> None:
        self._workers.discard(worker)
        assert worker.process.stdout is not None
        self._selector.unregister(worker.process.stdout)
        worker.end()

    def _feed(self, worker: _Worker, queue: Iterator[Job]) -> bool:
        """Fill what it has waiting; False when there was nothing more."""
        while len(worker.waiting) < _AHEAD:
            job = next(queue, None) or (self._again.popleft() if self._again else None)
            if job is None:
                return False
            worker.give(job, self._timeout)
        return True

    def _read(self, worker: _Worker, queue: Iterator[Job]) -> list[Result]:
        assert worker.process.stdout is not None
        data = worker.process.stdout.read(_READ)
        worker.data += data or b""
        results = [result for answer in worker.answers()
                   if (result := self._judge(*answer)) is not None]
        if data == b"":  # it died: the first job may be why, the others only waited
            first = worker.waiting.popleft() if worker.waiting else None
            self._again.extend(worker.waiting)
            worker.waiting.clear()
            self._remove(worker)
            if first is not None:
                result = self._retry(first, "killed", "its batch process was killed", 0.0, 0)
                results += [result] if result else []
        else:
            self._feed(worker, queue)
        return results

    def _judge(self, job: Job, numbers: list[int], out: bytes, err: bytes) -> Result | None:
        status, number, late, micros, rss = numbers[:5]
        cpu = micros / 1e6
        if late:
            return self._retry(job, "late", f"not over after {self._timeout} s", cpu, rss)
        if number or status == 4:  # 4: stopped by a signal that was not ours
            name = signal.Signals(number).name if number else "a signal"
            told = err.decode("utf-8", "replace").strip()
            return self._retry(job, "killed", f"killed by {name}" + (f": {told}" if told
                                                                       else ""), cpu, rss)
        if status == 0:
            return Result(job.key, "done", job.tries + 1, out.decode(), "", "", cpu, rss)
        told = err.decode("utf-8", "replace").strip()[:_ERROR_CHARS]
        return Result(job.key, "failed", job.tries + 1, "", told or f"exit status {status}",
                      command(job), cpu, rss)

    def _retry(self, job: Job, state: str, error: str, cpu: float, rss: int) -> Result | None:
        job.tries += 1
        if job.tries < TRIES:
            self._again.append(job)
            return None
        return Result(job.key, state, job.tries, "", f"{error}, {job.tries} times",
                      command(job), cpu, rss)
