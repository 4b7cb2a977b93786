"""The smallest bets that a table takes. Without mathematics, so that a server need not load it."""

from __future__ import annotations

from croupier.rulebooks.rules import Rules

__all__ = ["smallest_wagers"]


def smallest_wagers(
    rules: Rules, required: int = 1000, names: tuple[str, ...] = ()
) -> dict[str, int]:
    """Every wager on offer at its smallest amount: by fixed stakes and limits where there are any,
    else `required` cents on each required wager and five dollars on the others."""
    offered = [
        name
        for name, wager in rules.book.wagers.items()
        if name in rules.required or (name in rules.offered and (not names or name in names))
    ]
    dealing = rules.options.get("dealing")
    wagers = {}
    for name in offered:
        served = rules.book.wagers[name].dealt_by
        if dealing is not None and served and dealing not in served:
            continue
        low = rules.limits.get(name, (None, None))[0]
        usual = required if name in rules.required else 500
        wagers[name] = min(rules.stakes[name]) if name in rules.stakes else low or usual
    return wagers
