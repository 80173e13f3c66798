"""Targets: met, missed or open; all judged together; what is not there is named."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from blinksim.report.page import Report, make_report
from blinksim.report.source import RunFacts, source_of
from blinksim.report.targets import MET, MISSED, NOT_ENOUGH, TargetError, judge, section
from blinksim.simulate.targets import Target
from blinksim.store.reading import open_run
from tests.report.tiny import CORE

WILSON = "95 % Wilson interval at the effective sample size"
FRAMES = {
    "seats.win_share": pl.DataFrame(
        {"players": [2, 2, 3], "seat": [0, 1, 0],
         "value": [0.5, 0.5, 0.4], "low": [0.48, 0.0, 0.38], "high": [0.52, 1.0, 0.42],
         "n_blocks": [50, 1, 50], "n_games": [200, 4, 150], "method": [WILSON] * 3}
    ),
    "length.length": pl.DataFrame(
        {"players": [2], "measure": ["rounds"], "mean": [9.0], "mean_low": [8.5], "mean_high": [9.5], "n_games": [20]}
    ),
    "length.histogram": pl.DataFrame({"players": [2], "rounds": [9], "games": [5]}),
}  # fmt: skip


@pytest.fixture(scope="module")
def report(tiny_run: Path) -> Report:
    return make_report(source_of(open_run(tiny_run)), names=CORE)


@pytest.fixture(scope="module")
def facts(report: Report) -> RunFacts:
    return report.facts


def target(metric: str = "seats.win_share", **changes: object) -> Target:
    return Target.model_validate({"metric": metric} | changes)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.45, 0.55, MET), (0.49, 0.6, NOT_ENOUGH), (0.53, 0.6, MISSED), (None, 0.47, MISSED), (0.47, None, MET)],
)
def test_verdicts(facts: RunFacts, low: float | None, high: float | None, verdict: str) -> None:
    (outcome,) = judge([target(where={"players": 2, "seat": 0}, low=low, high=high)], FRAMES, facts)
    assert outcome.verdict == verdict
    assert (outcome.value, outcome.low, outcome.high) == (0.5, pytest.approx(0.48), pytest.approx(0.52))


def test_intervals_widen_with_the_number_of_targets(facts: RunFacts) -> None:
    """Three rows: the level of each is the third root of 0.95, z 2.388 for 1.960."""
    outcomes = judge([target(low=0.1, high=0.6)], FRAMES, facts)
    assert [outcome.row for outcome in outcomes] == [
        {"players": 2, "seat": 0}, {"players": 2, "seat": 1}, {"players": 3, "seat": 0},
    ]  # fmt: skip
    assert outcomes[0].high == pytest.approx(0.5 + 0.02 * 2.38774 / 1.95996, abs=1e-5)
    assert (outcomes[1].low, outcomes[1].high) == (0, 1)  # a share stays one
    assert [outcome.verdict for outcome in outcomes] == [MET, NOT_ENOUGH, MET]
    assert outcomes[2].name == "seats.win_share, players 3, seat 0"


def test_other_columns_have_their_own_intervals(facts: RunFacts) -> None:
    (outcome,) = judge([target("length.length", column="mean", where={"measure": "rounds"}, high=10)], FRAMES, facts)
    assert outcome.verdict == MET and outcome.band == "at most 10" and outcome.interval == "8.5 to 9.5"


def test_players_that_are_planned_and_not_there_yet(facts: RunFacts) -> None:
    unfinished = replace(facts, players=(2,))
    (outcome,) = judge([target(where={"players": 3}, low=0.3)], FRAMES, unfinished)
    assert outcome.verdict == NOT_ENOUGH and outcome.found == "–"
    assert "no number yet" in section([outcome]).headlines[0].sentence


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            target("seats.win_shar", low=0),
            r'no measure "seats.win_shar"; did you mean seats.win_share\?; measures are seats',
        ),
        (target(where={"seats": 0}, low=0), 'has no column "seats"; did you mean seat\\?; where takes players, seat'),
        (target(where={"seat": 3}, low=0), "has no row with seat 3; seat is 0, 1"),
        (target(where={"seat": False}, low=0), "has no row with seat False"),
        (
            target(where={"players": 3, "seat": 1}, low=0),
            "no row with players 3, seat 1, though there is one with each",
        ),
        (target("length.length", where={"measure": "hours"}, column="mean", low=0), "measure is 'rounds'"),
        (target(column="n_games", low=0), 'no number "n_games" with an interval; columns that have are value'),
        (target("length.histogram", column="games", low=0), "none of its columns has, so it takes no target"),
    ],
)
def test_what_is_not_there_is_named(facts: RunFacts, wrong: Target, said: str) -> None:
    with pytest.raises(TargetError, match=said):
        judge([wrong], FRAMES, facts)


def test_status_and_page(tiny_run: Path) -> None:
    source = source_of(open_run(tiny_run))
    mean = {"metric": "length.length", "column": "mean", "where": {"players": 2, "measure": "rounds"}}
    met, missed = target(**mean, low=1, high=100), target(**mean, high=1, note="Short.")
    unclear = target(where={"players": 2, "seat": 0}, low=0.5)
    reports = [
        make_report(source, wanted, names=CORE) for wanted in ((), (met,), (met, unclear), (met, missed, unclear))
    ]
    assert [report.status for report in reports] == [0, 0, 3, 1]
    page = reports[3].page
    assert page.sections[0].title == "Targets"
    assert page.sections[0].lead == ["3 targets: 1 met, 1 missed and 1 without enough games to say."]
    assert [line.verdict for line in page.headlines[:3]] == [MET, MISSED, NOT_ENOUGH]
    assert page.headlines[1].sentence.startswith("Short. length.length mean, players 2, measure rounds: ")


def test_an_experiment_has_its_own(tiny_run: Path) -> None:
    source = source_of(open_run(tiny_run))
    own = replace(source, facts=replace(source.facts, targets=(target(where={"players": 2}, low=0.99),)))
    report = make_report(own, names=CORE)
    assert len(report.outcomes) == 2 and report.status == 1


def test_many_targets_do_not_fill_the_top_of_the_page(facts: RunFacts) -> None:
    """What is missed comes first there; the table has all."""
    many = [target(where={"players": 3}, low=0.0, note="Met")] * 1200 + [target(where={"players": 3}, low=0.9)]
    told = section(judge(many, FRAMES, facts))
    assert told.lead == ["1,201 targets: 1,200 met and 1 missed."]
    assert [line.verdict for line in told.headlines] == [MISSED, *[MET] * 11, ""]
    assert told.headlines[1].sentence.startswith("Met: seats.win_share, players 3")
    assert told.headlines[-1].sentence == "1,189 more in the table of targets."
    assert len(told.tables[0].rows) == 1201
