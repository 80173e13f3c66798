"""The section on walls, from a run and from hand-made measures."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.patches import PathPatch

from blinksim.analysis import abreast
from blinksim.report import figures_walls
from blinksim.report.figures_cells import CELL, HALVES, colour_cells
from blinksim.report.parts import Section, Table
from blinksim.report.source import Source, source_of
from blinksim.report.topics import walls
from blinksim.store.reading import open_run
from tests.report.tiny import play


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Two players that choose at random, on deals enough for every cell that is not rare."""
    plan = {"players": [2], "deals": {"2": 24}, "line_ups": {"2": [{"mirror": ["random"]}]}, "deals_per_shard": 12}
    return source_of(open_run(play(tmp_path_factory.mktemp("runs") / "walls", **plan)))


@pytest.fixture(scope="module")
def frames(source: Source) -> Mapping[str, pl.DataFrame]:
    return walls.TOPIC.measure(source)


@pytest.fixture(scope="module")
def section(source: Source, frames: Mapping[str, pl.DataFrame]) -> Section:
    return walls.TOPIC.tell(source.facts, frames)


def table(section: Section, begins: str) -> Table:
    return next(found for found in section.tables if found.caption.startswith(begins))


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_measures_are_named_by_their_topic_and_can_be_exported(frames: Mapping[str, pl.DataFrame]) -> None:
    assert all(name.startswith("walls.") for name in frames)
    for name, frame in frames.items():
        assert frame.height > 0, name
        frame.write_csv()
        assert not any(dtype in (pl.Categorical, pl.Object) for dtype in frame.dtypes), name


def test_rows_of_a_run_lie_as_the_measures_expect(tiny_run: Path) -> None:
    """Round by round and seat by seat: what ``abreast`` rests on."""
    rounds = source_of(open_run(tiny_run)).scan("rounds")
    for players in (2, 3):
        columns = ["game", "round", "seat"]
        before = [abreast.round_before(players, name).alias(f"before_{name}") for name in columns]
        other = (
            abreast.rivals(players, "seat")[0].alias("next_seat"),
            abreast.rivals(players, "game")[-1].alias("there"),
        )
        frame = abreast.of_players(rounds, players).with_columns(*before, *other).collect()
        later = frame.filter(pl.col("round") > 1)
        assert later.height > 0
        assert (later["before_game"] == later["game"]).all() and (later["before_seat"] == later["seat"]).all()
        assert (later["before_round"] == later["round"] - 1).all()
        assert (frame["next_seat"] == (frame["seat"] + 1) % players).all() and (frame["there"] == frame["game"]).all()


