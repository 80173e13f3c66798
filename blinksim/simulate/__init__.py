"""Experiments, the schedule of their games, and the batches that play them."""
