"""Scripts, styles and pictures stay in the browser. It asks each time whether they have changed, so
that after an upgrade no page mixes old and new ones, and gets them again only if they have."""

from __future__ import annotations

from litestar.types import Message, Send


def is_static(path: str) -> bool:
    return path.startswith("/static/")


def unless_kept(send: Send, etags: str) -> Send:
    """`asked`: the header If-None-Match, the tags of what the browser has."""
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
            more = message.get("more_body", False)  # it may be left out
            message = {"type": "http.response.body", "body": b"", "more_body": more}
        await send(message)

    return sending
