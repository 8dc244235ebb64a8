"""Papers: drafts to be looked at, issued with their number, sent with proof, withdrawn; the register of all of them."""
