"""The metrics against sums made game by game in plain Python, on a tiny run."""

import itertools
from collections import defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from blinksim.analysis import metrics
from blinksim.analysis.sweep import sums_of
from blinksim.players.roster import find_player
from blinksim.simulate.batch import run
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.prepared import Entrant, prepare
from blinksim.store.reading import Run, open_run

TIERS = ["Tribe", "Settlement", "Kingdom", "Empire", "Civilization"]
PLAN: dict[str, Any] = {
    "question": "Do the metrics add up?",
    "variants": [{"name": "rich", "set": ["setup.starting_gold=3"]}],
    "players": [3],
    "deals": 5,
    "line_ups": [{"mirror": ["builder"]}, ["builder", "random", "random"]],
    "seed": 5,
    "deals_per_shard": 2,
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder: Path = tmp_path_factory.mktemp("runs") / "metrics"
    players = {name: find_player(name) for name in ("builder", "random")}
    entrants = {name: Entrant(name, p, p.fingerprint) for name, p in players.items()}
    run(prepare(parse_experiment(PLAN, "test"), entrants), folder, workers=1)
    return open_run(folder)


@pytest.fixture(scope="module")
def sums(played: Run) -> pl.DataFrame:
    return metrics.sums(played.scan, TIERS, ["builder", "random"])


def by_hand(played: Run, table: str, value: Any) -> dict[tuple[int, int], list[float]]:
    """Sums of (total, count) pairs by variant and deal."""
    found: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for row in played.scan(table).collect().iter_rows(named=True):
        y, x = value(row)
        found[row["variant"], row["deal"]][0] += y
        found[row["variant"], row["deal"]][1] += x
    return found


def check(sums: pl.DataFrame, name: str, wanted: dict[tuple[int, int], list[float]]) -> None:
    for row in sums.iter_rows(named=True):
        y, x = wanted.get((row["variant"], row["deal"]), [0.0, 0.0])
        assert (row[f"{name}|y"], row[f"{name}|x"]) == (pytest.approx(y, abs=1e-5), x), (name, row["deal"])


def test_one_row_a_deal_and_variant(sums: pl.DataFrame) -> None:
    assert sums.select(metrics.KEYS).rows() == [(3, v, d) for v in (0, 1) for d in range(5)]
    assert sums["games"].to_list() == [12] * 10


def test_every_metric_has_its_sums(sums: pl.DataFrame) -> None:
    known = metrics.metrics_of(TIERS, ["builder", "random"], 3)
    missing = [m.name for m in known if m.name != metrics.SEAT_SPREAD and f"{m.name}|y" not in sums.columns]
    assert missing == []
    assert len({m.name for m in known}) == len(known)


def test_wins(played: Run, sums: pl.DataFrame) -> None:
    for seat in range(3):
        check(
            sums,
            f"seat_{seat}",
            by_hand(
                played,
                "seats",
                lambda r, s=seat: (r["win_share"] or 0, 1) if r["seat"] == s and r["win_share"] is not None else (0, 0),
            ),
        )
    mixed = by_hand(
        played,
        "seats",
        lambda r: (r["win_share"] or 0, 1) if r["strategy"] == "builder" and r["line_up"] == 1 else (0, 0),
    )
    check(sums, "wins_builder", mixed)


def test_points_and_gold(played: Run, sums: pl.DataFrame) -> None:
    check(sums, "row_share", by_hand(played, "seats", lambda r: (r["points_row"], r["points"])))
    check(sums, "gold_unspent", by_hand(played, "seats", lambda r: (r["gold"], 1)))
    sources = ("cashed", "last_place", "set_aside", "capture", "income", "effect_c")
    check(sums, "gold_income", by_hand(played, "seats", lambda r: (sum(r[f"gold_{s}"] for s in sources), 1)))
    check(sums, "winner_points", by_hand(played, "seats", lambda r: (r["points"], 1) if r["win_share"] else (0, 0)))


def test_lengths_and_objectives(played: Run, sums: pl.DataFrame) -> None:
    check(sums, "rounds", by_hand(played, "games", lambda r: (r["rounds"], 1)))
    check(sums, "decisions", by_hand(played, "games", lambda r: (r["decisions"], 1)))
    check(sums, "objective_rate", by_hand(played, "objectives", lambda r: (r["arrangements"] > 0, 1)))


def test_duels(played: Run, sums: pl.DataFrame) -> None:
    check(sums, "duel_success", by_hand(played, "duels", lambda r: (r["result"] == "beaten", 1)))
    check(
        sums, "wall_holds", by_hand(played, "duels", lambda r: (r["wall"] > 0 and r["result"] == "held", r["wall"] > 0))
    )
    check(
        sums,
        "duel_success_kingdom",
        by_hand(
            played, "duels", lambda r: (r["result"] == "beaten" and r["defender_tier"] == 2, r["defender_tier"] == 2)
        ),
    )
    attacks = by_hand(played, "duels", lambda r: (1, 0))
    rows = by_hand(played, "rounds", lambda r: (0, 1))
    check(sums, "attack_rate", {key: [attacks[key][0], rows[key][1]] for key in rows})


def test_tiers_margins_and_leads_game_by_game(played: Run, sums: pl.DataFrame) -> None:
    rounds = played.scan("rounds").collect()
    below: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    reached: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for key, part in rounds.group_by("variant", "deal", "game", "seat"):
        tiers = part.sort("round")["tier"].to_list()
        there = next((i for i, tier in enumerate(tiers) if tier >= 2), None)
        for found, value in ((below, len(tiers) if there is None else there), (reached, there is not None)):
            found[key[0], key[1]][0] += value
            found[key[0], key[1]][1] += 1
    check(sums, "below_kingdom", below)
    check(sums, "reached_kingdom", reached)
    leads: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for key, game in rounds.group_by("variant", "deal", "game"):
        leaders = []
        for _, at in game.sort("round").group_by("round", maintain_order=True):
            top = at.filter(pl.col("score") == at["score"].max())
            if top.height == 1:
                leaders.append(top["seat"][0])
        leads[key[0], key[1]][0] += sum(a != b for a, b in itertools.pairwise(leaders))
        leads[key[0], key[1]][1] += 1
    check(sums, "lead_changes", leads)
    margins: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for key, game in played.scan("seats").collect().group_by("variant", "deal", "game"):
        points = game["points"].sort(descending=True)
        margins[key[0], key[1]][0] += points[0] - points[1]
        margins[key[0], key[1]][1] += 1
    check(sums, "margin", margins)


def test_first_leader(played: Run, sums: pl.DataFrame) -> None:
    starts = {r["game"]: r["start_seat"] for r in played.scan("games").collect().iter_rows(named=True)}
    check(
        sums,
        "first_leader",
        by_hand(played, "seats", lambda r: (r["win_share"], 1) if r["seat"] == starts[r["game"]] else (0, 0)),
    )


def test_sums_of_parts_are_the_sums_of_the_whole(played: Run, sums: pl.DataFrame) -> None:
    assert sums_of(played, TIERS, ["builder", "random"]).equals(sums)


def test_an_unknown_metric_names_the_known_ones() -> None:
    with pytest.raises(metrics.UnknownMetricError, match=r"did you mean \"rounds\"\?.*seat_spread"):
        metrics.find(metrics.metrics_of(TIERS, [], 3), "round")
