"""From files to a library: reads rulebooks, checks everything that can be checked, and reports every problem at once."""
