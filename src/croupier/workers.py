"""Work that can be divided: in this process, in others on this machine, or on a cluster.

Work is a module-level function, and each piece is its one argument. Pieces are small, rules and not
arrays, because they may be sent to another process. Results come back in the order of the pieces,
so that their sum does not depend on who did the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from time import monotonic
from typing import Any, Final, Protocol, TypeVar

from croupier.errors import BadRequest, CroupierError, not_installed

__all__ = ["Cluster", "ClusterLost", "Here", "Processes", "Workers", "using", "workers"]

CONNECT_SECONDS: Final = 10.0
ALONE_SECONDS: Final = 60.0
"""How long a cluster may be without any worker, since one may be starting."""
LOOK_SECONDS: Final = 5.0

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class Workers(Protocol):
    is_remote: bool
    """Whether the work leaves this process, so that it pays to divide it more finely."""

    def map(
        self, work: Callable[[_Task], _Result], pieces: Iterable[_Task]
    ) -> Iterator[_Result]: ...


class ClusterLost(CroupierError):
    """The cluster went away in the middle of the work."""

    code = "cluster_lost"


class Here:
    """One piece after another, in this process, when its result is requested."""

    is_remote = False

    def map(self, work: Callable[[_Task], _Result], pieces: Iterable[_Task]) -> Iterator[_Result]:
        return map(work, pieces)


class Processes:
    """Several processes on this machine."""

    is_remote = True

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def map(self, work: Callable[[_Task], _Result], pieces: Iterable[_Task]) -> Iterator[_Result]:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        with ProcessPoolExecutor(self._jobs, mp_context=get_context("spawn")) as pool:
            yield from pool.map(work, pieces)


class Cluster:
    """The workers of a dask scheduler. Use it in a `with`.

    If a worker dies, others repeat its pieces. The first piece for each machine is finished before
    its other workers begin, so machine code is compiled once there.
    """

    is_remote = True

    def __init__(self, address: str) -> None:
        self.address = address
        self._client = _connected(address)
        try:
            self._check_workers()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._client.close(timeout=2)

    def map(self, work: Callable[[_Task], _Result], pieces: Iterable[_Task]) -> Iterator[_Result]:
        listed = list(pieces)
        hosts = self._one_worker_of_each_host()
        first = [
            self._client.submit(
                work, piece, pure=False, retries=3, workers=[worker], allow_other_workers=True
            )
            for piece, worker in zip(listed, hosts, strict=False)
        ]
        futures = list(first)
        try:
            for done, future in enumerate(first):
                self._wait(future, done, len(listed))
            futures += [
                self._client.submit(work, piece, pure=False, retries=3)
                for piece in listed[len(first) :]
            ]
            for done, future in enumerate(futures):
                yield self._wait(future, done, len(listed))
        finally:
            if self._client.status == "running":
                with suppress(OSError):  # the scheduler may be gone, though nobody has noticed yet
                    self._client.cancel(futures, force=True)

    def _wait(self, future: Any, done: int, planned: int) -> Any:
        """Return the piece's result; fail if no worker is left to do it."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        alone_since: float | None = None
        while True:
            try:
                return future.result(timeout=LOOK_SECONDS)
            except TimeoutError:
                if future.done():  # the work itself ran out of time
                    raise
                alone_since = self._alone(alone_since)
                if alone_since is not None and monotonic() - alone_since > ALONE_SECONDS:
                    raise self._lost("has no worker left", done, planned) from None
            except (CancelledError, OSError) as error:
                raise self._lost("went away", done, planned) from error
            except KilledWorker as error:
                why = "lost every worker that tried one of the pieces"
                raise self._lost(why, done, planned) from error

    def _alone(self, since: float | None) -> float | None:
        if self._client.status == "running" and self._names():
            return None
        return since or monotonic()

    def _lost(self, why: str, done: int, planned: int) -> ClusterLost:
        return ClusterLost(
            f"the cluster at {self.address} {why}: {done} of {planned} pieces were done. Nothing "
            "was written; run the command again, or without --cluster on this machine"
        )

    def _names(self) -> dict[str, Any]:
        workers: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        return workers

    def _one_worker_of_each_host(self) -> list[str]:
        hosts = {info["host"]: name for name, info in sorted(self._names().items())}
        return list(hosts.values())

    def _check_workers(self) -> None:
        from croupier import __version__

        if not self._names():
            raise BadRequest(
                f"--cluster {self.address}: the scheduler has no workers; start some with "
                f"`dask worker {self.address} --nthreads 1`"
            )
        try:
            versions: dict[str, str] = self._client.run(_version)
        except Exception as error:
            raise BadRequest(
                f"--cluster {self.address}: its workers cannot run croupier {__version__}; install "
                f"it where they run ({error})"
            ) from None
        others = {name: version for name, version in versions.items() if version != __version__}
        if others:
            listed = ", ".join(f"{name} has {version}" for name, version in sorted(others.items()))
            raise BadRequest(
                f"--cluster {self.address}: this is croupier {__version__}, but {listed}; install "
                "the same version everywhere"
            )


def _connected(address: str) -> Any:
    """Return a dask client, whose types are its own."""
    try:
        from distributed import Client as DaskClient
    except ImportError:
        raise not_installed("--cluster", "distributed", "cluster") from None
    _silence_dask()
    try:
        connect: Any = DaskClient
        return connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise BadRequest(
            f"--cluster {address}: no dask scheduler answers there; start one with `dask "
            f"scheduler` and write its address, as in tcp://10.0.0.1:8786 ({_told(error)})"
        ) from None


def _silence_dask() -> None:
    """Silence dask's loggers: we report what matters. Some of them have a level of their own, so
    setting the first one's is not enough."""
    import logging

    names = ("distributed", *logging.root.manager.loggerDict)
    for name in names:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _told(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _version() -> str:
    from croupier import __version__

    return __version__


# -- who is asked ----------------------------------------------------------------------------------

_HERE: Final = Here()
_chosen: ContextVar[Workers] = ContextVar("workers", default=_HERE)


def workers() -> Workers:
    """Return the workers that do the work here: this process, unless set otherwise."""
    return _chosen.get()


@contextmanager
def using(address: str | None) -> Iterator[Workers]:
    """Send work to the cluster at this address within this context; without an address, nothing
    changes."""
    if address is None:
        yield workers()
        return
    with Cluster(address) as cluster:
        token = _chosen.set(cluster)
        try:
            yield cluster
        finally:
            _chosen.reset(token)
