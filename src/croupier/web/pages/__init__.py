"""The HTML pages, the errors shown on them, the handbook and the API's description."""
