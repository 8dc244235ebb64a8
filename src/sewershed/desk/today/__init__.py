"""What is to be done, and why: Today, Why, May I?, decisions, the calendar, finding anything."""
