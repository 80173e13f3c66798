"""The section on cards: of a tiny run, of made-up numbers, and its figure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from blinksim.report.figures_cards import rank_dots
from blinksim.report.flags import adjust
from blinksim.report.source import RunFacts, Source, source_of
from blinksim.report.topics.cards import TOPIC, hands_dealt
from blinksim.store.reading import open_run
from tests.report.test_figures import texts
from tests.report.tiny import play

ROWS = [
    ("dealt", "rank", "10", 0.0, 0.9),
    ("dealt", "rank", "11", 0.05, 1e-6),
    ("dealt", "suit", "F", 0.01, 0.5),
    ("researched", "rank", "13", -0.08, None),
    ("researched", "rank", "20", 0.12, None),
    ("played", "rank", "10", -0.06, None),
    ("played", "rank", "11", 0.02, None),
    ("played", "rank", "13", -0.05, None),
    ("played", "rank", "20", 0.22, None),
]


def made_up() -> dict[str, pl.DataFrame]:
    estimate = {"n_blocks": 400, "n_games": 800, "method": "made up"}
    rows = [
        {"players": 2, "way": way, "kind": kind, "item": item, "value": v, "low": v - 0.01, "high": v + 0.01}
        | estimate | {"p": p}
        for way, kind, item, v, p in ROWS
    ]  # fmt: skip
    return adjust({"cards.lift": pl.DataFrame(rows)})


def facts_of(run: Path) -> RunFacts:
    return replace(source_of(open_run(run)).facts, players=(2,))


def test_hands_are_those_that_were_dealt(tmp_path: Path) -> None:
    """Without a draft everybody owns what was dealt, so that the tables say it too."""
    source = source_of(open_run(play(tmp_path / "run", set=["setup.draft=false", "trade.enabled=false"])))
    position = (pl.col("slot") + pl.col("hand_shift")) % pl.col("players")
    suit = pl.col("card_suit").cast(pl.Enum(["P", "F", "O", "M"])).to_physical()
    owned = (
        source.scan("cards")
        .filter(pl.col("came") == "dealt")
        .select("players", "deal", position.alias("position"), card=pl.col("card_rank").cast(pl.Int64) * 4 + suit)
        .unique()
        .collect()
    )
    hands = hands_dealt(source)
    for (players, deal, at), part in owned.group_by(["players", "deal", "position"]):
        dealt = hands(int(str(players)), int(str(deal)), 1)[0, int(str(at))]
        assert np.sort(dealt).tolist() == part["card"].sort().to_list()
    assert owned.height == 10 * (2 * 6 + 3 * 3)


def test_few_games_are_not_enough(tiny_run: Path) -> None:
    source = source_of(open_run(tiny_run))
    frames = adjust(TOPIC.measure(source))
    assert set(frames["cards.lift"]["way"]) == {"dealt", "researched", "played"}
    section = TOPIC.tell(source.facts, frames)
    assert all("not enough games" in paragraph for paragraph in section.lead)
    assert not section.headlines and not any(group.pictures for group in section.figures)
    assert all(len(row) == len(section.tables[0].columns) for row in section.tables[0].rows)
    assert all("not enough games" in row for row in section.tables[0].rows)


def test_of_records_nobody_knows_the_deal(tiny_run: Path) -> None:
    source = source_of(open_run(tiny_run))
    frames = adjust(TOPIC.measure(Source(source.facts, source.scan)))
    assert set(frames["cards.lift"]["way"]) == {"researched", "played"}
    assert "not known" in TOPIC.tell(source.facts, frames).lead[0]


def test_findings_are_said_with_number_and_interval(tiny_run: Path) -> None:
    section = TOPIC.tell(facts_of(tiny_run), made_up())
    dealt, researched, played = section.lead
    assert dealt.startswith("The draw of the hand matters for rank 11: one more of it with 2 players changes")
    assert "by +5.0 (4.0 to 6.0) points; no other stands out" in dealt
    assert "up most with rank 20, +12.0 (11.0 to 13.0) points" in researched
    assert "down most with rank 13, -8.0 (-9.0 to -7.0)" in researched
    assert "most of all with 2 players for rank 10: it says -6.0 points, against +0.0 when dealt" in played
    assert any("Selection:" in note and "Length:" in note for note in section.notes)
    assert [line.verdict for line in section.headlines] == ["not fair"]
    names = [picture.name for group in section.figures for picture in group.pictures]
    assert names == ["cards-dealt-2p", "cards-ways-2p"]
    assert "Forest +1.0 (0.0 to 2.0)" in section.figures[0].pictures[0].alternative
    rows = [row[:3] for row in section.tables[0].rows]
    assert rows[:3] == [["2 players", "rank 10", "dealt"], ["2 players", "rank 10", "played"],
                        ["2 players", "rank 11", "dealt"]]  # fmt: skip
    assert rows[-1] == ["2 players", "Forest", "dealt"]


def test_other_flagged_cards_are_named(tiny_run: Path) -> None:
    frames = made_up()
    both = frames["cards.lift"].with_columns(q=pl.when(pl.col("way") == "dealt").then(0.001))
    dealt = TOPIC.tell(facts_of(tiny_run), {"cards.lift": both}).lead[0]
    assert "matters for rank 11" in dealt and "flagged, too: Forest" in dealt and "rank 10" in dealt


def test_nothing_stands_out(tiny_run: Path) -> None:
    frames = made_up()
    even = frames["cards.lift"].with_columns(
        pl.lit(0.0).alias("value"), pl.lit(-0.01).alias("low"), pl.lit(0.01).alias("high"), q=pl.lit(0.9)
    )
    section = TOPIC.tell(facts_of(tiny_run), {"cards.lift": even})
    assert "none stands out" in section.lead[0]
    assert [line.verdict for line in section.headlines] == ["fair"]


def test_rank_dots_draw_each_way_beside_the_others() -> None:
    ax = rank_dots(made_up()["cards.lift"].filter(pl.col("kind") == "rank"), title="2 players")
    marks = {line.get_marker(): line for line in ax.lines if line.get_marker() in ("o", "s", "^")}
    assert list(marks["o"].get_xdata()) == pytest.approx([9.8, 10.8])
    assert list(marks["s"].get_ydata()) == pytest.approx([-8, 12])
    assert list(marks["^"].get_ydata()) == pytest.approx([-6, 2, -5, 22])
    drawn = [segment[:, 1].tolist() for c in ax.collections for segment in c.get_segments()]
    assert drawn[0] == pytest.approx([-1, 1]) and len(drawn) == 8
    assert {"dealt (causes)", "researched", "played (a tally)", "800 games, 400 deals"} <= set(texts(ax))
