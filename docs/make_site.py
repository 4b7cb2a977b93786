"""Builds the documentation as a site, from README.md, docs/ and the program itself.

Run `make docs`. The pages are laid out as in the repository, so that every link that works there
works here; the references of the API and of the library are asked from the code.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import croupier
from croupier.web.app import create_app
from croupier.web.pages.description import description_of
from croupier.web.server.settings import Settings

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "build" / "site-source"
TOP = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
FOLDERS = ("docs", "examples")
_DRAWN = re.compile(r"```mermaid\n(.*?)```", re.DOTALL)
_TO_CODE = re.compile(r"\[([^\]]+)\]\((?:\.\./)*(?:src/|tests/|benchmarks/|LICENSE)[^)]*\)")


# -- the pages ---------------------------------------------------------------------------------


def lay_out(to: Path) -> None:
    """Copy what the site shows. Drawings that a reader's browser would fetch a program for stay
    text, and places in the code, which is not part of the site, are no links."""
    shutil.rmtree(to, ignore_errors=True)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, to / folder, ignore=shutil.ignore_patterns("*.py"))
    shutil.copy(ROOT / "README.md", to / "index.md")
    for name in TOP:
        shutil.copy(ROOT / name, to / name)
    (to / "docs" / "api.md").write_text(api_page(), "utf-8")
    (to / "docs" / "library-reference.md").write_text(library_page(), "utf-8")
    for page in to.rglob("*.md"):
        text = page.read_text("utf-8")
        text = _DRAWN.sub(r"```text\n\1```", text).replace("README.md)", "index.md)")
        page.write_text(_TO_CODE.sub(r"\1", text), "utf-8")
    conformance = to / "docs" / "conformance"
    (conformance / "README.md").rename(conformance / "index.md")


# -- the API -----------------------------------------------------------------------------------


def api_page() -> str:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(f"sqlite:///{folder}/journal.db", demo_tables=False)
        app = create_app(settings)
        return "\n".join(_api_lines(description_of(app)))


def _api_lines(told: dict[str, Any]) -> Iterator[str]:
    yield "# The API\n"
    yield told["info"]["description"] + "\n"
    yield "A running server has the same at `/api`, and for programs at `/api/v1/openapi.json`.\n"
    yield "## The ways in\n"
    for path, methods in told["paths"].items():
        for method, route in methods.items():
            if "summary" in route:
                yield from _route_lines(path, method, route)
    yield "## The commands\n"
    yield "What a table can be asked, in the body of `POST /api/v1/tables/{table}/commands`.\n"
    schemas = told["components"]["schemas"]
    for tag, ref in schemas["Command"]["discriminator"]["mapping"].items():
        yield from _command_lines(tag, schemas[ref.rpartition("/")[2]])


def _route_lines(path: str, method: str, route: dict[str, Any]) -> Iterator[str]:
    yield f"### `{method.upper()} {path}`\n"
    yield f"**{route['summary']}** {_plain(route.get('description', ''))}\n"
    if parameters := route.get("parameters"):
        yield "| parameter | in | |\n| --- | --- | --- |"
        for one in parameters:
            needed = "required" if one.get("required") else "optional"
            yield f"| `{one['name']}` | {one['in']} | {needed} |"
        yield ""


def _command_lines(tag: str, schema: dict[str, Any]) -> Iterator[str]:
    yield f"### `{tag}`\n"
    roles = ", ".join(schema["x-roles"])
    yield f"**{schema['title']}**, by {roles}. {_plain(schema['description'])}\n"
    fields = [name for name in schema["properties"] if name != "type"]
    if fields:
        yield "| field | |\n| --- | --- |"
        for name in fields:
            yield f"| `{name}` | {'required' if name in schema['required'] else 'optional'} |"
        yield ""


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")


# -- the library -------------------------------------------------------------------------------


def library_page() -> str:
    """Every name of `import croupier`, by the module where it lives."""
    homes: dict[str, list[str]] = {}
    for name in croupier.__all__:
        home = getattr(getattr(croupier, name), "__module__", None)
        if isinstance(home, str) and home.startswith("croupier."):
            homes.setdefault(home, []).append(name)
    lines = [
        "# The library\n",
        "What `import croupier` offers. [The library](library.md) teaches it in ten examples.\n",
    ]
    for home, names in homes.items():
        lines.append(f"## {home.rpartition('.')[2].replace('_', ' ').capitalize()}\n")
        lines += [f"::: {home}.{name}\n" for name in names]
    return "\n".join(lines)


def main() -> None:
    lay_out(SOURCE)
    told = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"],
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=False,
    )
    if told.returncode:
        sys.exit(told.stderr or told.stdout)
    pages = len(list((ROOT / "site").rglob("*.html")))
    print(
        f"{pages} pages in site/: open site/index.html, or see them at /docs/ of `croupier serve`"
    )


if __name__ == "__main__":
    main()
