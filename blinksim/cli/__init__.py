"""The command line. Commands import what they need when they run, so that ``blinksim --help`` answers at once."""

from __future__ import annotations


def main() -> None:
    """Entry point of the console script."""
    from blinksim.cli.app import app

    app()
