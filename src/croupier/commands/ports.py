"""Is the port free? If not, a sentence says who has it and what to do."""

from __future__ import annotations

import errno
import http.client
import socket

from croupier.errors import BadRequest

__all__ = ["check_port"]


def check_port(host: str, port: int) -> None:
    """Refuses a port that somebody else listens on."""
    if port == 0:
        return
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror as error:
        raise BadRequest(f"--host {host}: {error.strerror}") from None
    except PermissionError:
        raise BadRequest(
            f"--port {port}: ports below 1024 need more rights than you have; take one above"
        ) from None
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise BadRequest(f"--host {host} --port {port}: {error.strerror}") from None
        raise BadRequest(
            f"port {port} is taken: {_who(host, port)}. End it, or give this server another port "
            f"(--port {port + 1 if port < 65535 else port - 1})"
        ) from None


def _who(host: str, port: int) -> str:
    """Who answers there, as far as a request can tell."""
    there = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1", "::1") else host
    line = http.client.HTTPConnection(there, port, timeout=2)
    try:
        line.request("GET", "/api/v1/health")
        text = line.getresponse().read(1000)
    except (OSError, http.client.HTTPException):
        return "a program that is no Croupier listens there"
    finally:
        line.close()
    if b'"tables"' in text or b'"status"' in text:
        return f"a Croupier is running at http://{there}:{port}/"
    return f"another web server is running at http://{there}:{port}/"
