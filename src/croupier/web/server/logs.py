"""What the server writes to its log: lines for people, or one JSON object a line for programs."""

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
    """`log.info("signed in", extra=log_fields(person="flo"))`: fields of their own in JSON."""
    return {"told": fields}


class JsonFormatter(logging.Formatter):
    """`at`, `level`, `logger`, `worker`, `message`, further fields, and `error` with its trace."""

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
    """The same warning or error is written ten times a minute: nobody can fill the disk with it.
    The next one after that says how many were left out."""

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
    """For `logging.config`. People read what is wrong, programs everything."""
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
