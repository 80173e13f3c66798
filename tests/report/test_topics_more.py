"""Topics drama, and the further parts of seats, length, tiers and strategies: what they measure and what they say."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

from blinksim.report import flags
from blinksim.report.parts import Section
from blinksim.report.source import Source, source_of
from blinksim.report.topic import Topic
from blinksim.report.topics import drama, length, seats, strategies, tiers
from blinksim.store.reading import open_run

TOPICS: tuple[Topic, ...] = (seats.TOPIC, length.TOPIC, tiers.TOPIC, strategies.TOPIC, drama.TOPIC)


@pytest.fixture(scope="module")
def source(tiny_run: Path) -> Source:
    return source_of(open_run(tiny_run))


@pytest.fixture(scope="module")
def frames(source: Source) -> Mapping[str, pl.DataFrame]:
    found: dict[str, pl.DataFrame] = {}
    for topic in TOPICS:
        found |= topic.measure(source)
    return flags.adjust(found)


def words(section: Section) -> str:
    return "\n".join([*section.lead, *section.notes, *(line.sentence for line in section.headlines)]).replace(
        "\u00a0", " "
    )


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_every_section_is_whole(topic: Topic, source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    section = topic.tell(source.facts, frames)
    assert section.anchor == topic.name and section.lead and section.notes
    for table in section.tables:
        assert all(len(row) == len(table.columns) for row in table.rows), table.caption
        assert "nan" not in " ".join(cell for row in table.rows for cell in row).lower(), table.caption
    for group in section.figures:
        assert group.caption
        assert all(picture.alternative.endswith(".") for picture in group.pictures), group.title
    names = [picture.name for group in section.figures for picture in group.pictures]
    assert len(names) == len(set(names))
    assert "nan" not in words(section).split()


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_measures_are_named_after_their_topic_and_begin_with_players(topic: Topic, source: Source) -> None:
    for name, frame in topic.measure(source).items():
        assert name.startswith(f"{topic.name}.") and frame.columns[0] == "players", name
        if "value" in frame.columns and not name.endswith("out_of_it"):
            assert {"low", "high", "n_blocks", "n_games", "method"} <= set(frame.columns), name


def test_the_score_at_the_end_is_the_course_of_the_score_come_to_its_end(
    source: Source, frames: Mapping[str, pl.DataFrame]
) -> None:
    best = (
        source.scan("seats").filter(pl.col("win_share").is_not_null()).group_by("players", "game")
        .agg(margin=pl.col("points").sort(descending=True).first() - pl.col("points").sort(descending=True).get(1))
        .group_by("players").agg(pl.col("margin").mean()).sort("players").collect()
    )  # fmt: skip
    margins = frames["drama.shape"].filter(pl.col("measure") == "margin").sort("players")
    assert margins["value"].to_list() == pytest.approx(best["margin"].to_list())


def test_every_unit_that_came_home_was_beaten_in_a_duel(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    lost = source.scan("rounds").group_by("players").agg(pl.col("units_lost").cast(pl.Int64).sum()).sort("players")
    home = frames["tiers.sent_home"].group_by("players").agg(pl.col("n_games").first()).sort("players")
    assert home["n_games"].to_list() == lost.collect()["units_lost"].to_list()


def test_thin_cells_say_so(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    section = drama.TOPIC.tell(source.facts, frames)
    table = next(table for table in section.tables if table.caption == "Does the leader win?")
    assert all("not enough games" in row for row in table.rows)
    assert "not enough games" in words(section)


def test_a_difference_beyond_chance_is_told_with_what_it_amounts_to(
    source: Source, frames: Mapping[str, pl.DataFrame]
) -> None:
    row = {"players": [3, 3], "seats": ["inner", "outer"], "value": [0.30, 0.35], "low": [0.29, 0.34]}
    row |= {"high": [0.31, 0.36], "n_blocks": [400, 400], "n_games": [9600, 19200], "method": ["", ""]}
    row |= {"p": [0.001, 0.001], "fair": [1 / 3, 1 / 3], "q": [0.01, 0.01]}
    classes = pl.DataFrame(row).cast({"players": pl.Int8})
    told = words(seats.TOPIC.tell(source.facts, dict(frames) | {"seats.classes": classes}))
    assert "an inner seat wins 30.0 % (29.0 to 31.0 %)" in told and "not surely within 3 points" in told
    assert "With 2 players the map makes all seats alike." in told
    close = classes.with_columns(p=pl.lit(0.003), q=pl.lit(0.06))
    said = words(seats.TOPIC.tell(source.facts, dict(frames) | {"seats.classes": close}))
    assert "if nothing else were tested, but not among all the tests of this page" in said
    unknown = classes.with_columns(q=pl.lit(None, pl.Float64))
    assert "not enough games to say" in words(seats.TOPIC.tell(source.facts, dict(frames) | {"seats.classes": unknown}))
    calm = classes.with_columns(p=pl.lit(0.4), q=pl.lit(0.5))
    assert "no more of a difference" in words(seats.TOPIC.tell(source.facts, dict(frames) | {"seats.classes": calm}))


def test_kingmaking_is_told_with_the_strategies_and_called_a_proxy(
    source: Source, frames: Mapping[str, pl.DataFrame]
) -> None:
    assert "proxy" not in words(strategies.TOPIC.tell(source.facts, frames))  # three deals are not enough
    many = frames["drama.kingmaking"].with_columns(value=0.1, low=0.05, high=0.2, n_blocks=100, n_games=900)
    distance = pl.DataFrame({"players": [3], "behind": [9]}, schema={"players": pl.Int8, "behind": pl.Int64})
    more = dict(frames) | {"drama.kingmaking": many, "drama.out_of_it": distance}
    told = words(strategies.TOPIC.tell(source.facts, more))
    assert "by a proxy" in told and "10.0 % (5.0 to 20.0 %)" in told and "9 points with 3 players" in told
    without = {name: frame for name, frame in frames.items() if not name.startswith("drama.")}
    assert "proxy" not in words(strategies.TOPIC.tell(source.facts, without))


def test_a_ladder_is_told_step_by_step(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    steps = {"players": [2], "ladder": ["s:budget"], "below": [8.0], "above": [16.0], "value": [0.6], "low": [0.55]}
    steps |= {
        "high": [0.65],
        "n_blocks": [50],
        "n_games": [400],
        "method": [""],
        "p": [0.001],
        "fair": [0.5],
        "q": [0.004],
    }
    ladder = pl.DataFrame(steps).cast({"players": pl.Int8})
    section = strategies.TOPIC.tell(source.facts, dict(frames) | {"strategies.ladder": ladder})
    assert "Of 1 step of the skill ladder 1 wins more than an even share" in words(section)
    assert any(picture.name == "ladder-2p" for group in section.figures for picture in group.pictures)
    table = next(table for table in section.tables if table.caption == "The skill ladder")
    assert "16 over 8" in table.rows[0] and "stands out" in table.rows[0]


def test_one_deal_is_not_enough_to_say_what_is_chance(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    untested = {
        name: frames[name].with_columns(q=pl.lit(None, pl.Float64)) for name in ("seats.first_leader", "seats.mirrors")
    }
    told = words(seats.TOPIC.tell(source.facts, dict(frames) | untested))
    assert "not enough games to say whether that is more than chance" in told
    assert "no seat wins more or less" not in told


def test_a_run_in_which_nobody_won_has_its_sections_all_the_same(source: Source) -> None:
    def stalled(table: str) -> pl.LazyFrame:
        found = source.scan(table)
        if table == "games":
            return found.with_columns(
                winners=pl.lit(0, pl.UInt8), outcome=pl.lit("stalled"), armed_seats=pl.lit(0, pl.UInt8)
            )
        return found.with_columns(win_share=pl.lit(None, pl.Float32)) if table == "seats" else found

    nobody = Source(source.facts, stalled, source.run)
    found: dict[str, pl.DataFrame] = {}
    for topic in TOPICS:
        found |= topic.measure(nobody)
    found = flags.adjust(found)
    assert "No game was decided" in words(drama.TOPIC.tell(source.facts, found))
    for topic in TOPICS:
        assert topic.tell(source.facts, found).lead is not None


def test_what_opens_a_section_follows_the_intervals(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    """Below, about and above what is even: three intervals, three findings."""
    opens = {
        "tiers.first_wins": (tiers.TOPIC, 0, ("goes with losing", "is not seen to matter", "goes with winning")),
        "length.announcer_wins": (
            length.TOPIC,
            1,
            ("wins less than chance", "is not seen to matter", "wins more than chance"),
        ),
        "drama.leader_wins": (drama.TOPIC, 0, ("mostly does not win", "every other time", "mostly wins")),
        "strategies.win_share": (
            strategies.TOPIC,
            0,
            ("is shown to win more", "is shown to win more", "wins more than"),
        ),
    }
    many = {
        name: frame.with_columns(n_blocks=pl.lit(100)) if "n_blocks" in frame.columns else frame
        for name, frame in frames.items()
    }
    for name, (topic, place, said) in opens.items():
        for low, words_said in zip((0.01, 0.1, 0.9), said, strict=True):
            high = low + (0.01, 0.8, 0.05)[(0.01, 0.1, 0.9).index(low)]
            changed = many[name].with_columns(value=pl.lit((low + high) / 2), low=pl.lit(low), high=pl.lit(high))
            section = topic.tell(source.facts, many | {name: changed})
            assert words_said in section.lead[place], (name, section.lead)


def test_too_few_deals_open_a_section_with_not_enough_games(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    for topic in TOPICS:
        assert "not enough games" in topic.tell(source.facts, frames).lead[0], topic.name
