"""Anomalies: games that stand out, how to play them again, and their maps round by round."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis import anomalies
from blinksim.errors import UserError
from blinksim.games.game import MapCourse
from blinksim.report.common import BASIS, basis_cells, players_title, table_rows
from blinksim.report.parts import Headline, Section, Table
from blinksim.report.source import NotKept, RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics import anomalies_games
from blinksim.report.words import count, plural
from blinksim.simulate.replay import replay_game
from blinksim.simulate.schedule import parse_key
from blinksim.store.reading import Run

STORIES = (anomalies.STALLED, anomalies.LONGEST, anomalies.MARGIN, anomalies.COMEBACK, anomalies.CAPTURES,
           anomalies.SHORTEST)  # fmt: skip
"""Ways to stand out of which a game is shown."""
MOST_GAMES = 6
MOST_TILES = 1000
"""Hexes on all maps of one game; each costs about 36 bytes of the page."""

MEANINGS = {
    anomalies.STALLED: ("longest stalled game", "round"),
    anomalies.LONGEST: ("longest decided game", "round"),
    anomalies.SHORTEST: ("shortest decided game", "round"),
    anomalies.MARGIN: ("widest margin of the winner", "point"),
    anomalies.COMEBACK: ("furthest that a winner was behind", "point"),
    anomalies.CAPTURES: ("most tiles taken by attack", "tile"),
    anomalies.HIGHEST: ("highest score of a winner", "point"),
    anomalies.LOWEST: ("lowest score of a winner", "point"),
    anomalies.GOLD: ("most gold left unspent by a player", "coin"),
}
"""Ways to stand out in words, with what their values count."""

SCORE_COLUMNS = ("seat", "strategy", "rank", "win_share", "points", "points_units", "points_row", "points_objectives",
                 "gold", "final_tier")  # fmt: skip
TILES = {
    "players": pl.Int8, "key": pl.String, "round": pl.Int64, "tile": pl.Int64, "q": pl.Int64, "r": pl.Int64,
    "terrain": pl.String, "home": pl.Int64, "owner": pl.Int64, "units": pl.Int64, "coins": pl.Int64,
}  # fmt: skip
MARKS = {"kind": pl.String, "letter": pl.String, "name": pl.String, "colour": pl.String}


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """The extremes, and of the games to look at scores, courses and maps; games that failed."""
    games, seats = source.scan("games"), source.scan("seats")
    rounds, duels = (_kept(source, name) for name in ("rounds", "duels"))
    found = anomalies.extremes(games, seats, None if rounds is None else source.courses, duels)
    if source.files:  # a record is called by its file
        names = [source.files[where] for where in found.select("players", "game").rows()]
        found = found.with_columns(key=pl.Series(names, dtype=pl.String))
    chosen = anomalies.outstanding(found, STORIES, MOST_GAMES)
    ends = anomalies.of_games(games, chosen).select(
        "key", pl.col("outcome").cast(pl.String), "rounds", "armed_round", "armed_seats"
    )
    courses, trouble = _play_again(source, chosen["key"].to_list())
    tiles, marks = _tiles(courses)
    return {
        "anomalies.games": found.with_columns(replay=_commands(source.run, found["key"])),
        "anomalies.failed": _failed(source),
        "anomalies.stories": chosen.join(ends, on="key", maintain_order="left").with_columns(
            replay=_commands(source.run, chosen["key"]), trouble=pl.Series(trouble, dtype=pl.String)
        ),
        "anomalies.scores": _scores(seats, duels, chosen),
        "anomalies.courses": _courses(rounds, chosen),
        "anomalies.maps": tiles,
        "anomalies.marks": marks,
    }


def _kept(source: Source, name: str) -> pl.LazyFrame | None:
    """A table, nothing where the run was played without it."""
    try:
        return source.scan(name)
    except NotKept:
        return None


def _commands(run: Run | None, keys: pl.Series) -> pl.Series:
    """What plays each game again: a game of a run by its key, a record by its file."""
    begins = "blinksim replay " + ("" if run is None else f"{shlex.quote(str(run.place))} --game ")
    return pl.Series([begins + shlex.quote(key) for key in keys], dtype=pl.String)


def _failed(source: Source) -> pl.DataFrame:
    """Games of the ruleset shown that a mistake stopped."""
    entries = [] if source.run is None else source.run.failed
    keys = [parse_key(entry["game"]) for entry in entries]
    plain = [
        {"players": key.players, "key": str(key), "reason": entry["reason"]}
        for key, entry in sorted(zip(keys, entries, strict=True), key=lambda pair: pair[0])
        if key.variant == source.facts.variant
    ]
    frame = pl.DataFrame(plain, schema={"players": pl.Int8, "key": pl.String, "reason": pl.String})
    return frame.with_columns(replay=_commands(source.run, frame["key"]))


def _play_again(source: Source, keys: Sequence[str]) -> tuple[dict[str, MapCourse], list[str]]:
    """The maps of some games by key; and by game why there is none, in words that are the same on every machine."""
    game = source.game if source.run is None else source.run.game
    assert game is not None, "a source has a run or a game"
    courses: dict[str, MapCourse] = {}
    trouble = []
    for key in keys:
        played, why = (key, "") if source.run is None else _replayed(source.run, key)
        if played is not None and game.map_course is not None:
            courses[key] = game.map_course(played)
        trouble.append(why if game.map_course is not None else f"{game.title} has none")
    return courses, trouble


def _replayed(run: Run, key: str) -> tuple[Any, str]:
    """A game of a run, played again; nothing where it does not come out as it did, and why."""
    try:
        again = replay_game(run, key)
    except UserError:
        return None, "a strategy that played this game is not here any more"
    except RuntimeError:
        return None, "the game fails when it is played again"
    if not again.same:
        return None, "played again the game does not end as it did, because a strategy or the rules have changed"
    return again.table, ""


def shown_rounds(course: MapCourse) -> list[int]:
    """Numbers of the rounds to draw: all, or as many evenly spaced ones as there is room for."""
    last = len(course.rounds) - 1
    for many in range(last + 1, 2, -1):
        shown = np.linspace(0, last, many).round().astype(int)
        if sum(len(course.rounds[number]) for number in shown) <= MOST_TILES:
            return [int(number) for number in shown]
    return sorted({0, last})


def _tiles(courses: dict[str, MapCourse]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Maps as rows, one per tile; and what letters and colours mean: terrains, and the seats of the largest table."""
    rows = [
        (len(course.seats), key, number, tile, *asdict(content).values())
        for key, course in courses.items()
        for number in shown_rounds(course)
        for tile, content in enumerate(course.rounds[number])
    ]
    largest = max(courses.values(), key=lambda course: len(course.seats), default=None)
    marks: list[tuple[str, ...]] = []
    if largest is not None:
        marks += [("terrain", mark.letter, mark.name, mark.colour) for mark in largest.terrains]
        marks += [("seat", mark.letter, f"seat {seat}", mark.colour) for seat, mark in enumerate(largest.seats)]
    return pl.DataFrame(rows, schema=TILES, orient="row"), pl.DataFrame(marks, schema=MARKS, orient="row")


