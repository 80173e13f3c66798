"""The section on objectives: of a tiny run, of made-up numbers, and its figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from blinksim.report.figures_lift import lift_dots
from blinksim.report.figures_objectives import held_dots
from blinksim.report.flags import adjust
from blinksim.report.parts import Section
from blinksim.report.source import RunFacts, source_of
from blinksim.report.topics.objectives import TOPIC, objective_words
from blinksim.store.reading import open_run
from tests.report.test_figures import texts
from tests.report.tiny import play

ESTIMATE = {"n_blocks": 400, "n_games": 800, "method": "made up"}
MEANS = {"first_round": 4.0, "arrangements": 1.5, "points": 3.0, "coins": 1.0, "broken": 0.25}
SHARES = {"shown": 0.5, "ever_held": 0.9, "held_at_end": 0.8, "held_at_end_if_shown": 0.7, "held_at_end_if_hidden": 0.9}


def facts_of(run: Path) -> RunFacts:
    return replace(source_of(open_run(run)).facts, players=(2,))


def made_up(dead: bool = False, lift: float = 0.08) -> dict[str, pl.DataFrame]:
    """Frames of two objectives; the first can be dead, and has the lift, with an interval 2 points to either side."""
    holdings, lifts = [], []
    for objective, low in (("ocean_mountain", dead), ("plains_forest", False)):
        for measure, value in (SHARES | MEANS).items():
            share = 0.01 if low and measure != "shown" else value
            named = {"players": 2, "objective": objective, "measure": measure}
            holdings.append(named | {"value": share, "low": share - 0.005, "high": share + 0.005} | ESTIMATE)
        for result, scale in (("win_share", 1), ("points", 30)):
            value = scale * (lift if objective == "ocean_mountain" else 0.0)
            row = {"players": 2, "objective": objective, "result": result, "value": value}
            p = 1e-6 if value else 0.9
            lifts.append(row | {"low": value - 0.02 * scale, "high": value + 0.02 * scale} | ESTIMATE | {"p": p})
    frame = pl.DataFrame(holdings)
    verdict = pl.when(pl.col("high") < 0.05).then(pl.lit("dead")).otherwise(pl.lit("alive"))
    scored = frame.filter(pl.col("measure") == "held_at_end").drop("measure").with_columns(verdict=verdict)
    return adjust({"objectives.holdings": frame, "objectives.scored": scored, "objectives.lift": pl.DataFrame(lifts)})


def tell(run: Path, frames: dict[str, pl.DataFrame]) -> Section:
    return TOPIC.tell(facts_of(run), frames)


def test_few_games_are_not_enough(tiny_run: Path) -> None:
    source = source_of(open_run(tiny_run))
    frames = adjust(TOPIC.measure(source))
    assert set(frames) == {"objectives.holdings", "objectives.scored", "objectives.lift"}
    section = TOPIC.tell(source.facts, frames)
    assert all("not enough games" in paragraph for paragraph in section.lead)
    assert [line.verdict for line in section.headlines] == ["not enough games"]
    for table in section.tables:
        assert table.rows and all(len(row) == len(table.columns) for row in table.rows)
    assert all("not enough games" in row for row in section.tables[1].rows)


def test_findings_are_said_with_number_and_interval(tiny_run: Path) -> None:
    section = tell(tiny_run, made_up())
    lead = " ".join(section.lead).replace("\u00a0", " ")
    assert section.lead[0].startswith("No objective is dead: by objective and player count, ")
    assert "Least scored with 2 players is " in lead and "by 80.0 % (79.5 to 80.5 %) of those who have it" in lead
    assert "in 2 of 2 cells" in lead  # hidden is held more often, beyond both intervals
    assert "ocean between mountains (Fjord) +8.0 points of win share (6.0 to 10.0)" in lead
    assert "and +2.4 points (1.8 to 3.0)" in lead
    assert [line.verdict for line in section.headlines] == ["fair", "not fair"]
    names = [picture.name for group in section.figures for picture in group.pictures]
    assert names == ["objectives-held-2p", "objectives-lift-2p"]
    alternatives = [picture.alternative for group in section.figures for picture in group.pictures]
    assert "ocean between mountains ever 90.0\u00a0%, at the end 80.0\u00a0%" in alternatives[0]
    flags = {(row[1], row[2]): row[6] for row in section.tables[1].rows}
    assert flags["ocean between mountains (Fjord)", "win share"] == "flagged"
    assert flags["plains between forests", "points"] == ""


def test_dead_objectives_and_no_lift(tiny_run: Path) -> None:
    section = tell(tiny_run, made_up(dead=True, lift=0.0))
    lead = " ".join(section.lead)
    assert "Dead: ocean between mountains (Fjord) with 2 players." in lead
    assert "none stands out" in lead
    assert [line.verdict for line in section.headlines] == ["not fair", "fair"]


@pytest.mark.parametrize(
    ("mode", "said"),
    [("none", "Nobody had an objective"), ("secret", "no fair comparison"), ("open", "no fair comparison")],
)
def test_modes_in_which_objectives_are_not_dealt_to_one_alone(mode: str, said: str, tmp_path: Path) -> None:
    source = source_of(open_run(play(tmp_path / "run", set=[f'objectives.mode="{mode}"'])))
    section = TOPIC.tell(source.facts, adjust(TOPIC.measure(source)))
    assert said in " ".join(section.lead)


def test_objectives_in_words() -> None:
    assert objective_words("mountain_ocean") == "mountain between oceans (Mountain Lookout)"
    assert objective_words("mountain_ocean", called=False) == "mountain between oceans"
    assert objective_words("forest_plains") == "forest between plains"
    assert objective_words("plains_forest_ocean") == "plains between forest and ocean"


def test_lift_dots_mark_what_is_flagged() -> None:
    frame = pl.DataFrame(
        {
            "label": ["a", "b"], "value": [0.04, -0.01], "low": [0.02, -0.03], "high": [0.06, 0.01],
            "flagged": [True, False], "n_games": [80, 60], "n_blocks": [40, 30],
        }
    )  # fmt: skip
    ax = lift_dots(frame, title="2 players")
    points = [line for line in ax.lines if line.get_marker() in ("o", "s")]
    assert [(line.get_marker(), *line.get_xdata(), *line.get_ydata()) for line in points] == [
        ("s", pytest.approx(4), 1), ("o", pytest.approx(-1), 0),
    ]  # fmt: skip
    drawn = [tuple(segment[:, 0]) for c in ax.collections for segment in c.get_segments()]
    assert drawn == [pytest.approx((2, 6)), pytest.approx((-3, 1))]
    assert {"+4.0", "-1.0", "a", "b", "2 players", "80 games, 40 deals"} <= set(texts(ax))


def test_held_dots_draw_ever_and_at_the_end() -> None:
    frame = pl.DataFrame(
        {
            "label": ["a", "a", "b", "b"], "measure": ["ever_held", "held_at_end"] * 2,
            "value": [0.9, 0.7, 0.5, 0.4], "low": [0.8, 0.6, 0.4, 0.3], "high": [0.95, 0.8, 0.6, 0.5],
            "n_games": [80] * 4, "n_blocks": [40] * 4,
        }
    )  # fmt: skip
    ax = held_dots(frame)
    ever, end = ax.lines
    assert list(ever.get_xdata()) == pytest.approx([90, 50]) and list(end.get_xdata()) == pytest.approx([70, 40])
    assert list(end.get_ydata()) == [1, 0]
    assert {"ever held", "held at the end", "70 %", "40 %", "80 seats, 40 deals"} <= set(texts(ax))
