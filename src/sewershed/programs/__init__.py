"""What each program knows: its vocabulary, its calculations, its papers. One folder a program, all of one shape."""
