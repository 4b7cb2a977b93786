"""What the server writes to its log: lines for people, or one JSON object a line for programs."""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

__all__ = ["JsonFormatter", "LogFormat", "log_config", "told"]

LogFormat: TypeAlias = Literal["text", "json"]


def told(**fields: object) -> dict[str, object]:
    """`log.info("signed in", extra=told(person="flo"))`: fields of their own in JSON."""
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


def log_config(form: LogFormat) -> dict[str, Any]:
    """For `logging.config`. People are told what is wrong, programs everything."""
    level = "INFO" if form == "json" else "WARNING"
    plain = {"format": "%(levelname)s %(name)s: %(message)s"}
    structured = {"()": "croupier.web.logs.JsonFormatter"}
    logger = {"handlers": ["stderr"], "level": level, "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"chosen": structured if form == "json" else plain},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "chosen"}},
        "loggers": {"croupier": logger, "uvicorn": logger},
    }
