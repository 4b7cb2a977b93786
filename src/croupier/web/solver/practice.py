"""Practice on the server. The seed, the score and the leaks stay here; pages show only what a
player sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from anyio import to_thread
from litestar import Controller, MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from croupier.errors import Refusal
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.machine_key import machine_key
from croupier.reports.strategy_aids import StrategyAtHand, strategy_card
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.rules import rules_for
from croupier.runtime import clock
from croupier.school.certificates import Certificate, text
from croupier.school.practice.exams import CERTIFICATES, certified
from croupier.school.practice.game_figures import GameFigures
from croupier.school.practice.hands import GAMES, SUBMISSION, Hand, checked_game
from croupier.school.practice.leaks import LEAKS, Leaks, due, noted
from croupier.school.practice.pricing import Priced, price
from croupier.school.practice.sessions import (
    SESSIONS,
    Mode,
    Session,
    answered,
    begun,
    check_turn,
    checked_mode,
    fresh_seed,
    key_of,
    next_hand,
)
from croupier.school.practice.spots import Spot, streets_of
from croupier.school.practice.tasks import (
    FiguresWanted,
    PriceWanted,
    SpotWanted,
    StrategyWanted,
    Task,
    TaskResult,
    Worth,
    done,
)
from croupier.school.progress_store import ProgressStore
from croupier.web.accounts.guard import visit_of
from croupier.web.server.problems import PROBLEMS, NotThere
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.server.solver_process import PREPARING, Answers, SolverProcess, preparing
from croupier.web.solver.practice_forms import (
    AnswerForm,
    BeginForm,
    CurveForm,
    LeaksForm,
    NextForm,
    PracticeForm,
    PracticeGame,
    PracticeGames,
    curve_form,
    leaks_form,
    practice_form,
)
from croupier.web.tables.pit import ThePit

PATIENCE: Final = 2.0
MOST_CERTIFICATES: Final = 50
MOST_WANTED: Final = 1000
T = TypeVar("T")


class Practice:
    """The practice sessions. It belongs to the event loop. A method that returns None is waiting
    for the solvers: call it again."""

    def __init__(self, journal: Journal, process: SolverProcess | None = None) -> None:
        self._store = ProgressStore(journal)
        self._answers: Answers[Task, TaskResult] = Answers(done, process)
        self._wanted: dict[tuple[str, str], SpotWanted] = {}

    def close(self) -> None:
        self._answers.close()

    # -- sessions ---------------------------------------------------------------------------------

    async def games(self, person: str) -> PracticeGames:
        return await self._thread(lambda: self._games(person))

    def _games(self, person: str) -> PracticeGames:
        now = clock.now()
        kept = {record.key: record.record for record in self._store.of_person(person, LEAKS)}
        games = [_listed(game, leaks, due(leaks, now)) for game, leaks in _every_game(kept)]
        return PracticeGames(tuple(games), stamp(now)[:10])

    async def state(self, person: str, game: str, mode: Mode) -> PracticeForm | None:
        """Return the state of the person's session. If there is none, begin one, except in an
        exam."""
        session = await self._thread(lambda: self._session(person, game, mode))
        if session is None:
            if mode == "exam":
                raise NotThere("you have no exam in this game: begin one")
            return await self.begin(person, game, mode)
        return await self._shown(person, session)

    async def begin(
        self, person: str, game: str, mode: Mode, street: str = ""
    ) -> PracticeForm | None:
        """Begin a new session in place of the old one. A daily hand can be played only once."""
        spot = None
        if mode in ("flash", "leaks"):
            spot = await self._spot(person, game, mode, street)
            if spot is None:
                return None
        session = begun(checked_game(game), mode, clock.now(), spot=spot, street=street)

        def put(there: Session | None) -> Session:
            if mode == "daily" and there is not None:
                raise Refusal("today's hand of this game is on your table", code="already_done")
            return session

        await self._thread(lambda: self._change(person, session, put))
        return await self._shown(person, session)

    # -- answers ----------------------------------------------------------------------------------

    async def answer(
        self, person: str, game: str, mode: Mode, reply: AnswerForm
    ) -> PracticeForm | None:
        session = await self._there(person, game, mode)
        check_turn(session, reply.hand, reply.place)
        hand = session.hand
        hand.check(reply.said)
        worth_found = await self._answers.ask(PriceWanted(hand.question), PATIENCE)
        if worth_found is None:
            return None
        worth = _is(Worth, worth_found)
        exact = {action: Fraction(*value) for action, value in worth.values.items()}
        priced = price(hand, exact, reply.said, worth.beaten)

        def put(there: Session | None) -> Session:
            kept = _needed(there)
            check_turn(kept, reply.hand, reply.place)
            if kept.seed != session.seed:
                raise Refusal("another session has begun meanwhile", code="already_done")
            return answered(kept, priced, clock.now())

        changed = await self._thread(lambda: self._answered(person, session, put, priced))
        return await self._shown(person, changed)

    def _answered(
        self,
        person: str,
        session: Session,
        put: Callable[[Session | None], Session],
        priced: Priced,
    ) -> Session:
        changed = self._change(person, session, put)
        if session.mode == "exam":
            return self._certify(person, changed) if changed.ended_at else changed
        self._store.change(
            person, LEAKS, session.game, lambda leaks: noted(leaks, priced, clock.now())
        )
        return changed

    def _certify(self, person: str, exam: Session) -> Session:
        made = certified(exam, person, machine_key())
        name = made.hash[:16]
        old = sorted(
            self._store.of_person(person, CERTIFICATES), key=lambda record: record.changed_at
        )
        for record in old[: max(0, len(old) + 1 - MOST_CERTIFICATES)]:
            self._store.drop(person, CERTIFICATES, record.key)
        self._store.put(person, CERTIFICATES, name, made)
        return self._change(person, exam, lambda _: msgspec.structs.replace(exam, certificate=name))

    async def next(self, person: str, game: str, mode: Mode, number: int) -> PracticeForm | None:
        session = await self._there(person, game, mode)
        spot = None
        if session.is_single:
            spot = await self._spot(person, game, mode, session.street)
            if spot is None:
                return None

        def put(there: Session | None) -> Session:
            return next_hand(_needed(there), number, clock.now(), spot)

        changed = await self._thread(lambda: self._change(person, session, put))
        return await self._shown(person, changed)

    # -- results ----------------------------------------------------------------------------------

    async def curve(self, person: str, game: str) -> CurveForm | None:
        """Return the curve of the session of whole hands."""
        session = await self._there(person, game, "play")
        figures = await self._answers.ask(FiguresWanted(game), PATIENCE)
        return None if figures is None else curve_form(session, _is(GameFigures, figures))

    async def leaks(self, person: str, game: str) -> LeaksForm:
        unit = Hand(game, "unit", 1).unit_cents
        leaks = await self._thread(lambda: self._store.get(person, LEAKS, game))
        return leaks_form(leaks or Leaks(), unit, clock.now())

    async def strategy(
        self, rulebook: str, text: str = "", submission: str = SUBMISSION
    ) -> StrategyAtHand | None:
        strategy = await self._answers.ask(StrategyWanted(rulebook, text, submission), PATIENCE)
        return None if strategy is None else _is(StrategyAtHand, strategy)

    async def certificate(self, person: str, name: str) -> Certificate:
        certificate = await self._thread(lambda: self._store.get(person, CERTIFICATES, name))
        if certificate is None:
            raise NotThere("you have no certificate of this number")
        return certificate

    # -- internals --------------------------------------------------------------------------------

    def _key(self, person: str, game: str, mode: Mode) -> str:
        today = stamp(clock.now())[:10]
        if mode == "daily":
            self._check_day(person, game, today)
        return key_of(checked_game(game), mode, today)

    def _check_day(self, person: str, game: str, today: str) -> None:
        """Refuse if a later day's hand has been played, because then the clock was set back."""
        days = [record.key for record in self._store.of_person(person, SESSIONS)]
        later = [key for key in days if key > key_of(game, "daily", today)]
        if any(key.startswith(f"{game}/daily/") for key in later):
            raise Refusal(
                f"the clock was set back: it says {today}, and you have played a later day's hand",
                code="clock_set_back",
            )

    def _session(self, person: str, game: str, mode: Mode) -> Session | None:
        return self._store.get(person, SESSIONS, self._key(person, game, mode))

    async def _there(self, person: str, game: str, mode: Mode) -> Session:
        return _needed(await self._thread(lambda: self._session(person, game, mode)))

    def _change(
        self, person: str, session: Session, put: Callable[[Session | None], Session]
    ) -> Session:
        key = key_of(session.game, session.mode, session.began_at[:10])
        return self._store.change(person, SESSIONS, key, put)

    async def _spot(self, person: str, game: str, mode: Mode, street: str) -> Spot | None:
        """Return a spot to drill, or None while the solvers look for it. The same request is
        repeated until it is answered."""
        wanted = self._wanted.get((person, mode))
        if wanted is None or wanted.game != game or (mode == "flash" and wanted.decision != street):
            situation = ""
            if mode == "leaks":
                situation, street = await self._thread(lambda: self._leak_due(person, game))
            wanted = SpotWanted(checked_game(game), fresh_seed(), street, situation)
            if len(self._wanted) >= MOST_WANTED:
                self._wanted.clear()
            self._wanted[person, mode] = wanted
        try:
            spot = await self._answers.ask(wanted, PATIENCE)
        except Refusal:
            self._wanted.pop((person, mode), None)
            raise
        if spot is None:
            return None
        self._wanted.pop((person, mode), None)
        return _is(Spot, spot)

    def _leak_due(self, person: str, game: str) -> tuple[str, str]:
        leaks = self._store.get(person, LEAKS, game) or Leaks()
        waiting = due(leaks, clock.now())
        if not waiting:
            raise Refusal("nothing is due now: play, or come back later", code="not_now")
        return waiting[0], leaks.situations[waiting[0]].decision

    async def _shown(self, person: str, session: Session) -> PracticeForm:
        others = ""
        if session.mode == "daily" and session.is_over:
            others = await self._thread(lambda: self._others(person, session))
        if not session.is_hand_over:
            # Start computing the values while the player thinks.
            await self._answers.ask(PriceWanted(session.hand.question), 0.0)
        return await self._thread(lambda: practice_form(session, others))

    def _others(self, person: str, session: Session) -> str:
        key = key_of(session.game, "daily", session.began_at[:10])
        played = [
            record.record.hands[0]
            for record in self._store.of_everybody(SESSIONS, key)
            if record.record.hands and record.person != person
        ]
        if not played:
            return "You are the first to play it today."
        right = sum(hand.right == hand.decisions for hand in played)
        return f"{right} of {len(played)} others played it without a mistake."

    async def _thread(self, work: Callable[[], T]) -> T:
        return await to_thread.run_sync(work)


