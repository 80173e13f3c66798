"""A game without rules: its rows follow from its key, ruleset, line-up and streams, and from nothing else."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from blinksim.errors import UserError
from blinksim.games import streams
from blinksim.games.game import Game
from blinksim.games.tables import NULL, Column, Table
from blinksim.simulate.batch import Batch, Entrant, prepare
from blinksim.simulate.experiment import Experiment, parse_experiment

TABLES = (
    Table(
        "games",
        "game",
        (),
        (
            Column("outcome", "enum", "outcome", "How it ended.", "end", names=("won", "stalled")),
            Column("winner", "int8", "seat", "Who won.", "end", optional=True),
            Column("digest", "digest", "hash", "Digest.", "end"),
        ),
    ),
    Table(
        "seats",
        "game × seat",
        ("slot", "seat"),
        (
            Column("position", "int8", "position", "Hand.", "setup", derived=("position", "seat")),
            Column("strategy", "strategy", "name", "Who.", "setup", derived=("strategy", "seat")),
            Column("win_share", "float32", "games", "Share.", "end", optional=True, scale=12),
            Column("handle", "int32", "number", "The strategy's handle.", "end"),
            Column("best", "card", "card", "A card.", "end"),
        ),
    ),
)


@dataclass
class FakeDeals:
    first_deal: int
    words: np.ndarray


def make_deals(ruleset: dict[str, int], seed: int, players: int, first_deal: int, count: int) -> FakeDeals:
    words = np.zeros((count, 1), dtype=np.uint64)
    for i in range(count):
        streams.deal_words(np.uint64(seed), players, first_deal + i, streams.STARTING_DECK, words[i])
    return FakeDeals(first_deal, words[:, 0])


class FakePlay:
    """Plays games, counts shards, and does what a test asks for at one of them."""

    def __init__(
        self,
        at: int = -1,
        deed: Callable[[], None] = lambda: None,
        pause: float = 0.0,
        fails: Callable[[Any], bool] = lambda key: False,
    ) -> None:
        self.at, self.deed, self.pause, self.fails = at, deed, pause, fails
        self.calls = 0
        self.lock = threading.Lock()

    def __call__(
        self,
        rules: Any,
        strategies: Any,
        keys: Any,
        deals: Any,
        seed: int,
        check: bool,
        reuse: bool,
        failed: list[tuple[int, str]],
    ) -> dict[str, np.ndarray]:
        with self.lock:
            call, self.calls = self.calls, self.calls + 1
        if call == self.at:
            self.deed()
        time.sleep(self.pause)
        games, seats = [], []
        for i, key in enumerate(keys):
            if self.fails(key):
                failed.append((i, f"no plan for deal {key['deal']}, says <object at 0x7f{self.calls:010x}>"))
                continue
            n = int(key["players"])
            shuffle = deals[key["variant"]]
            word = int(shuffle.words[key["deal"] - shuffle.first_deal]) ^ int(rules[key["variant"]][0])
            hand, turn = int(key["hand_shift"]), int(key["seat_shift"])
            stream = int(
                streams.play_stream(np.uint64(seed), n, int(key["deal"]), 0, hand, turn, int(key["replicate"]))
            )
            stalled = word % 50 == 0
            winner = stream % n
            games.append((i, int(stalled), NULL if stalled else winner, np.uint64(word).astype(np.int64)))
            for seat in range(n):
                handle = strategies[key["line_up"]][(seat - hand - turn) % n]
                seats.append(
                    (i, seat, NULL if stalled else 12 * (seat == winner), handle, word % 40 + 4 if seat else 0)
                )
        return {
            "games": np.array(games, dtype=np.int64).reshape(-1, 4),
            "seats": np.array(seats, dtype=np.int64).reshape(-1, 5),
        }


def load_ruleset(name: str, settings: tuple[str, ...] = ()) -> dict[str, int]:
    if name != "standard":
        raise UserError(f'there is no ruleset "{name}"')
    return {"wall": 10} | {key: int(value) for key, value in (setting.split("=") for setting in settings)}


def unused(*_: Any, **__: Any) -> Any:
    raise AssertionError("a batch has no business with this")


def fake_game(play: Any = None, rules_version: int = 1) -> Game:
    return Game(
        name="blink",
        title="Fake",
        players=(2, 3, 4),
        rules_version=rules_version,
        tables=TABLES,
        tables_version=1,
        ruleset_names=lambda: ["standard"],
        load_ruleset=load_ruleset,
        ruleset_data=dict,
        parse_ruleset=dict,
        ruleset_hash=lambda ruleset: json.dumps(ruleset, sort_keys=True),
        diff_rulesets=unused,
        pack_ruleset=lambda ruleset, players: np.array([ruleset["wall"]], dtype=np.int64),
        make_deals=make_deals,
        play_games=play or FakePlay(),
        warm=unused,
        new_game=unused,
        record_suffixes=(".jsonl",),
        read_game=unused,
    )


ENTRANTS = {
    name: Entrant(name, handle, f"hash of {name}") for handle, name in enumerate(("builder", "raider", "random"))
}

WORKED = {
    "question": "Does it work?",
    "players": [2, 3],
    "deals": {"2": 9, "3": 13},
    "line_ups": {"2": [["builder", "raider"]], "3": [{"mirror": ["builder"]}, ["builder", "raider", "random"]]},
    "variants": [{"name": "walls", "set": ["wall=12"]}],
    "seed": 7,
    "deals_per_shard": 2,
}


def fake_experiment(**changes: Any) -> Experiment:
    return parse_experiment(WORKED | changes, "test.toml", fake_game())


def fake_batch(play: Any = None, rules_version: int = 1, **changes: Any) -> Batch:
    return prepare(fake_experiment(**changes), ENTRANTS, fake_game(play, rules_version))
