"""Practice and school: decisions priced, payouts and procedure examined, progress kept."""
