"""A live table and the people who work it, over the API: they do what `GET /work` says."""

from __future__ import annotations

from typing import Any, Protocol

from croupier.cards import DECK, parse_cards
from croupier.web.tables.demo import submission_for
from tests.web.kit import Answer, wanted_wagers

CARDS = tuple(str(card) for card in DECK)


class Somebody(Protocol):
    """A caller in the same process, or one over a real connection."""

    name: str

    def call(self, method: str, path: str, body: Any = None) -> Answer: ...
    def do(self, table: str, /, **command: Any) -> int: ...
    def send(self, table: str, /, **command: Any) -> Answer: ...


class Crew:
    """Everybody answers the first thing that can be answered, or declines where `folds`."""

    folds = False

    def __init__(
        self, table: str, *, dealer: Somebody, floorperson: Somebody, player: Somebody
    ) -> None:
        self.table = table
        self.people = {"dealer": dealer, "floorperson": floorperson, "player": player}
        self.cards: dict[str, str] = {}
        """By place, `player 1` or `community`: what lies there."""
        self._entered: set[str] = set()

    def open(self, rulebook: str, terms: dict[str, Any] | None = None, **more: Any) -> Crew:
        told = submission_for(rulebook, terms)
        self.floor.do(
            self.table,
            type="open_table",
            table=self.table,
            rulebook=rulebook,
            submission=told,
            source="live",
            inventory="100000.00",
            **more,
        )
        return self

    @property
    def floor(self) -> Somebody:
        return self.people["floorperson"]

    @property
    def dealer(self) -> Somebody:
        return self.people["dealer"]

    @property
    def player(self) -> Somebody:
        return self.people["player"]

    def sit(self, seat: int = 1, amount: str = "1000.00") -> None:
        self.player.do(self.table, type="take_seat", seat=seat)
        self.player.do(self.table, type="buy_in", amount=amount)

    def view(self) -> Any:
        return self._get(self.floor, f"/tables/{self.table}")

    def steps(self, role: str = "dealer") -> list[Any]:
        found: list[Any] = self._get(self.people[role], f"/tables/{self.table}/work")["steps"]
        return found

    def _get(self, who: Somebody, path: str) -> Any:
        found = who.call("GET", path)
        assert found.status == 200, found
        return found.body

    def work_until(self, *wanted: str, most: int = 80) -> Any:
        """Do what waits, step by step, until one of these waits or nothing does."""
        for _ in range(most):
            steps = self.steps()
            if not steps or any(step["step"] in wanted for step in steps[:1]):
                return steps[0] if steps else None
            self.do_step(steps[0])
        raise AssertionError(f"{wanted} never came: {steps[:2]}")

    def do_step(self, step: Any) -> None:
        command = dict(step["command"])
        kind = command.pop("type")
        command |= {name: self.answer(name, step) for name in step["asks"]}
        command = {name: value for name, value in command.items() if value is not None}
        role = next(role for role in step["by"] if role in self.people)
        self.people[role].do(self.table, type=kind, **command)

    def answer(self, name: str, step: Any) -> Any:
        match name:
            case "cards":
                return self.cards_for(step)
            case "chips":
                return step["command"]["chips"]
            case "action":
                return step["choices"][-1] if self.folds else step["choices"][0]
            case "back":
                backs = {deck["back"] for deck in self.decks()["decks"]}
                return next(back for back in ("red", "blue", "green") if back not in backs)
            case "cover_cards":
                return self.decks()["cover_cards"]
            case "depth":
                return 20
            case "how":
                return "sign" if step["step"] == "mark" else "hand"
            case "player":
                return self.player.name if step["step"] == "view" else None
            case "method":
                ways = self.decks()["ways"]
                return next(w["name"] for w in ways if w["usable"] and w["name"] != step["back"])
            case "reason":
                return "as the document says"
        return None

    def decks(self) -> Any:
        return self._get(self.floor, f"/tables/{self.table}/decks")

    def rules(self) -> Any:
        return self._get(self.floor, f"/tables/{self.table}/rules")

    def cards_for(self, step: Any) -> list[str]:
        place = f"{step['place']} {step['seat']}".removesuffix(" 0")
        state = self.view()["round"]
        lying = [*state["community"], *state["dealer"], *state["box"]]
        for seat in state["seats"]:
            lying += seat["cards"]
        wanted = [str(card) for card in parse_cards(self.cards.get(place, ""))]
        meant = {str(card) for text in self.cards.values() for card in parse_cards(text)}
        self._entered |= {card for card in lying if card}
        free = [c for c in CARDS if c not in self._entered and c not in meant]
        found = [c for c in (*wanted, *free) if c not in self._entered][: step["cards"]]
        self._entered |= set(found)
        return found

    def bet(self, seat: int = 1, *, everything: bool = False) -> None:
        """The bets open, and the least is placed on what is required, or on all there is."""
        self.do_step(self.steps()[0])
        self.lay(seat, everything=everything)

    def lay(self, seat: int = 1, *, everything: bool = False) -> None:
        """While the bets are open: the least on what is required, or on all there is."""
        for _ in range(3 if everything else 1):  # some wagers need others first
            view = self._get(self.player, f"/tables/{self.table}")
            wagers = wanted_wagers(view, seat)
            self.player.do(self.table, type="place_wagers", seat=seat, wagers=wagers)