ThePractice: TypeAlias = NamedDependency[Practice]


def _needed(session: Session | None) -> Session:
    if session is None:
        raise NotThere("nothing has begun here: begin first")
    return session


def _is(expected: type[T], value: object) -> T:
    assert isinstance(value, expected)
    return value


def _every_game(kept: Mapping[str, Leaks]) -> list[tuple[str, Leaks]]:
    return [(game, kept.get(game, Leaks())) for game in GAMES]


def _listed(game: str, leaks: Leaks, waiting: Sequence[str]) -> PracticeGame:
    answered_times = sum(leak.asked for leak in leaks.situations.values())
    wrong = sum(leak.wrong for leak in leaks.situations.values())
    book = rules_for(game, "", SUBMISSION).book
    return PracticeGame(
        game,
        book.title,
        book.jurisdiction,
        game in DOCUMENTS,
        streets_of(game),
        answered_times,
        round(100 * (answered_times - wrong) / answered_times, 1) if answered_times else None,
        len(waiting),
    )


def _ready(state: T | None) -> Response[Any]:
    return preparing() if state is None else Response(state)


async def _card(strategy: StrategyAtHand | None) -> Response[Any]:
    if strategy is None:
        return preparing()
    data = await to_thread.run_sync(strategy_card, strategy)
    return Response(data, media_type="application/pdf")


