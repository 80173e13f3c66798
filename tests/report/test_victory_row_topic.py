"""The section on the victory row: of a tiny run, of made-up numbers, and its figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from blinksim.report import figures_row
from blinksim.report.source import RunFacts, source_of
from blinksim.report.topics.victory_row import TOPIC
from blinksim.store.reading import open_run
from tests.report.test_figures import texts
from tests.report.tiny import play

ESTIMATE = {"n_blocks": 400, "n_games": 800, "method": "made up"}


def facts_of(run: Path) -> RunFacts:
    return replace(source_of(open_run(run)).facts, players=(2,))


def row(value: float, **named: object) -> dict[str, object]:
    return {"players": 2, **named, "value": value, "low": value - 0.1, "high": value + 0.1, **ESTIMATE}


def made_up() -> dict[str, pl.DataFrame]:
    ends = {"all": (4.0, 12.0, 0.3), "winners": (5.0, 16.0, 0.35), "others": (3.0, 8.0, 0.25)}
    names = ("cards", "score", "share_of_score")
    sizes = {3: (0.25, 0.2, 12.0, 9.0, 10.0), 5: (0.75, 0.6, 17.0, 12.0, 2.1)}
    measures = ("share_of_seats", "win_share", "score", "centre_rank", "last_card")
    fates = {"kept": 0.6, "A": 0.0, "B": 0.3, "C": 0.1, "overflow": 0.0}
    spent = [("B", "cost", 1.2), ("B", "tiles", 1.0), ("B", "units", 1.0), ("C", "cost", 2.2), ("C", "coins", 5.0)]
    return {
        "victory_row.at_end": pl.DataFrame(
            [row(v, who=who, measure=m) for who, found in ends.items() for m, v in zip(names, found, strict=True)]
        ),
        "victory_row.by_size": pl.DataFrame(
            [
                row(v, size=size, measure=m)
                for size, found in sizes.items()
                for m, v in zip(measures, found, strict=True)
            ]
        ),
        "victory_row.fates": pl.DataFrame(
            [row(v, band=3, band_name="two_colonies", fate=fate) | {"per_seat": 2 * v} for fate, v in fates.items()]
        ),
        "victory_row.spending": pl.DataFrame(
            [row(v, effect=effect, band=3, band_name="two_colonies", measure=m) for effect, m, v in spent]
        ),
    }


def test_a_tiny_run_adds_up_and_says_what_it_cannot_tell(tiny_run: Path) -> None:
    source = source_of(open_run(tiny_run))
    frames = TOPIC.measure(source)
    assert set(frames) == set(made_up())
    for name, frame in made_up().items():
        assert set(frames[name].columns) == set(frame.columns)
    fates = frames["victory_row.fates"].group_by("players", "band").agg(pl.col("value").sum())
    assert fates["value"].to_list() == pytest.approx([1.0] * fates.height) and fates.height > 4
    section = TOPIC.tell(source.facts, frames)
    assert "not enough games" in section.lead[0] and "not enough games" in section.lead[1]
    for table in section.tables:
        assert table.rows and all(len(cells) == len(table.columns) for cells in table.rows)


def test_findings_are_said_with_number_and_interval(tiny_run: Path) -> None:
    section = TOPIC.tell(facts_of(tiny_run), made_up())
    lead = " ".join(section.lead).replace("\u00a0", " ")
    assert section.lead[0].startswith("The third card makes the row, the fifth adds little: ")
    assert "10.0 points (9.9 to 10.1) in a row of 3 with 2 players, and 2.1 (2.0 to 2.2) in one of 5" in lead
    assert "a row with 2 players has 4.0 cards and brings 12.0 points. That is 30 % of the score." in lead
    assert "Winners have 16.0 points there (15.9 to 16.1), others 8.0 (7.9 to 8.1)" in lead
    assert "A seat with 2 players spends 0.0 on A, 0.6 on B and 0.2 on C" in lead
    assert "most, a card of 16–20 on C, 2.2 points (2.1 to 2.3) for 5.0 coins" in lead
    assert "Effect A was never used" in lead
    assert "10.0 points in a row of 3 and 2.1 points in a row of 5" in section.headlines[0].sentence
    names = [picture.name for group in section.figures for picture in group.pictures]
    assert names == ["row-sizes-2p", "row-fates-2p", "row-costs-2p"]
    told = {(cells[1], cells[3]): cells[4] for cells in section.tables[3].rows}
    assert told["B", "units placed"] == "1.00" and told["C", "coins"] == "5.00"


def test_a_fifth_card_that_is_worth_as_much_is_not_said_to_add_little(tiny_run: Path) -> None:
    frames = made_up()
    sizes = frames["victory_row.by_size"]
    full = (pl.col("measure") == "last_card") & (pl.col("size") == 5)
    for value, said in ((8.0, "The third card adds more than the fifth"), (10.0, "The fifth card adds as much")):
        by = {"value": value, "low": value - 0.1, "high": value + 0.1}
        changed = sizes.with_columns(pl.when(full).then(by[name]).otherwise(name).alias(name) for name in by)
        section = TOPIC.tell(facts_of(tiny_run), frames | {"victory_row.by_size": changed})
        assert section.lead[0].startswith(said)


def test_cards_of_all_ranks_are_added_up(tiny_run: Path) -> None:
    section = TOPIC.tell(facts_of(tiny_run), made_up())
    whole = {row[2]: row[3:6] for row in section.tables[2].rows if row[1] == "all"}
    assert [cell.replace("\u00a0", " ") for cell in whole["B"]] == ["30.0 %", "–", "0.60"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["victory.centre_scores=false"], "every card is worth the same"),
        (["research.enabled=false"], "No card entered a row."),
    ],
)
def test_other_rules(settings: list[str], said: str, tmp_path: Path) -> None:
    source = source_of(open_run(play(tmp_path / "run", set=settings)))
    section = TOPIC.tell(source.facts, TOPIC.measure(source))
    assert said in " ".join(section.lead)


def test_fate_bars_stack_the_shares_and_leave_out_what_never_happens() -> None:
    fates = {"kept": 0.6, "A": 0.0, "B": 0.3, "C": 0.1, "overflow": 0.0}
    frame = pl.DataFrame([row(value, label="16–20", fate=fate) for fate, value in fates.items()])
    ax = figures_row.fate_bars(frame, title="2 players")
    assert [(bar.get_x(), bar.get_width()) for bar in ax.patches] == [
        (0, pytest.approx(60)), (pytest.approx(60), pytest.approx(30)), (pytest.approx(90), pytest.approx(10)),
    ]  # fmt: skip
    found = set(texts(ax))
    assert {"kept", "B", "C", "60", "30", "10", "16–20", "800 cards, 400 deals"} <= found
    assert not {"A", "overflow"} & found


def test_cost_dots_say_what_a_card_brings() -> None:
    frame = pl.DataFrame(
        [row(1.2, label="B: 1–5", brought="1.0 units"), row(2.2, label="C: 16–20", brought="5.0 coins")]
    )
    ax = figures_row.cost_dots(frame)
    assert list(ax.lines[0].get_xdata()) == [1.2, 2.2]
    drawn = [tuple(segment[:, 0]) for c in ax.collections for segment in c.get_segments()]
    assert drawn == [pytest.approx((1.1, 1.3)), pytest.approx((2.1, 2.3))]
    assert {"1.0 units", "5.0 coins", "B: 1–5", "800 cards, 400 deals"} <= set(texts(ax))


def test_size_bars_stack_cards_and_centre_and_say_wins() -> None:
    frame = pl.DataFrame({"size": [2, 3], "cards": [2, 3], "centre": [0.0, 9.0], "won": [0.1, None]} | {
        "low": [2.0, 11.5], "high": [2.0, 12.5],
        "n_games": [90, 80], "n_blocks": [40, 40],
    })  # fmt: skip
    ax = figures_row.size_bars(frame)
    assert [(bar.get_y(), bar.get_height()) for bar in ax.patches] == [(0, 2), (0, 3), (2, 0), (3, 9)]
    drawn = [tuple(segment[:, 1]) for c in ax.collections for segment in c.get_segments()]
    assert drawn == [(2, 2), (11.5, 12.5)]
    assert {"10 %", "cards", "centre", "90 seats, 40 deals"} <= set(texts(ax))
