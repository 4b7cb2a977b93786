"""The live connection: every frame holds the table as this person sees it, and recent events."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from croupier.errors import BadRequest, CroupierError
from croupier.web.accounts.guard import REMEMBER_SECONDS, Sessions, TheSessions, Visit, visit_of
from croupier.web.server.problems import NotThere
from croupier.web.server.requests import NameInPath
from croupier.web.tables.audience import Subscriber
from croupier.web.tables.forms import PaceForm
from croupier.web.tables.pit import ThePit
from croupier.web.tables.served_table import ServedTable

MOST_VERSION = 2**53
_decode: Final = msgspec.json.Decoder(PaceForm).decode


@websocket("/api/v1/tables/{table:str}/live")
async def live(
    socket: WebSocket[Any, Any, Any], table: NameInPath, pit: ThePit, sessions: TheSessions
) -> None:
    """Send live frames. With `?after=VERSION`, the first frame includes the events since that
    version. With `?diff=1`, frames after the first hold only the changes."""
    await socket.accept()
    try:
        served = pit.table(table)
        after = _after(socket.query_params.get("after"))
    except CroupierError as error:
        code = 4404 if isinstance(error, NotThere) else 4400
        await socket.close(code, error.message[:120])
        return
    visit = visit_of(socket)
    person = visit.person
    news = asyncio.Event()
    diffs = socket.query_params.get("diff") == "1"
    subscriber = Subscriber(pit.onlooker(person), news.set, diffs=diffs)
    if after is not None and after > served.table.version:
        await served.catch_up(after)  # the client's last worker was ahead of this one
    served.subscribe(subscriber, after)
    tasks = [asyncio.create_task(_send(socket, subscriber, news))]
    if person is not None:
        tasks.append(asyncio.create_task(_watch_session(visit, subscriber, sessions)))
    try:
        await _listen(socket, served, subscriber)
    finally:
        served.unsubscribe(subscriber)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _after(text: str | None) -> int | None:
    if text is None or text == "":
        return None
    if not (text.isascii() and text.isdecimal() and int(text) <= MOST_VERSION):
        raise BadRequest("after= takes the seq of a frame")
    return int(text)


async def _send(
    socket: WebSocket[Any, Any, Any], subscriber: Subscriber, news: asyncio.Event
) -> None:
    while True:
        await news.wait()
        news.clear()
        if subscriber.is_dismissed:
            await socket.close(4401, "this session has ended: sign in again")
            return
        while (frame := subscriber.take()) is not None:
            await socket.send({"type": "websocket.send", "bytes": None, "text": frame.decode()})


async def _watch_session(visit: Visit, subscriber: Subscriber, sessions: Sessions) -> None:
    """Dismiss the subscriber when their session ends: on a sign-out, a new role or a disabled
    account, on any worker. The database is checked from time to time, except for guests, whose
    sessions nobody else ends."""
    person = now_person = visit.person
    assert person is not None
    before = (person.name, person.role, person.quiet)
    while now_person is not None and (now_person.name, now_person.role, now_person.quiet) == before:
        await sessions.changed(person.name, None if person.guest else REMEMBER_SECONDS)
        with suppress(Exception):  # a database error ends no session
            now_person = await sessions.find(visit.token)
    subscriber.dismiss()


async def _listen(
    socket: WebSocket[Any, Any, Any], served: ServedTable, subscriber: Subscriber
) -> None:
    """Receive the pace that a player wants. Other messages are ignored."""
    try:
        while True:
            text = await socket.receive_data("text")
            with suppress(msgspec.DecodeError):
                served.hear_wish(subscriber, _decode(text))
    except WebSocketDisconnect:
        return
