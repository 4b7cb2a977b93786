"""Tables on the web: commands and live views, the floor, the house, the cashier and the audit."""
