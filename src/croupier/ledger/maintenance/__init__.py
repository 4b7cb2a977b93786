"""Work on a whole journal: adopt, back up, restore, rebuild its indexes."""
