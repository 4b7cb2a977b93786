"""The tables on the web: HTTP for commands and queries, WebSocket for live views, pages."""
