"""Players add randomness to the deck, and nobody steers it: not the house, not a player, not both
of them against the others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import croupier
from croupier.cards import Card, format_cards, parse_cards
from croupier.errors import CroupierError
from croupier.ledger.checkpoints.proofs import prove_deck
from croupier.ledger.faults import ProofFailed
from croupier.ledger.journal import open_journal
from croupier.ledger.records.table_entries import table_record
from croupier.ledger.signatures.sealing import sealed_part, sealed_text
from croupier.ledger.verification.verify import verify
from croupier.library.table import Table
from croupier.randomness.mixing import Contribution, commitment_to, mixed_order, mixing_text
from croupier.rounds.commands import CommitRandomness, Deal, OpenBetting, RevealRandomness
from croupier.rounds.declaration import Actor
from croupier.rounds.players_randomness import waits_for_values
from croupier.runtime.dealer import FAST, Times, due
from croupier.runtime.journal_session import JournalSession
from croupier.tables.events import TableEvent
from tests.commands.program import ROOT
from tests.commands.program import croupier as program
from tests.ledger.forgery import behind_our_back, change, rechain
from tests.library.pages import examples_of, run

ANN, BOB = "a1" * 32, "b2" * 32
STREAM = "table:one"


def seated(table: Table) -> Table:
    """Bets are open, and both have bet."""
    for seat, player in enumerate(("Ann", "Bob"), 1):
        table.sit(player, seat, buy_in=500)
        table.bet(player, ante=5, blind=5)
    return table


@pytest.fixture
def table() -> Table:
    return seated(Table.open("md-uth", seed=7))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def commit(table: Table, seat: int, player: str, value: str) -> None:
    table.do("commit_randomness", by=f"player:{player}", seat=seat, commitment=commitment_to(value))


def reveal(table: Table, seat: int, player: str, value: str) -> None:
    table.do("reveal_randomness", by=f"player:{player}", seat=seat, value=value)


def refused(code: str) -> Any:
    return pytest.raises(CroupierError, check=lambda error: error.code == code)


def rules_of_the_page(seal: str, salt: str, order: str, added: list[str]) -> str:
    """docs/shuffle.md once more, written apart from the program."""
    text = "".join(f"{line}\n" for line in ("croupier mix 1", seal, salt, *added))
    blocks = [sha256(f"{text}{n}\n".encode()).digest() for n in range(20)]
    drawn, deck = iter(b"".join(blocks)), order.split()
    for left in range(len(deck), 1, -1):
        byte = next(byte for byte in drawn if byte < 256 - 256 % left)
        deck[left - 1], deck[byte % left] = deck[byte % left], deck[left - 1]
    return " ".join(deck)


def both_added(table: Table) -> Table:
    commit(table, 1, "Ann", ANN)
    commit(table, 2, "Bob", BOB)
    table.do("close_bets")
    reveal(table, 2, "Bob", BOB)
    reveal(table, 1, "Ann", ANN)
    return table


def test_the_deck_follows_from_the_seal_and_everybodys_values(table: Table) -> None:
    both_added(table).deal()
    table.play("first")
    state = table.state.round
    lines = [f"1 {commitment_to(ANN)} {ANN}", f"2 {commitment_to(BOB)} {BOB}"]
    order = rules_of_the_page(state.commitment, state.salt, format_cards(state.deck), lines)
    assert format_cards(state.mixed) == order
    assert sorted(state.mixed) == sorted(state.deck)
    assert state.mixed != state.deck
    dealt = [card for seat in state.seats for card in seat.cards]
    assert set(dealt) <= set(state.mixed[:15])
    assert "the deck is mixed with the randomness of seats 1, 2" in table.story()


def test_without_players_randomness_the_deck_is_dealt_as_it_was_sealed(table: Table) -> None:
    table.deal()
    state = table.state.round
    assert not state.mixed
    assert set(state.seats[0].cards) <= set(state.deck[:15])


def test_one_bit_of_any_value_makes_another_deck() -> None:
    order = parse_cards("As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s")
    added = [Contribution(1, commitment_to(ANN), ANN), Contribution(2, commitment_to(BOB), BOB)]
    other = [added[0], added[1]._replace(value=BOB[:-1] + "3")]
    unrevealed = [added[0], added[1]._replace(value="")]
    decks = {
        mixed_order(*one)
        for one in [
            ("seal", "salt", order, added),
            ("seal", "salt", order, other),
            ("seal", "salt", order, unrevealed),
            ("seal", "salt", order, added[:1]),
            ("seal", "other", order, added),
            ("other", "salt", order, added),
        ]
    }
    assert len(decks) == 6
    assert mixing_text("seal", "salt", unrevealed).endswith(f"2 {commitment_to(BOB)} -\n")


def test_several_decks_in_one_shoe_are_mixed_too() -> None:
    whole = tuple([Card(n % 52) for n in range(416)])
    mixed = mixed_order("seal", "salt", whole, [Contribution(1, commitment_to(ANN), ANN)])
    assert sorted(mixed) == sorted(whole)
    assert mixed != whole


# -- a player -------------------------------------------------------------------------------------


def test_a_value_that_does_not_match_is_refused_and_the_right_one_still_counts(
    table: Table,
) -> None:
    commit(table, 1, "Ann", ANN)
    table.do("close_bets")
    with refused("wrong_value"):
        reveal(table, 1, "Ann", BOB)
    reveal(table, 1, "Ann", ANN)
    assert table.state.round.added[0].value == ANN


def test_nobody_reveals_twice_or_commits_twice(table: Table) -> None:
    commit(table, 1, "Ann", ANN)
    with refused("already_done"):
        commit(table, 1, "Ann", BOB)
    table.do("close_bets")
    reveal(table, 1, "Ann", ANN)
    with refused("already_done"):
        reveal(table, 1, "Ann", ANN)


def test_whoever_knows_the_others_values_cannot_commit_any_more(table: Table) -> None:
    commit(table, 1, "Ann", ANN)
    with refused("not_now"):
        reveal(table, 1, "Ann", ANN)  # Bob could still commit, and would know it
    table.do("close_bets")
    reveal(table, 1, "Ann", ANN)
    with refused("not_now"):
        commit(table, 2, "Bob", BOB)


def test_nobody_reveals_when_the_cards_are_out(table: Table) -> None:
    commit(table, 1, "Ann", ANN)
    table.do("close_bets")
    table.do("deal")
    with refused("not_now"):
        reveal(table, 1, "Ann", ANN)
    assert table.story()[-2].startswith("seat 1 did not reveal in time")


def test_a_copied_commitment_is_refused(table: Table) -> None:
    commit(table, 1, "Ann", ANN)
    with refused("same_commitment"):
        commit(table, 2, "Bob", ANN)


def test_nobody_commits_or_reveals_for_another(table: Table) -> None:
    with refused("not_yours"):
        table.do(
            "commit_randomness",
            by="player:Bob",
            seat=1,
            player="Ann",
            commitment=commitment_to(BOB),
        )
    with refused("not_seated"):
        commit(table, 1, "Bob", BOB)
    with refused("not_seated"):
        commit(table, 3, "Cid", BOB)
    commit(table, 1, "Ann", ANN)
    table.do("close_bets")
    with refused("not_yours"):
        reveal(table, 1, "Bob", ANN)
    with refused("nothing_there"):
        reveal(table, 2, "Bob", BOB)
    for role in ("dealer", "floorperson", "operator"):
        with refused("wrong_role"):
            table.do("reveal_randomness", by=f"{role}:Dan", seat=1, player="Ann", value=ANN)


@pytest.mark.parametrize("nonsense", ["", "a1", "A1" * 32, "zz" * 32, "a1" * 33, f"{'a1' * 32}\n"])
def test_what_is_no_hash_is_no_commitment(table: Table, nonsense: str) -> None:
    with refused("bad_data"):
        table.do("commit_randomness", by="player:Ann", seat=1, commitment=nonsense)


def test_live_cards_are_shuffled_by_hand() -> None:
    table = seated(Table.open("md-uth", cards="live", care=False))
    with refused("live_cards"):
        commit(table, 1, "Ann", ANN)


def test_a_withheld_value_stops_nothing_and_gives_no_deck_that_the_house_has_chosen(
    table: Table,
) -> None:
    """The deal goes on without it, what is missing is recorded, and the commitment counts: the deck
    is not the one that the house sealed."""
    commit(table, 1, "Ann", ANN)
    commit(table, 2, "Bob", BOB)
    table.do("close_bets")
    reveal(table, 1, "Ann", ANN)
    table.deal()
    state = table.state.round
    assert state.phase == "deciding"
    lines = [f"1 {commitment_to(ANN)} {ANN}", f"2 {commitment_to(BOB)} -"]
    order = rules_of_the_page(state.commitment, state.salt, format_cards(state.deck), lines)
    assert format_cards(state.mixed) == order


def test_the_dealer_by_software_waits_three_seconds_and_for_nobody_who_is_away(
    table: Table,
) -> None:
    commit(table, 1, "Ann", ANN)
    commit(table, 2, "Bob", BOB)
    table.do("close_bets")
    closed = datetime(2026, 11, 16, tzinfo=UTC)

    def deals_after(seconds: float, away: tuple[str, ...] = ()) -> float:
        """When the last entry was written so long after the bets were closed."""
        times = Times(closed + timedelta(seconds=seconds), closed=closed)
        found = due(table.state, table.rules, times, (), FAST, away=away)
        assert found is not None
        assert isinstance(found.command, Deal)
        return (found.at - closed).total_seconds()

    assert deals_after(0) == 3
    assert deals_after(2) == 3  # and not 2 + 3: a chain of reveals stops nobody
    assert deals_after(0, ("Ann", "Bob")) == 0
    reveal(table, 1, "Ann", ANN)
    assert deals_after(1) == 3
    assert deals_after(1, ("Bob",)) == 1
    reveal(table, 2, "Bob", BOB)
    assert deals_after(1) == 1


def test_nobody_waits_for_somebody_who_committed_and_did_not_bet(table: Table) -> None:
    commit(table, 1, "Ann", ANN)
    commit(table, 2, "Bob", BOB)
    table.do("take_back", by="player:Bob", seat=2)
    table.do("close_bets")
    assert waits_for_values(table.state.round)
    reveal(table, 1, "Ann", ANN)
    assert not waits_for_values(table.state.round)
    reveal(table, 2, "Bob", BOB)  # he may all the same
    table.deal()
    assert table.phase == "deciding"


# -- the record -----------------------------------------------------------------------------------


def test_a_key_sent_again_commits_once_and_a_key_used_again_is_refused(path: Path) -> None:
    with croupier.open_journal(path) as journal:
        session = seated(journal.open_table("md-uth", name="one", seed=7)).session
        assert isinstance(session, JournalSession)
        mine, ann = CommitRandomness(1, "Ann", commitment_to(ANN)), Actor("player", "Ann")
        first = session.carry_out(mine, ann, "key-1")
        again = session.carry_out(mine, ann, "key-1")
        assert (first.repeated, again.repeated) == (False, True)
        assert len(session.table.round.added) == 1
        with refused("key_reused"):
            session.carry_out(CommitRandomness(1, "Ann", commitment_to(BOB)), ann, "key-1")


def played(path: Path) -> None:
    with croupier.open_journal(path) as journal:
        table = both_added(seated(journal.open_table("md-uth", name="one", seed=7)))
        table.play("first")
        assert journal.verify().valid


def differences(path: Path) -> str:
    with open_journal(path) as journal:
        return "\n".join(one.message for one in verify(journal).differences)


def test_the_deck_is_recorded_so_that_verify_computes_it_again(path: Path) -> None:
    played(path)
    with croupier.open_journal(path) as journal:
        told = journal.replay("one", 1)
        assert told.deal is not None
        assert [one.value for one in told.deal.added] == [ANN, BOB]


def told(path: Path) -> Any:
    played(path)
    with croupier.open_journal(path) as journal:
        return json.loads(json.dumps(journal.replay("one", 1).to_dict()))


CHANGES: dict[str, Callable[[Any], object]] = {
    "another salt": lambda deal: deal.update(salt="0" * 64),
    "another order": lambda deal: deal["order"].reverse(),
    "another seal": lambda deal: deal.update(seal="0" * 64),
    "another value": lambda deal: deal["added"][0].update(value=BOB),
    "nothing revealed": lambda deal: deal["added"][0].update(value=""),
    "nothing added": lambda deal: deal.update(added=[]),
    "others first": lambda deal: deal["added"].reverse(),
    "another card": lambda deal: deal["cards"]["seat 1"].reverse(),
    "a card too few": lambda deal: deal["cards"]["seat 2"].pop(),
    "a place left out": lambda deal: deal["cards"].pop("dealer"),
}


def test_a_player_with_the_rounds_json_alone_can_check_it_and_finds_every_change(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the command, and by the lines of docs/shuffle.md, which know nothing of Croupier."""
    monkeypatch.chdir(tmp_path)
    page = examples_of(ROOT / "docs" / "shuffle.md")
    (lines,) = [one for one in page if one.text.startswith("import hashlib, itertools")]
    file, right = tmp_path / "round.json", told(path)
    file.write_text(json.dumps(right))
    run(lines, {})
    assert program("shuffle", "check", file, "--seal", right["deal"]["seal"]).code == 0
    assert program("shuffle", "check", file, "--seal", "0" * 64).code == 1
    for name, changed in CHANGES.items():
        wrong = deepcopy(right)
        changed(wrong["deal"])
        file.write_text(json.dumps(wrong))
        assert program("shuffle", "check", file, "--json").code == 1, name
        with pytest.raises(AssertionError):
            run(lines, {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no JSON", "is not a round's JSON"),
        ("{}", "is not a round's JSON"),
        ('{"deal": null}', "has no deck to check"),
        ('{"deal": {"seal": 1}}', "is not a round's JSON"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_round_is_told(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "round.json"
    if text is not None:
        file.write_text(text)
    ran = program("shuffle", "check", file)
    assert ran.code == 2
    assert said in ran.err


def forged(path: Path, kind: str, old: str, new: str) -> str:
    """What is sealed or open in the first entry of this kind, changed by somebody who has every
    key, with all hashes computed anew."""
    with open_journal(path) as journal:
        entry = next(one for one in journal.read(STREAM) if one.kind == kind)
        part = sealed_part(entry.stored) if entry.stored else None
        key = journal.keys.key(STREAM, part.round, part.of) if part is not None else None
    with behind_our_back(path) as raw:
        if part is not None and key is not None:
            text = re.sub(old.encode(), new.encode(), entry.body)
            assert text != entry.body
            again = sealed_text(key, STREAM, entry.version, text)
            change(raw, STREAM, entry.version, part.sealed, again)
        else:
            (found,) = re.findall(old, entry.body.decode())
            change(raw, STREAM, entry.version, found, new)
        rechain(raw, STREAM)
    return differences(path)


def test_a_house_that_swaps_its_secret_is_found_out(path: Path) -> None:
    played(path)
    said = forged(path, "open_betting", r'"salt":"[0-9a-f]{64}"', f'"salt":"{"0" * 64}"')
    assert "the deck is not the one that the commitment was made for" in said
    assert "the event" in said  # and another deck would have been dealt


def test_a_value_changed_in_the_record_is_found_out(path: Path) -> None:
    played(path)
    assert "this is not the value" in forged(path, "reveal_randomness", BOB, "c3" * 32)


def test_a_deal_from_another_deck_is_found_out(path: Path) -> None:
    played(path)
    assert "the event" in forged(path, "deal", r'"missing":\[\]', '"missing":[1]')


# -- a proof of one round --------------------------------------------------------------------------


def entries_of_a_round(path: Path) -> tuple[OpenBetting, list[TableEvent]]:
    """Both have added randomness, and one round is over."""
    with croupier.open_journal(str(path)) as journal:
        both_added(seated(journal.open_table("md-uth", name="one"))).play("first")
    with open_journal(path) as store:
        records = [table_record(entry) for entry in store.read(STREAM)]
    events = [event for record in records for event in record.events]
    opening = next(one for one in events if isinstance(one, OpenBetting))
    return opening, events[events.index(opening) :]


def test_a_proof_computes_the_deck_again(path: Path) -> None:
    opening, events = entries_of_a_round(path)
    found = prove_deck(opening, events)
    assert found is not None
    assert (found.seal, found.values) == (opening.commitment, 2)
    assert found.dealt >= 11
    assert prove_deck(replace(opening, source="live"), events) is None


def test_a_proof_of_a_round_that_was_dealt_otherwise_does_not_hold(path: Path) -> None:
    """Signed by the house itself, and yet not what follows from the seal and the values."""
    opening, events = entries_of_a_round(path)
    deck = (*opening.deck[1:], opening.deck[0])
    with pytest.raises(ProofFailed, match="do not open the seal"):
        prove_deck(replace(opening, deck=deck), events)
    other = [
        replace(one, value=BOB) if isinstance(one, RevealRandomness) else one for one in events
    ]
    with pytest.raises(ProofFailed, match="not what it committed to"):
        prove_deck(opening, other)
    unmixed = [one for one in events if not isinstance(one, CommitRandomness | RevealRandomness)]
    with pytest.raises(ProofFailed, match="are not the next"):
        prove_deck(opening, unmixed)
