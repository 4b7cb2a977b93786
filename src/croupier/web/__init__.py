"""The web server: HTTP for commands and queries, WebSocket for live views, and HTML pages."""
