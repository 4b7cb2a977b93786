"""What Croupier takes, measured beside others in one run: `make bench`."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "benchmarks.md"


def write_section(name: str, text: str) -> None:
    """Replace what docs/benchmarks.md has between the two comments of this benchmark."""
    start = f"<!-- {name}: written by `python -m benchmarks.{name} --write` -->"
    end = f"<!-- end of {name} -->"
    page = PAGE.read_text("utf-8")
    if start not in page or end not in page:
        raise SystemExit(f"{PAGE} lacks the lines {start} and {end}")
    before, _, rest = page.partition(start)
    PAGE.write_text(f"{before}{start}\n\n{text}\n\n{end}{rest.partition(end)[2]}", "utf-8")
