"""What every thing gets from the vocabulary: register, page, forms, correction, history. No word of a program stands here."""
