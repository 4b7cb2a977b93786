"""The server's log: plain lines for people, or one JSON object per line for programs."""

from __future__ import annotations

import json
import logging
import os
import time
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeAlias

MOST_REPEATED: Final = 10
REPEAT_SECONDS: Final = 60.0
MOST_KINDS: Final = 1000

LogFormat: TypeAlias = Literal["text", "json"]


def log_fields(**fields: object) -> dict[str, object]:
    """Return extra fields for a log entry, each a field of its own in the JSON format:
    `log.info("signed in", extra=log_fields(person="flo"))`."""
    return {"told": fields}


class JsonFormatter(logging.Formatter):
    """Formats `at`, `level`, `logger`, `worker`, `message`, extra fields, and `error` with its
    traceback."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "at": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "worker": os.getpid(),
            "message": record.getMessage(),
        }
        line |= getattr(record, "told", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class Repeats(logging.Filter):
    """Writes the same warning or error at most ten times a minute, so that nobody can fill the disk
    with it. The next one after that minute says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._since: dict[tuple[str, str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        fault = record.exc_info[0] if record.exc_info else None
        key = record.name, str(record.msg)[:200], fault.__name__ if fault else ""
        now = time.monotonic()
        since, count = self._since.get(key, (now, 0))
        if now - since >= REPEAT_SECONDS:
            if count > MOST_REPEATED:
                left_out = count - MOST_REPEATED
                record.msg, record.args = f"{record.getMessage()} ({left_out} more like it)", ()
            since, count = now, 0
        if len(self._since) >= MOST_KINDS:
            self._since.clear()
        self._since[key] = since, count + 1
        return count < MOST_REPEATED


def log_config(form: LogFormat) -> dict[str, Any]:
    """Return a configuration for `logging.config`: warnings and errors as text, or everything from
    INFO up as JSON."""
    level = "INFO" if form == "json" else "WARNING"
    plain = {"format": "%(levelname)s %(name)s: %(message)s"}
    structured = {"()": "croupier.web.server.logs.JsonFormatter"}
    logger = {"handlers": ["stderr"], "level": level, "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"chosen": structured if form == "json" else plain},
        "filters": {"repeats": {"()": "croupier.web.server.logs.Repeats"}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "chosen",
                "filters": ["repeats"],
            }
        },
        "loggers": {"croupier": logger, "uvicorn": logger},
    }