def _scores(seats: pl.LazyFrame, duels: pl.LazyFrame | None, chosen: pl.DataFrame) -> pl.DataFrame:
    """How the chosen games ended, by seat, best first; with the attacks and captures of each."""
    scores = anomalies.of_games(seats, chosen).select(
        "players", "key", *[pl.col(n).cast(pl.String) if n == "strategy" else pl.col(n) for n in SCORE_COLUMNS]
    )
    if duels is None:
        return scores.sort("key", "rank", "seat")
    fights = anomalies.of_games(duels, chosen).group_by("key", "seat").agg(
        attacks=pl.len().cast(pl.Int64), captures=pl.col("captured").sum().cast(pl.Int64)
    )  # fmt: skip
    fought = pl.col("attacks", "captures").fill_null(0)
    return scores.join(fights, on=["key", "seat"], how="left").with_columns(fought).sort("key", "rank", "seat")


def _courses(rounds: pl.LazyFrame | None, chosen: pl.DataFrame) -> pl.DataFrame:
    """Score, tier and reserve of every seat after each round of the chosen games."""
    columns = ("players", "key", "round", "seat", "score", "tier", "reserve")
    if rounds is None:
        return pl.DataFrame(schema=dict.fromkeys(columns, pl.Int64) | {"players": pl.Int8, "key": pl.String})
    return anomalies.of_games(rounds, chosen).select(columns).sort("key", "round", "seat")


