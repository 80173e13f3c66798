"""The seed bugs of other simulators, each looked for in a whole run: what would be seen in its tables is not there."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from blinksim.players.roster import find_player
from blinksim.simulate.batch import run
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.prepared import Entrant, prepare
from blinksim.store.reading import Run, open_run

PLAN: dict[str, Any] = {
    "question": "Is every game a game of its own?", "players": [3], "deals": 60, "seed": 9, "replicates": 2,
    "line_ups": [{"mirror": ["random"]}, ["builder", "random", "raider"]], "deals_per_shard": 4,
}  # fmt: skip


def played(folder: Path, workers: int = 2, **changes: Any) -> Run:
    experiment = parse_experiment(PLAN | changes, "test")
    people = {name: find_player(name) for name in experiment.strategy_names()}
    entrants = {name: Entrant(name, player, player.fingerprint) for name, player in people.items()}
    run(prepare(experiment, entrants), folder, workers=workers)
    return open_run(folder)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return played(tmp_path_factory.mktemp("runs") / "many")


def digests(run: Run) -> pl.DataFrame:
    keys = ["deal", "line_up", "hand_shift", "seat_shift", "replicate"]
    return run.scan("games").select(*keys, "digest").collect()


def test_no_game_is_played_twice_under_another_name(many: Run) -> None:
    """Every game the same seed; workers that begin with one seed: games would come up again (25 distinct of 200)."""
    found = digests(many)
    assert found["digest"].n_unique() == found.height == 60 * 2 * (3 + 9)


def test_shards_of_two_workers_share_nothing(many: Run) -> None:
    """Children sharing a seed: the first games of neighbouring shards would be alike."""
    first = digests(many).filter(pl.col("deal") % 4 == 0)
    assert (
        first.group_by("line_up", "hand_shift", "seat_shift", "replicate")
        .agg(pl.col("digest").n_unique())["digest"]
        .to_list()
        == [15] * 24
    )


def test_results_do_not_depend_on_workers_or_their_order(many: Run, tmp_path: Path) -> None:
    """Results depending on thread order."""
    for workers in (1, 4):
        again = played(tmp_path / str(workers), workers)
        assert digests(again).equals(digests(many))


def holders(run: Run) -> dict[tuple[Any, ...], int]:
    """Which position was dealt a card, by deal and card; cards that came to somebody else later are left out."""
    cards = run.scan("cards").filter(pl.col("came") == "dealt")
    seats = run.scan("seats").select("game", "seat", "position")
    columns = ["deal", "card_rank", pl.col("card_suit").cast(pl.String), "position"]
    rows = cards.join(seats, on=["game", "seat"]).select(columns).unique().collect()
    found = {row[:3]: row[3] for row in rows.rows()}
    assert len(found) == rows.height, "a card was dealt to two positions of one deal"
    return found


def test_what_strategies_draw_does_not_move_the_deal(tmp_path: Path) -> None:
    """Strategy draws moving the deal: one stream for cards and players, so that another player means other cards."""
    rules = {"set": ["setup.draft=false"], "deals": 8, "replicates": 1}  # drafted, cards dealt would change hands
    drawing = holders(played(tmp_path / "drawing", line_ups=[{"mirror": ["random"]}], **rules))
    thinking = holders(played(tmp_path / "thinking", line_ups=[{"mirror": ["builder"]}], **rules))
    both = drawing.keys() & thinking.keys()
    assert len(both) > 8 * 20, "most of thirty cards are still where they were dealt"
    assert {card: drawing[card] for card in both} == {card: thinking[card] for card in both}


def test_a_cap_falls_on_the_end_of_a_round_and_favours_no_seat(tmp_path: Path) -> None:
    """A cap that favours a seat: games cut in the middle of a round leave some seats a turn short."""
    capped = played(tmp_path / "capped", set=["end.max_rounds=5"], deals=20)
    games = capped.scan("games").collect()
    stalled = games.filter(pl.col("outcome") == "stalled")
    assert stalled.height > 100
    assert stalled["rounds"].unique().to_list() == [5]
    rounds = capped.scan("rounds").join(stalled.lazy().select("game"), on="game").collect()
    per_seat = rounds.group_by("game", "seat").agg(rows=pl.len(), last=pl.col("round").max())
    assert per_seat["rows"].unique().to_list() == per_seat["last"].unique().to_list() == [5]
    seats = capped.scan("seats").join(stalled.lazy().select("game"), on="game").collect()
    assert seats["win_share"].is_null().all()
