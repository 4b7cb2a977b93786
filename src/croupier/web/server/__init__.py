"""HTTP and WebSocket: settings, limits, problem documents, metrics, and the solver processes."""
