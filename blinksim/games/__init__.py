"""Games: shared pieces, and one package a game."""
