"""Commands that people may give to a link. All other commands follow from play at its tables."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias, get_args

from msgspec import Meta, field

from croupier.errors import BadRequest, shown
from croupier.money import Cents
from croupier.progressives import messages
from croupier.progressives.meters import rate_millionths
from croupier.rounds.declaration import FLOOR, Command, Declaration, MoneyCommand

MeterName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, title="Meter")]
Reason: TypeAlias = Annotated[str, Meta(min_length=1, max_length=300, title="Reason")]


class ChangeMeter(MoneyCommand, frozen=True, tag="change_terms"):
    """Change a meter's contribution rate or reset amount from now on. The amount on the meter
    stays."""

    declared = Declaration(
        FLOOR,
        "Change the terms of a meter",
        "change the terms of a meter",
        help="The amount on the meter stays as it is.",
    )
    meter: MeterName
    reason: Reason
    rate: Annotated[
        str,
        Meta(max_length=10, title="Contribution rate", description="0.05 is 5% of each bet"),
    ] = ""
    reset: Annotated[Cents, Meta(title="Reset amount in dollars")] | None = None

    def message(self, by: str) -> messages.Command:
        """Return the command for the link, in the name of this person."""
        return messages.ChangeTerms(
            meter=self.meter,
            reason=self.reason,
            by=by,
            rate_millionths=rate_millionths(self.rate) if self.rate else None,
            reset_cents=self.reset,
        )


class EndLink(MoneyCommand, frozen=True, tag="close_link"):
    """Close the link and dispose of every meter's money: `moves` names another link and its meter
    (`pot2:main`), `stated` describes any other use."""

    declared = Declaration(
        FLOOR,
        "Close the link",
        "close a link",
        help="The money of each meter moves to another link, or goes where you state.",
    )
    reason: Reason
    moves: Annotated[dict[MeterName, str], Meta(max_length=20, title="Money moves to")] = field(
        default_factory=dict
    )
    stated: Annotated[
        dict[MeterName, Reason], Meta(max_length=20, title="Other use of the money")
    ] = field(default_factory=dict)

    def message(self, by: str) -> messages.Command:
        """Return the command for the link, in the name of this person."""
        for meter in sorted(self.moves.keys() & self.stated.keys()):
            raise BadRequest(f"meter {shown(meter)}: its money cannot go two ways")
        goes: dict[str, messages.MoveTo | messages.Stated] = {
            meter: _move_to(meter, where) for meter, where in self.moves.items()
        }
        goes |= {meter: messages.Stated(words=words) for meter, words in self.stated.items()}
        return messages.CloseLink(goes=goes, reason=self.reason, by=by)


def _move_to(meter: str, where: str) -> messages.MoveTo:
    link, sign, target = where.partition(":")
    if not sign or not link or not target:
        raise BadRequest(
            f"moves.{meter}: {shown(where)} is not a meter of a link: write LINK:METER"
        )
    return messages.MoveTo(link=link, meter=target)


LinkCommand: TypeAlias = ChangeMeter | EndLink

LINK_COMMANDS: Final[dict[str, type[Command]]] = {
    str(command.__struct_config__.tag): command for command in get_args(LinkCommand)
}
"""Every command of a link by its name in JSON."""
