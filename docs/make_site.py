"""Build the documentation as a site, from README.md, docs/ and the program itself.

Run `make docs`. The pages are laid out as in the repository, so that every link that works there
works here; the references of the API and of the library are generated from the code.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from api_reference import api_page

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "build" / "site-source"
TOP = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
FOLDERS = ("docs", "examples")
_DRAWN = re.compile(r"```mermaid\n(.*?)```", re.DOTALL)
_TO_CODE = re.compile(r"\[([^\]]+)\]\((?:\.\./)*(?:src/|tests/|benchmarks/|LICENSE)[^)]*\)")


# -- the pages ---------------------------------------------------------------------------------


def lay_out(to: Path) -> None:
    """Copy the pages of the site.

    Diagrams that a browser would need a fetched program for stay text. Links to code become plain
    text, because the code is not part of the site."""
    shutil.rmtree(to, ignore_errors=True)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, to / folder, ignore=shutil.ignore_patterns("*.py"))
    shutil.copy(ROOT / "README.md", to / "index.md")
    for name in TOP:
        shutil.copy(ROOT / name, to / name)
    (to / "docs" / "api.md").write_text(api_page(), "utf-8")
    for page in to.rglob("*.md"):
        text = page.read_text("utf-8")
        text = _DRAWN.sub(r"```text\n\1```", text).replace("README.md)", "index.md)")
        page.write_text(_TO_CODE.sub(r"\1", text), "utf-8")
    conformance = to / "docs" / "conformance"
    (conformance / "README.md").rename(conformance / "index.md")


def main() -> None:
    lay_out(SOURCE)
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"],
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=False,
    )
    if built.returncode:
        sys.exit(built.stderr or built.stdout)
    pages = len(list((ROOT / "site").rglob("*.html")))
    print(
        f"{pages} pages in site/: open site/index.html, or see them at /docs/ of `croupier serve`"
    )


if __name__ == "__main__":
    main()
