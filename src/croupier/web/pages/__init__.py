"""The HTML pages, their error pages, the handbook and the API's description."""
