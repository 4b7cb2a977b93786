"""The audience of a table: frames sent to subscribers, and frames that wait to be taken."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from croupier.ledger.history.past_rounds import Moment
from croupier.web.tables.encoded_views import PersonalView, to_json
from croupier.web.tables.presence import Wish
from croupier.web.tables.views import Onlooker, Shown, happened

SOON: Final = 0.05
"""Seconds of delay for views in which only meters or readiness changed."""
REMEMBERED: Final = 400
"""Number of events kept for clients that reconnect."""


class News(NamedTuple):
    """An event in words. `veiled` is the version for people who do not sit at the table, where the
    house hides names, or None if they may not see the event."""

    version: int
    text: bytes
    veiled: bytes | None


class _Frame(NamedTuple):
    seq: int
    view: PersonalView
    happened: tuple[bytes, ...]
    settled: bool

    def after(self, earlier: _Frame | None) -> _Frame:
        """Return this frame with the events of an earlier, untaken frame put first."""
        events = () if earlier is None else earlier.happened
        return self._replace(happened=(events + self.happened)[-REMEMBERED:])

    @property
    def whole(self) -> bytes:
        events = b",".join(self.happened)
        return b'{"seq":%d,"view":%b,"happened":[%b]}' % (self.seq, self.view.whole, events)

    def since(self, earlier: _Frame) -> bytes:
        """Return only what changed since a frame that the client has."""
        changes, events = self.view.changes_since(earlier.view), b",".join(self.happened)
        return b'{"seq":%d,"base":%d%b,"happened":[%b]}' % (
            *(self.seq, earlier.seq, changes, events),
        )


class Subscriber:
    """A connected client. Of the frames not yet taken, only the last is kept, and the last in which
    a round was settled: however fast the table moves, players see their results.

    With `diffs`, the first frame is complete and each later frame holds only the changes.
    """

    def __init__(self, who: Onlooker, wake: Callable[[], None], *, diffs: bool = False) -> None:
        self.who = who
        self.wish = Wish(who.name)
        self._wake = wake
        self._diffs = diffs
        self._settled: _Frame | None = None
        self._last: _Frame | None = None
        self._taken: _Frame | None = None
        self.is_dismissed = False
        """Their session has ended, so the connection is closed."""

    def dismiss(self) -> None:
        self.is_dismissed = True
        self._wake()

    def put(
        self, seq: int, view: PersonalView, events: list[bytes], *, settled: bool = False
    ) -> None:
        earlier = self._last
        if earlier is not None and earlier.settled:
            self._settled, earlier = earlier.after(self._settled), None
        self._last = _Frame(seq, view, tuple(events), settled).after(earlier)
        self._wake()

    def take(self) -> bytes | None:
        """Return the next frame, or None if the client has everything."""
        frame = self._settled or self._last
        if frame is None:
            return None
        if self._settled is not None:
            self._settled = None
        else:
            self._last = None
        if not self._diffs:
            return frame.whole
        earlier, self._taken = self._taken, frame
        return frame.whole if earlier is None else frame.since(earlier)


class Audience:
    """The subscribers of one table. `shown` prepares the current state of the table for display."""

    def __init__(self, shown: Callable[[], Shown], *, names_everybody: bool) -> None:
        self.subscribers: set[Subscriber] = set()
        self._shown = shown
        self._names_everybody = names_everybody
        """Everyone may see who sits where."""
        self._news: deque[News] = deque(maxlen=REMEMBERED)
        self._later: asyncio.TimerHandle | None = None
        self.last_shown: Shown | None = None

    def note(self, moment: Moment) -> News | None:
        """Remember the event if it has a description in words."""
        event, after = moment.event, moment.after
        form = happened(event, after)
        if form is None:
            return None
        veiled = None if self._names_everybody else happened(event, after, veil=True)
        news = News(form.version, to_json(form), None if veiled is None else to_json(veiled))
        self._news.append(news)
        return news

    def add(self, subscriber: Subscriber, after: int | None) -> None:
        """Add a subscriber and send the current view, with the events since version `after`."""
        self.subscribers.add(subscriber)
        missed = [] if after is None else [news for news in self._news if news.version > after]
        shown, who = self._shown(), subscriber.who
        events = _events_for(who, shown, missed)
        subscriber.put(shown.table.version, shown.view_of(who), events)

    def publish(self, news: list[News], *, at_once: bool = True) -> None:
        """Send everyone the current view. If not `at_once`, the view waits `SOON` seconds or until
        the next one is sent."""
        if at_once:
            self._send(news)
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(SOON, self._send, news)

    def _send(self, news: list[News]) -> None:
        """Send the current view, built once per person however many windows they have open."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        shown = self.last_shown = self._shown()
        views: dict[Onlooker, tuple[PersonalView, list[bytes]]] = {}
        version, settled = shown.table.version, shown.table.round.phase == "collecting"
        for subscriber in self.subscribers:
            who = subscriber.who
            view = views.get(who)
            if view is None:
                view = views[who] = shown.view_of(who), _events_for(who, shown, news)
            subscriber.put(version, *view, settled=settled)


def _events_for(who: Onlooker, shown: Shown, news: Iterable[News]) -> list[bytes]:
    if who.is_kept_out(shown.table):
        return [event.veiled for event in news if event.veiled is not None]
    return [event.text for event in news]
