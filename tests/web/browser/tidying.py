"""After a test its people get up: the next one finds the tables as if nobody had been there.

Tests of a module share a server. A bet that somebody left lying would keep the next one waiting.
"""

from __future__ import annotations

import time
from itertools import count
from typing import Any

from playwright.sync_api import APIRequestContext, BrowserContext

from tests.web.kit import API

__all__ = ["get_up"]

_keys = count(1)
SECONDS = 60


def get_up(context: BrowserContext) -> None:
    """Take back what lies, play the round to its end, give up every seat."""
    for page in context.pages:
        page.close()
    asked = context.request
    me = asked.get(f"{API}/me").json()
    if me.get("role") != "player":
        return
    for table in asked.get(f"{API}/tables").json()["tables"]:
        if any(seat["player"] == me["name"] for seat in table["seats"]):
            _leave(asked, f"{API}/tables/{table['id']}", me)


def _leave(asked: APIRequestContext, path: str, me: dict[str, Any]) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        view = asked.get(path).json()
        if not view["me"]["seats"]:
            return
        for command in _next(view, me["name"]):
            asked.post(
                f"{path}/commands",
                data=command,
                headers={"X-CSRF-Token": me["csrf"], "Idempotency-Key": f"tidy-{next(_keys)}"},
            )
        time.sleep(0.02)
    raise AssertionError(f"{me['name']} cannot leave {path}: {view['round']['phase']}")


def _next(view: dict[str, Any], name: str) -> list[dict[str, Any]]:
    state = view["round"]
    if state["phase"] in ("betting", "over"):
        held = [seat["number"] for seat in state["seats"] if seat["player"] == name]
        bets = held if state["phase"] == "betting" else []
        back = [{"type": "take_back", "seat": seat, "wagers": []} for seat in bets]
        return back + [{"type": "give_up_seat", "seat": seat} for seat in view["me"]["seats"]]
    says = [action for action in view["actions"] if action["do"] == "say"]
    return [{"type": "act", "seat": a["seat"], "action": a["action"]} for a in says[-1:]]