def _person(request: AnyRequest) -> str:
    return visit_of(request).signed_in().name


class PracticeRoutes(Controller):
    path = "/api/v1/practice"
    tags = ("practice",)

    @get("/", summary="Games to practice", responses=PROBLEMS)
    async def games(self, request: AnyRequest, practice: ThePractice) -> PracticeGames:
        """Return the games with your accuracy so far and the number of leaks due."""
        return await practice.games(_person(request))

    @get("/certificates/{name:str}", summary="A certificate of yours", responses=PROBLEMS)
    async def certificate(
        self, request: AnyRequest, practice: ThePractice, name: NameInPath
    ) -> Response[str]:
        """Return a certificate file, which `croupier certificate` can recompute on any machine."""
        certificate = await practice.certificate(_person(request), name[:100])
        file = f"certificate-{certificate.hash[:16]}.json"
        headers = {"Content-Disposition": f'attachment; filename="{file}"'}
        return Response(text(certificate), media_type=MediaType.JSON, headers=headers)

    @get("/{game:str}/curve", summary="Luck apart from skill", responses=PREPARING)
    async def curve(
        self, request: AnyRequest, practice: ThePractice, game: NameInPath
    ) -> Response[CurveForm]:
        """Return the curve of your session, where result = expected - mistakes + luck, with its 95%
        band."""
        return _ready(await practice.curve(_person(request), checked_game(game)))

    @get("/{game:str}/leaks", summary="Where you lose money", responses=PROBLEMS)
    async def leaks(
        self, request: AnyRequest, practice: ThePractice, game: NameInPath
    ) -> LeaksForm:
        """Return your leaks, most expensive first."""
        return await practice.leaks(_person(request), checked_game(game))

    @get("/{game:str}/strategy", summary="Chart and strategies in words", responses=PREPARING)
    async def strategy(self, practice: ThePractice, game: NameInPath) -> Response[StrategyAtHand]:
        """Return the strategies with the exact cost of each."""
        return _ready(await practice.strategy(checked_game(game)))

    @get("/tables/{table:str}/strategy", summary="Strategy of a table", responses=PREPARING)
    async def table_strategy(
        self, practice: ThePractice, pit: ThePit, table: NameInPath
    ) -> Response[StrategyAtHand]:
        """Return the strategies under the rules and paytables in force at the table."""
        state = pit.table(table).table
        return _ready(
            await practice.strategy(state.rulebook, state.rulebook_text, state.submission)
        )

    @get(
        "/tables/{table:str}/card.pdf", summary="Strategy of a table to print", responses=PREPARING
    )
    async def table_card(
        self, practice: ThePractice, pit: ThePit, table: NameInPath
    ) -> Response[bytes]:
        state = pit.table(table).table
        rules = state.rulebook, state.rulebook_text, state.submission
        return await _card(await practice.strategy(*rules))

    @get("/{game:str}/card.pdf", summary="Strategy to print", responses=PREPARING)
    async def card(self, practice: ThePractice, game: NameInPath) -> Response[bytes]:
        """Return chart, words and costs as a PDF of one page."""
        return await _card(await practice.strategy(checked_game(game)))

    @get("/{game:str}/in/{mode:str}", summary="How practice stands", responses=PREPARING)
    async def state(
        self, request: AnyRequest, practice: ThePractice, game: NameInPath, mode: NameInPath
    ) -> Response[PracticeForm]:
        """Return the state of practice in the mode `play`, `daily`, `flash`, `leaks` or `exam`.
        Every mode except `exam` begins automatically."""
        person = _person(request)
        return _ready(await practice.state(person, checked_game(game), checked_mode(mode)))

    @post("/{game:str}/in/{mode:str}", status_code=201, summary="Begin again", responses=PREPARING)
    async def begin(
        self,
        request: AnyRequest,
        practice: ThePractice,
        game: NameInPath,
        mode: NameInPath,
        data: JSONBody[BeginForm],
    ) -> Response[PracticeForm]:
        person = _person(request)
        state = await practice.begin(person, checked_game(game), checked_mode(mode), data.street)
        return _ready(state)

    @post(
        "/{game:str}/in/{mode:str}/answer",
        status_code=200,
        summary="Answer the question on the table",
        responses=PREPARING,
    )
    async def answer(
        self,
        request: AnyRequest,
        practice: ThePractice,
        game: NameInPath,
        mode: NameInPath,
        data: JSONBody[AnswerForm],
    ) -> Response[PracticeForm]:
        """Price an answer exactly, and count it once. Status 202 means that nothing has been
        counted yet: send the answer again."""
        person = _person(request)
        return _ready(await practice.answer(person, checked_game(game), checked_mode(mode), data))

    @post(
        "/{game:str}/in/{mode:str}/next",
        status_code=200,
        summary="On to the next hand",
        responses=PREPARING,
    )
    async def next_hand(
        self,
        request: AnyRequest,
        practice: ThePractice,
        game: NameInPath,
        mode: NameInPath,
        data: JSONBody[NextForm],
    ) -> Response[PracticeForm]:
        person = _person(request)
        state = await practice.next(person, checked_game(game), checked_mode(mode), data.hand)
        return _ready(state)