def tell(facts: RunFacts, frames: Frames) -> Section:
    """Which games to look at."""
    games, failed = frames["anomalies.games"], frames["anomalies.failed"]
    stories = [anomalies_games.story(row, frames, facts) for row in frames["anomalies.stories"].iter_rows(named=True)]
    return Section(
        "anomalies",
        "Anomalies, with a game to look at",
        [*_lead(facts, frames), *_failed_in_words(failed)],
        (),
        [_extremes_table(facts, games), *_failed_table(failed)],
        [
            "These are single games and extremes: the more games were played, the further out they lie. They say what "
            "can happen, the other sections what does.",
            "How far a winner was behind is counted after each round, by what the score would have been if the game "
            "had ended then, hidden objectives counted; only games that one player won have a comeback.",
        ],
        [Headline("Failed games", 0, _failed_in_words(failed)[0])] if failed.height else [],
        games=stories,
        map_key=anomalies_games.map_key(frames),
    )


def _lead(facts: RunFacts, frames: Frames) -> list[str]:
    stories = frames["anomalies.stories"]
    stalls = frames["anomalies.games"].filter(pl.col("what") == anomalies.STALLED)
    stalled = "" if stalls.height else " No game stalled."
    return [
        f"{plural(stories.height, 'game')} to look at, the most extreme of their kind whoever plays.{stalled} Each "
        "can be told move by move with the command below it; its map after each round opens here."
    ]


def _failed_in_words(failed: pl.DataFrame) -> list[str]:
    if failed.is_empty():
        return []
    are = "was stopped by a mistake and is" if failed.height == 1 else "were stopped by a mistake and are"
    return [f"{plural(failed.height, 'game')} {are} in no number of this page, which leans to games without it."]


def _extremes_table(facts: RunFacts, games: pl.DataFrame) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        meaning, unit = MEANINGS[row["what"]]
        line_up = facts.line_up(row["players"], row["line_up"])
        return [
            players_title(row["players"]), meaning, plural(row["value"], unit), line_up, count(row["games"]),
            row["key"], *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "what", "how much", "line-up", "such games", "game", *BASIS]
    note = "Such games: how many have the same value."
    if games.height:
        note += f" Any of them is told by: {_any(games)}"
    return Table("Games that stand out", columns, table_rows(games, cells), heads=2, note=note)


def _any(games: pl.DataFrame) -> str:
    """The command with a word for the game."""
    command: str = games["replay"][0]
    return command.removesuffix(shlex.quote(games["key"][0])) + "GAME"


def _failed_table(failed: pl.DataFrame) -> list[Table]:
    if failed.is_empty():
        return []
    rows = table_rows(failed, lambda row: [row["key"], players_title(row["players"]), row["reason"]])
    note = f"They are counted nowhere, deals included. The first is played again by: {failed['replay'][0]}"
    return [Table("Games that a mistake stopped", ["game", "players", "reason"], rows, heads=3, note=note, detail=True)]


TOPIC = Topic("anomalies", measure, tell)