def test_attacks_add_up(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    attacks = source.scan("duels").collect()
    every = frames["walls.success_all"]
    counts = dict(every.select("against", "n_games").rows())
    assert counts["coin"] + counts["no coin"] == attacks.height
    assert counts.get("wall", 0) + counts.get("card", 0) + counts["bare"] == attacks.height
    by_rank = frames["walls.success"].filter(pl.col("against") == "coin")
    assert by_rank["n_games"].sum() == counts["coin"] == (attacks["coins"] > 0).sum()
    won = (by_rank["n_games"] * by_rank["value"]).sum()
    assert won == pytest.approx(attacks.filter((pl.col("coins") > 0) & (pl.col("result") == "beaten")).height)


def test_no_attack_below_the_rank_on_paper_beats_a_lone_wall(frames: Mapping[str, pl.DataFrame]) -> None:
    """The table of ranks on paper against the engine: random players try every rank."""
    lone = frames["walls.success"].filter(pl.col("against") == "wall")
    found = lone.join(frames["walls.paper"], on=["defender_tier", "terrain"])
    enough = pl.col("attack_rank") >= pl.col("paper")
    assert (found.filter(enough.fill_null(False))["value"] == 1).all()
    assert (found.filter(~enough.fill_null(False))["value"] == 0).all()
    assert found.height > 20


def test_section_tells_paper_play_staleness_price_and_strikes(section: Section) -> None:
    text = plain(" ".join(section.lead))
    assert section.lead[0].startswith("Walls stop attacks: of ")  # players that choose at random run into them
    assert "11 to 13 for Tribe and 19 to 20 for Civilization (none on Mountain)" in text
    for words in ("attacks on tiles with a coin", "A wall goes stale", "A seat buys", "R12"):
        assert words in text
    assert "blinksim compare" in " ".join(section.notes)  # what one run cannot say is said to need two rulesets
    rows = table(section, "The rank at which walls break").rows
    on_paper = {"Tribe": "12", "Settlement": "14", "Kingdom": "16", "Empire": "18", "Civilization": "20"}
    forest = {row[1]: row[3] for row in rows if row[2] == "Forest"}
    assert len(forest) >= 3 and forest.items() <= on_paper.items()
    assert [headline.topic for headline in section.headlines] == ["Walls", "First strikes"]


def test_tables_are_as_wide_as_their_headings(section: Section) -> None:
    for found in section.tables:
        assert found.rows, found.caption
        assert {len(row) for row in found.rows} == {len(found.columns)}, found.caption


def test_cells_on_few_deals_say_so(section: Section) -> None:
    rows = table(section, "The rank at which walls break").rows
    thin = [row for row in rows if int(row[-1]) < 20]
    assert thin and all(row[4] == "not enough games" and row[5] == "" for row in thin)
    assert all(row[4] != "not enough games" for row in rows if int(row[-1]) >= 20)


def test_pictures_have_names_of_their_own_and_say_what_they_show(section: Section) -> None:
    pictures = [picture for group in section.figures for picture in group.pictures]
    names = [picture.name for picture in pictures]
    assert len(set(names)) == len(names) and "walls-success-coin-2p" in names and "walls-stale-2p" in names
    assert all("2 players" in picture.alternative for picture in pictures)


def test_price_of_a_unit_saved() -> None:
    row = {"value": 0.05, "low": 0.04, "high": 0.1}
    assert walls.coins_per_unit(row) == "20.0 (10.0 to 25.0)"
    assert walls.coins_per_unit(row | {"low": 0.0}) == "20.0 (10.0 to any number)"
    assert walls.coins_per_unit({"value": 0.0, "low": 0.0, "high": 0.01}) == "none saved, so at least 100 for one"


def test_a_run_without_attacks_is_told_without_them(source: Source) -> None:
    def scan(name: str) -> pl.LazyFrame:
        rows = source.scan(name)
        return rows.filter(pl.lit(False)) if name == "duels" else rows

    section = walls.TOPIC.tell(source.facts, walls.TOPIC.measure(Source(source.facts, scan)))
    text = " ".join(section.lead)
    assert "No tile with a coin was ever attacked." in text
    assert "in the first round of 0 of 48 games" in text


def test_walls_that_hold_nothing_are_said_to_be_avoided_only_where_attackers_turn_away(
    source: Source, frames: Mapping[str, pl.DataFrame]
) -> None:
    never = frames["walls.success_all"].with_columns(
        value=pl.when(pl.col("against").is_in(["wall", "coin"])).then(1.0).otherwise("value")
    )
    shy = frames["walls.turned_away"].with_columns(value=0.2, low=0.1, high=0.3, n_blocks=100)
    bold = shy.with_columns(value=0.0, low=-0.1, high=0.1)
    told = [
        walls.TOPIC.tell(source.facts, dict(frames) | {"walls.success_all": never, "walls.turned_away": found})
        for found in (shy, bold)
    ]
    assert told[0].lead[0].startswith("Walls are avoided and hardly ever fought")
    assert told[1].lead[0].startswith("Walls hardly ever stop an attack") and "none failed" in told[1].lead[0]
    assert "are not seen to turn away" in told[1].lead[1]


SUCCESS = pl.DataFrame(
    {
        "defender_tier": [0, 0, 0, 0],
        "terrain": ["P", "P", "F", "F"],
        "attack_rank": [11, 12, 12, None],
        "value": [0.0, 1.0, 1.0, None],
        "n_blocks": [30, 30, 5, None],
        "needed": [11, 11, None, None],
    }
)


def test_the_map_of_success_marks_the_rank_on_paper_and_pales_few_deals() -> None:
    ax = figures_walls.success_map(SUCCESS, title="x", tiers=["Tribe"], terrains=("P", "F"), rests_on="y")
    lines = [(line.get_xdata()[0], line.get_ydata().mean()) for line in ax.lines]
    assert lines == [(20.5, 0.0), (10.5, 1.0)]  # no card breaks it on Forest; Plains stand above
    cells = [patch for patch in ax.patches if isinstance(patch, PathPatch)]
    assert sorted(patch.get_alpha() for patch in cells) == [pytest.approx(0.4), 1, 1]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["P", "F"]


def test_cells_that_look_the_same_are_one_bar() -> None:
    ax = figures_walls.success_map(SUCCESS.clear(), tiers=["Tribe"], terrains=("P",))
    x, y = np.array([3.0, 1, 2, 5, 1]), np.array([0.0, 0, 0, 0, 1])
    colour_cells(ax, x, y, np.array([1.0, 1, 1, 1, 0]), np.zeros(5, bool), HALVES)
    (zero, one) = ax.patches
    assert isinstance(one, PathPatch) and isinstance(zero, PathPatch)
    edges = sorted((box[:, 0].min(), box[:, 0].max()) for box in one.get_path().to_polygons())
    assert edges == [pytest.approx((1 - CELL, 3 + CELL)), pytest.approx((5 - CELL, 5 + CELL))]
    assert zero.get_facecolor() != one.get_facecolor()


def test_curves_of_who_could_break_a_wall() -> None:
    frame = pl.DataFrame(
        {
            "wall_tier": [-1, -1, 0, 0, 1, 1],
            "round": [2, 3] * 3,
            "value": [0.4, 0.6, 0.9, 1.0, 0.0, 0.3],
            "low": [0.3, 0.5, 0.8, 0.9, 0.0, 0.2],
            "high": [0.5, 0.7, 1.0, 1.0, 0.1, 0.4],
        }
    )
    ax = figures_walls.stale_curves(frame, title="x", names=("Tribe", "Settlement"), rests_on="y")
    legend = ax.get_legend()
    assert legend is not None
    drawn = {str(line.get_label()): list(line.get_ydata()) for line in ax.lines}
    assert drawn["Tribe"] == [90, 100] and drawn["Settlement"] == [0, 30]
    assert drawn[figures_walls.RIVALS_WALL] == [40, 60]
    assert {text.get_text() for text in legend.get_texts()} == {"Tribe", "Settlement", figures_walls.RIVALS_WALL}
