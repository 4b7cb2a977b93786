"""Caching of scripts, styles and pictures.

The browser keeps them but asks each time whether they have changed, so that no page mixes old and
new files after an upgrade; unchanged files are not sent again.
"""

from __future__ import annotations

from litestar.types import Message, Send


def is_static(path: str) -> bool:
    return path.startswith("/static/")


def unless_kept(send: Send, etags: str) -> Send:
    """Wrap `send` to answer 304 if the browser already has the file. `etags` is the header
    If-None-Match."""
    kept = {tag.strip().removeprefix("W/") for tag in etags.split(",")}
    is_kept = False

    async def sending(message: Message) -> None:
        nonlocal is_kept
        if message["type"] == "http.response.start" and message["status"] == 200:
            headers = [*message["headers"], (b"cache-control", b"no-cache")]
            tags = [value for name, value in headers if name.lower() == b"etag"]
            is_kept = any(tag.decode("latin-1") in kept for tag in tags)
            if is_kept:
                headers = [header for header in headers if header[0].lower() != b"content-length"]
            status = 304 if is_kept else 200
            message = {"type": "http.response.start", "status": status, "headers": headers}
        elif message["type"] == "http.response.body" and is_kept:
            more = message.get("more_body", False)  # optional in ASGI
            message = {"type": "http.response.body", "body": b"", "more_body": more}
        await send(message)

    return sending
