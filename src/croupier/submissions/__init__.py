"""An operator's Rules Submission checked against its document."""
