"""The documentation site that `make docs` builds, served under /docs/."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Final

from litestar import Router
from litestar.response.base import ASGIResponse
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp

from croupier.errors import BadRequest

HANDBOOK_PATH: Final = "/docs"
_CHECKOUT: Final = Path(__file__).parents[4]
_INLINE: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def built_handbook() -> Path | None:
    """Return the site of the checkout that this program runs from, or None if `make docs` was not
    run there."""
    site = _CHECKOUT / "site"
    is_ours = (_CHECKOUT / "mkdocs.yml").is_file() and (site / "index.html").is_file()
    return site if is_ours else None


def check_handbook(folder: Path) -> Path:
    if not (folder / "index.html").is_file():
        raise BadRequest(f"--docs {folder}: there is no index.html in it; `make docs` builds site/")
    return folder.resolve()


def handbook_router(folder: Path) -> Router:
    """Return the routes of the site. Its pages have inline scripts, which the policy of the other
    pages forbids: these scripts are allowed, and only here."""
    policy = _policy(folder)

    async def with_policy(response: ASGIApp) -> ASGIApp:
        assert isinstance(response, ASGIResponse)
        response.headers["Content-Security-Policy"] = policy
        return response

    return create_static_files_router(
        HANDBOOK_PATH, [folder], html_mode=True, name="handbook", after_request=with_policy
    )


def _policy(folder: Path) -> str:
    scripts = {
        text for page in folder.rglob("*.html") for text in _INLINE.findall(page.read_bytes())
    }
    hashes = sorted(
        base64.b64encode(hashlib.sha256(source).digest()).decode() for source in scripts
    )
    allowed = " ".join(f"'sha256-{source}'" for source in hashes)
    return (
        f"default-src 'self'; script-src 'self' {allowed}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    )
