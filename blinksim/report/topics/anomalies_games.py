"""The games of the section on anomalies, one by one: what happened, how it ended, and the maps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from blinksim.analysis import anomalies
from blinksim.games.game import MapTile, Mark
from blinksim.report import hexes
from blinksim.report.parts import Drawing, GameStory
from blinksim.report.source import RunFacts
from blinksim.report.topic import Frames
from blinksim.report.words import count, listed, plural

TITLES = {
    anomalies.STALLED: "a game that stalled",
    anomalies.LONGEST: "the longest game",
    anomalies.SHORTEST: "the shortest game",
    anomalies.MARGIN: "the widest margin",
    anomalies.COMEBACK: "the biggest comeback",
    anomalies.CAPTURES: "the most captures",
}


def story(row: dict[str, Any], frames: Frames, facts: RunFacts) -> GameStory:
    """One game.

    Args:
        row: Of ``anomalies.stories``.
        frames: The measures of the page.
        facts: What was played.
    """
    game = _Game(row, frames, facts)
    whats = row["whats"].split(",")
    title = f"{listed(TITLES[what] for what in whats)}, {row['players']} players"
    told = [sentence for what in whats for sentence in game.of(what)]
    trouble = row["trouble"]
    paragraphs = [f"{game.ending()} {' '.join(told)}".strip()]
    if trouble:
        paragraphs.append(f"There are no maps: {trouble}. The command below says more.")
    return GameStory(title[0].upper() + title[1:], paragraphs, list(game.score_lines()), row["replay"], game.maps())


def map_key(frames: Frames) -> Drawing | None:
    """What the signs on the maps mean; nothing where there are no maps."""
    marks, tiles = frames["anomalies.marks"], frames["anomalies.maps"]
    if tiles.is_empty():
        return None
    seats = _marks(marks, "seat")
    svg = hexes.key_svg(_marks(marks, "terrain"), seats, [_map_tiles(tiles)])
    return Drawing(
        svg,
        "The signs of the maps. The letter at the top of a hex is its terrain; an outline with a small letter at its "
        "right marks that player's homeland. A counter has its owner's letter and how many units stand there; a gold "
        "dot is a coin of fortification, with a number where there are several. Below a map stand the points that the "
        "players would have had if the game had ended then.",
    )


def _marks(marks: pl.DataFrame, kind: str) -> list[Mark]:
    rows = marks.filter(pl.col("kind") == kind)
    return [Mark(*row) for row in rows.select("letter", "name", "colour").rows()]


def _map_tiles(rows: pl.DataFrame) -> list[MapTile]:
    return [MapTile(*row) for row in rows.select("q", "r", "terrain", "home", "owner", "units", "coins").rows()]


class _Game:
    """One game's rows of every measure, and sentences from them."""

    def __init__(self, row: dict[str, Any], frames: Frames, facts: RunFacts) -> None:
        this = pl.col("key") == row["key"]
        self.row = row
        self.facts = facts
        self.scores = frames["anomalies.scores"].filter(this)
        self.course = frames["anomalies.courses"].filter(this)
        self.tiles = frames["anomalies.maps"].filter(this)
        self.extremes = frames["anomalies.games"].filter(this)
        self.seats = _marks(frames["anomalies.marks"], "seat")
        strategies = dict(self.scores.select("seat", "strategy").rows())
        self.names = {seat: f"{self._letter(seat)} {name}" for seat, name in sorted(strategies.items())}

    def _letter(self, seat: int) -> str:
        """How a seat is called: its letter on the map, or its number where there is none."""
        return self.seats[seat].letter if self.seats else f"seat {seat}"

    def ending(self) -> str:
        """Who won, in a sentence."""
        after = f"after {plural(self.row['rounds'], 'round')}"
        if self.row["outcome"] == "stalled":
            return f"Nobody won: the game reached the cap of rounds {after}, and nobody's reserve was empty."
        won = self.scores.filter(pl.col("win_share") > 0)
        points = plural(int(self.scores["points"][0]), "point")
        winners = [self.names[seat] for seat in won["seat"]]
        if len(winners) > 1:
            return f"{listed(winners)} shared the victory {after} with {points} each."
        second = self.scores.row(1, named=True)
        ahead = int(self.scores["points"][0]) - second["points"]
        by = f"{count(ahead)} ahead of {self.names[second['seat']]}" if ahead else "ahead by the tie-break alone"
        return f"{winners[0]} won {after} with {points}, {by}."

    def of(self, what: str) -> Iterator[str]:
        """What there is to say about one way to stand out."""
        others = self.extremes.filter(pl.col("what") == what)["games"][0] - 1
        if what in (anomalies.LONGEST, anomalies.SHORTEST):
            with_players = f"with {self.row['players']} players"
            alike = f"; {plural(others, 'other')} {with_players} lasted as long" if others else ""
            yield f"No decided game was {'longer' if what == anomalies.LONGEST else 'shorter'}{alike}."
            announced = [self.names[seat] for seat in self.names if self.row["armed_seats"] >> seat & 1]
            yield f"{listed(announced)} announced the last round at the end of round {self.row['armed_round']}."
        elif what == anomalies.MARGIN:
            tiers = [f"{self.names[s]} on {self.facts.tier_names[t]}" for s, t in self._of_seats("final_tier")]
            yield f"No winner was further ahead. The game ended with {listed(tiers)}."
        elif what == anomalies.COMEBACK:
            yield from self._comeback()
        elif what == anomalies.CAPTURES:
            taken = [f"{count(n)} by {self.names[seat]}" for seat, n in self._of_seats("captures")]
            attacks, captures = (int(self.scores[name].sum()) for name in ("attacks", "captures"))
            yield f"{plural(attacks, 'attack')} took {plural(captures, 'tile')}: {listed(taken)}."
        elif what == anomalies.STALLED:
            yield from self._stall()

    def _of_seats(self, column: str) -> list[tuple[int, int]]:
        return self.scores.sort("seat").select("seat", column).rows()

    def _comeback(self) -> Iterator[str]:
        row = self.extremes.filter(pl.col("what") == anomalies.COMEBACK).row(0, named=True)
        then = self.course.filter(pl.col("round") == row["round"]).sort("score", "seat", descending=[True, False])
        own = int(then.filter(pl.col("seat") == row["seat"])["score"][0])
        best = then.row(0, named=True)
        ahead = (
            self.course.with_columns(rival=pl.col("score").filter(pl.col("seat") != row["seat"]).max().over("round"))
            .filter((pl.col("seat") == row["seat"]) & (pl.col("score") <= pl.col("rival")))
            .select(pl.col("round").max())
            .item()
        )
        led = "never led before the tie-break" if ahead == self.row["rounds"] else f"led from round {ahead + 1} on"
        yield (
            f"After round {row['round']} {self.names[row['seat']]} was {plural(row['value'], 'point')} behind "
            f"{self.names[best['seat']]}, {count(own)} to {count(best['score'])}, and {led}."
        )

    def _stall(self) -> Iterator[str]:
        closest = self.course.sort("reserve", "round", "seat").head(1)
        for row in closest.iter_rows(named=True):
            left = plural(row["reserve"], "unit")
            yield f"{self.names[row['seat']]} came closest, with {left} in reserve after round {row['round']}."

    def score_lines(self) -> Iterator[str]:
        """The final score, a line for each seat, best first."""
        for row in self.scores.iter_rows(named=True):
            yield (
                f"{self.names[row['seat']]}: {plural(row['points'], 'point')} ({row['points_units']} for units, "
                f"{row['points_row']} for the victory row, {row['points_objectives']} for objectives), "
                f"{self.facts.tier_names[row['final_tier']]}, {row['gold']} gold"
            )

    def maps(self) -> list[Drawing]:
        """The map after each round that is drawn."""
        rounds = [
            (int(number[0]), _map_tiles(rows)) for number, rows in self.tiles.group_by("round", maintain_order=True)
        ]
        box = hexes.box_of([tiles for _, tiles in rounds])
        return [
            Drawing(hexes.map_svg(tiles, self.seats, box, self._alternative(number, tiles)), self._caption(number))
            for number, tiles in rounds
        ]

    def _when(self, number: int) -> str:
        return f"After round {number}" if number else "At the start"

    def _caption(self, number: int) -> str:
        then = self.course.filter(pl.col("round") == number).select("seat", "score").rows()
        said = ", ".join(f"{self._letter(seat)} {score}" for seat, score in then)
        when = f"Round {number}" if number else "Start"
        return f"{when}: {said}" if said else when

    def _alternative(self, number: int, tiles: list[MapTile]) -> str:
        """The map in words."""
        seats = []
        for seat, name in self.names.items():
            own = [tile for tile in tiles if tile.owner == seat]
            units, coins = sum(tile.units for tile in own), sum(tile.coins for tile in own)
            with_coins = f" with {plural(coins, 'coin')}" if coins else ""
            seats.append(f"{name} {plural(units, 'unit')} on {plural(len(own), 'tile')}{with_coins}")
        return f"{self._when(number)} the map has {plural(len(tiles), 'tile')}: {', '.join(seats)}."
