"""The staff's web application: one app a group of pages, all of one shape, each standing in the shell."""
