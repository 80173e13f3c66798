"""Tests of the roster and of what a player is."""
