"""What `docs/contract.md` promises, copied by hand: the tests hold the program to it."""

from __future__ import annotations

from typing import Final

RULEBOOKS: Final = ("md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235")
GAMES: Final = (
    *("casino-holdem", "texas-holdem-bonus", "three-card-poker", "caribbean-stud", "let-it-ride"),
    *("mississippi-stud", "four-card-poker", "crazy-4-poker", "high-card-flush"),
)

REQUIRED: Final = {
    "md-uth": ("ante", "blind"),
    "ma-uth": ("ante", "blind"),
    "md-jackpot": ("ante", "x_tra_bonus"),
    "md-wpt": ("ante", "odds"),
    "md-235": ("two_card_poker", "three_card_poker", "five_card_poker"),
}
DECIDED: Final = {
    "md-uth": ("play",),
    "ma-uth": ("play",),
    "md-jackpot": ("play",),
    "md-wpt": ("raise",),
    "md-235": ("three_card_raise", "five_card_raise"),
}
OPTIONAL: Final = {
    "md-uth": (
        *("trips", "progressive", "six_card_bonus", "ultimate_pairs"),
        *("bad_beat", "play_the_board"),
    ),
    "ma-uth": ("trips", "progressive", "cover_all"),
    "md-jackpot": ("player_bonus", "progressive"),
    "md-wpt": ("pocket_bonus", "trips_plus", "progressive"),
    "md-235": ("win_em_all", "progressive"),
}

READINGS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "md-uth": {
        "progressive_hand": ("hole_and_flop", "best_of_seven"),
        "bad_beat_loser": ("either_side", "player_only"),
        "progressive_a_odds": ("to", "for"),
        "six_card_bonus_needs_trips": ("yes", "no"),
        "side_wagers_after_fold": ("stand", "lose"),
        "side_wagers_after_exposed_card": ("returned", "settled"),
    },
    "ma-uth": {
        "side_wagers_after_fold": ("stand", "lose"),
        "cover_all_below_full_house": ("loses", "pushes"),
        "progressive_seeds_scale": ("yes", "no"),
        "envy_scales": ("no", "yes"),
        "ptmgl04_royal_flush": ("straight_flush", "nothing"),
    },
    "md-jackpot": {
        "side_wagers_after_fold": ("stand", "lose"),
        "progressive_hand": ("first_three_community", "best_of_seven"),
        "ante_when_dealer_below_pair": ("returned", "lost_when_beaten"),
    },
    "md-wpt": {
        "side_wagers_after_fold": ("stand", "lose"),
        "bad_beat_keeps_odds": ("yes", "no"),
        "paytable_i_flopped_royal": ("meter", "royal_line"),
    },
    "md-235": {
        "ace_low_straights": ("none", "two_card", "three_card", "both"),
        "raise_pays": ("paytable", "even_money"),
        "five_card_low_pair": ("loses", "pushes"),
    },
}

HANDS: Final = frozenset(
    [
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
        "full_house",
        "flush",
        "straight",
        "three_of_a_kind",
        "two_pair",
        "pair",
        "high_card",
        "mini_royal",
        "pair_tens_or_better",
        "less_than_straight",
        "any_winning",
        "super_royal_diamonds",
        "super_royal_hearts_spades_clubs",
        "super_royal_any_suit",
        "pocket_aces_player_and_dealer",
        "pocket_aces_hearts_diamonds",
        "pocket_aces",
        "ak_suited",
        "aq_or_aj_suited",
        "ak_offsuit",
        "pocket_jacks_queens_kings",
        "aq_or_aj_offsuit",
        "pocket_tens_or_less",
        "ace_with_king_queen_or_jack_suited",
        "ace_with_king_queen_or_jack_offsuit",
        "pocket_pair_2s_to_kings",
        "royal_flush_diamonds",
        "royal_flush_spades_hearts_clubs",
        "flopped_royal_flush_spades",
        "flopped_royal_flush",
        "flopped_straight_flush",
        "community_royal_flush",
        "win_em_all",
    ]
)

METERS: Final = frozenset(
    ["main", "minor", "major", "mega", "star", "spade", "heart", "diamond", "club"]
)

PAYTABLES: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "md-uth": {
        "ante": ("only",),
        "play": ("only",),
        "blind": tuple("AB"),
        "trips": tuple("ABCDE"),
        "progressive": tuple("ABCD"),
        "envy_1": tuple("ABCD"),
        "envy_5": tuple("ABCD"),
        "six_card_bonus": tuple("AB"),
        "ultimate_pairs": tuple("ABCDEF"),
        "bad_beat": tuple("ABC"),
        "play_the_board": tuple("ABC"),
    },
    "ma-uth": {
        "ante": ("only",),
        "play": ("only",),
        "blind": ("only",),
        "trips": tuple("ABCD"),
        "cover_all": tuple("765432"),
        "progressive": (*("PTMGL01", "PTMGL02", "PTMGL04", "PTMGLML01", "PTMGLML02", "PTMGLML03"),),
        "envy": (*("PTMGL01", "PTMGL02", "PTMGL04", "PTMGLML01", "PTMGLML02", "PTMGLML03"),),
    },
    "md-jackpot": {
        "ante": ("only",),
        "play": ("only",),
        "x_tra_bonus": ("A",),
        "player_bonus": ("A",),
        "progressive": tuple("ABCDE"),
    },
    "md-wpt": {
        "ante": ("only",),
        "raise": ("only",),
        "odds": ("A",),
        "bad_beat_bonus": tuple("ABCD"),
        "pocket_bonus": tuple("ABC"),
        "trips_plus": tuple("ABCD"),
        "progressive": tuple("ABCDEFGHIJ"),
        "envy_1": ("J",),
    },
    "md-235": {
        "two_card_poker": ("only",),
        "three_card_poker": ("only",),
        "five_card_poker": ("only",),
        "progressive": tuple("ABCD"),
        "envy_1": tuple("ABCD"),
        "envy_5": tuple("ABCD"),
        "win_em_all": ("only",),
    },
}

CLAUSES: Final = {"md-uth": 294, "ma-uth": 150, "md-jackpot": 239, "md-wpt": 260, "md-235": 238}
