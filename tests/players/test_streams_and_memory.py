"""Every game begins anew: fresh memory, own random streams, the same from the same seed, and deals nobody can touch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from blinksim.games.blink.deals import Deals
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.enums import Decision
from blinksim.games.blink.facts import Came
from blinksim.games.blink.shards import GameFailed, play_games
from blinksim.games.blink.tables import TABLES
from blinksim.games.chance import below
from blinksim.games.streams import play_stream
from blinksim.games.tables import KEYS
from blinksim.jit import clear_fields, mix
from blinksim.players.policy import kernel
from blinksim.players.roster import find_player

DEALS = 5
SHORT = ("end.max_rounds=8",)


@dataclass(frozen=True)
class Handle:
    """A strategy as the shards take it."""

    name: str
    decide: Any
    compiled: bool = True
    params: np.ndarray = field(default_factory=lambda: np.zeros(32))


@kernel
def watch_memory(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """Notes its seat in every word when first asked; fails where the memory is not blank then, or not its own later."""
    first = view.decision == Decision.DRAFT_PASS and view.pass_number == 0
    for word in memory:
        if first and word != 0:
            raise ValueError("the memory is not blank when the game begins")
        if not first and word != np.uint64(view.me + 1):
            raise ValueError("the memory is not what this seat noted in this game")
    memory[:] = np.uint64(view.me + 1)
    return n - 1


@kernel
def diary(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """Chooses by every decision that it has had, with every word of its memory."""
    for i in range(len(memory)):
        memory[i] = mix(memory[i], np.uint64(view.ply * 64 + i + 1))
    return int(memory[view.ply % len(memory)] % np.uint64(n))


@kernel
def thrifty(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The first choice, and draws nothing."""
    return 0


@kernel
def spendthrift(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The first choice, and draws a lot."""
    for _ in range(view.ply % 7 + 1):
        below(stream, n)
    return 0


@kernel
def vandal(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """Writes over all that it is given and that is its own; it chooses the first."""
    clear_fields(view)
    for i in range(len(sandbox)):
        clear_fields(sandbox[i])
    memory[:] = np.uint64(2**64 - 1)
    stream[0] = np.uint64(1)
    return 0


def every_key(n: int, line_ups: int = 1, deals: int = DEALS) -> Any:
    """Keys of all deals, line-ups and hand shifts, deal by deal."""
    keys = np.zeros(deals * line_ups * n, KEYS).view(np.recarray)
    number = np.arange(len(keys))
    keys.players, keys.game = n, number
    keys.deal, keys.line_up, keys.hand_shift = number // (line_ups * n), number // n % line_ups, number % n
    return keys


def deals_of(ruleset: Any, seed: int, n: int, first: int = 0, count: int = DEALS) -> Deals:
    """The shuffles."""
    deals = GAME.make_deals(ruleset, seed, n, first, count)
    assert isinstance(deals, Deals)
    return deals


def play(keys: Any, line_ups: list[list[Any]], seed: int = 3, changes: tuple[str, ...] = ()) -> dict[str, np.ndarray]:
    """The rows of all tables."""
    ruleset = GAME.load_ruleset("standard", (*SHORT, *changes))
    n = int(keys.players[0])
    first = int(keys.deal.min())
    deals = deals_of(ruleset, seed, n, first, int(keys.deal.max()) - first + 1)
    return play_games([GAME.pack_ruleset(ruleset, n)], line_ups, keys, [deals], seed, False)


def column(rows: dict[str, np.ndarray], table: str, name: str) -> list[int]:
    """A recorded column."""
    return rows[table][:, next(t for t in TABLES if t.name == table).index(name)].tolist()


def digests(rows: dict[str, np.ndarray]) -> list[int]:
    """The digest of each game."""
    return column(rows, "games", "digest")


def same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    """Whether all rows of all tables are the same."""
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


# memory


def plain_watch(*arguments: Any) -> int:
    """``watch_memory`` in plain Python."""
    return int(getattr(watch_memory, "py_func", watch_memory)(*arguments))


WATCH = Handle("watch", watch_memory)
PLAIN_WATCH = Handle("plain watch", plain_watch, compiled=False)


@pytest.mark.parametrize("watch", [WATCH, PLAIN_WATCH], ids=["compiled", "plain"])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_memory_is_blank_in_every_game_and_private_to_its_seat(n: int, watch: Handle) -> None:
    """The same strategy sits on all seats, or beside another, in one game after the other."""
    mixed = [watch, *[Handle("vandal", vandal)] * (n - 1)]
    deals = DEALS if watch.compiled else 1
    rows = play(every_key(n, 2, deals), [[watch] * n, mixed])
    assert len(rows["games"]) == 2 * n * deals


@kernel
def careless(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """Like ``watch_memory``, but does not keep its memory."""
    choice = watch_memory(view, rules, actions, n, params, memory, stream, sandbox)
    memory[len(memory) - 1] = 0
    return choice


def test_the_watch_would_notice() -> None:
    with pytest.raises(GameFailed, match=r"careless at ply .*: the memory is not what this seat noted in this game"):
        play(every_key(2), [[Handle("careless", careless), WATCH]])


def test_a_game_is_the_same_alone_and_among_others() -> None:
    """Strategies that choose by memory and stream alone: nothing comes in from the games before."""
    keys = every_key(3, 2)
    line_ups: list[list[Any]] = [
        [Handle("diary", diary), find_player("random"), Handle("diary", diary)],
        [Handle("vandal", vandal), find_player("builder"), Handle("diary", diary)],
    ]
    together = digests(play(keys, line_ups))
    assert len(set(together)) == len(keys)
    for i in range(0, len(keys), 4):
        assert digests(play(keys[i : i + 1], line_ups)) == [together[i]]
    backwards = digests(play(keys[::-1].copy().view(np.recarray), line_ups))
    assert backwards[::-1] == together


# streams


def test_what_others_draw_moves_nobodys_stream() -> None:
    keys = every_key(3)
    dice = find_player("random")
    few = digests(play(keys, [[dice, Handle("thrifty", thrifty), dice]]))
    many = digests(play(keys, [[dice, Handle("spendthrift", spendthrift), dice]]))
    assert few == many
    assert len(set(few)) == len(keys)


def test_another_line_up_before_or_after_moves_nobodys_stream() -> None:
    dice = find_player("random")
    both = every_key(3, 2)
    rows = digests(play(both, [[dice] * 3, [Handle("spendthrift", spendthrift)] * 3]))
    alone = digests(play(every_key(3), [[dice] * 3]))
    assert [digest for digest, line_up in zip(rows, both.line_up.tolist(), strict=True) if line_up == 0] == alone


def test_every_slot_of_every_game_has_a_stream_of_its_own() -> None:
    """In plain Python, to see the words: no two alike, and those that the key says."""
    seen: list[int] = []

    def note(view: Any, rules: Any, actions: Any, n: int, params: Any, memory: Any, stream: Any, sandbox: Any) -> int:
        if view.decision == Decision.DRAFT_PASS and view.pass_number == 0:
            seen.append(int(stream[0]))
        return 0

    keys = every_key(3, deals=2)
    play(keys, [[Handle("note", note, compiled=False)] * 3], seed=9)
    assert len(set(seen)) == len(seen) == 3 * len(keys)
    expected = {
        int(play_stream(np.uint64(9), 3, int(key.deal), slot, int(key.hand_shift), 0, 0))
        for key in keys
        for slot in range(3)
    }
    assert set(seen) == expected


def test_replicates_draw_otherwise_from_the_same_deal() -> None:
    keys = every_key(2)
    again = keys.copy().view(np.recarray)
    again.replicate = 1
    dice = [[find_player("random")] * 2]
    first, second = play(keys, dice), play(again, dice)
    assert column(first, "games", "start_seat") == column(second, "games", "start_seat")
    assert not set(digests(first)) & set(digests(second))


# the same seed


@pytest.mark.parametrize("name", ["random", "builder", "raider"])
def test_the_same_seed_gives_the_same_games_and_another_others(name: str) -> None:
    keys = every_key(3)
    line_up = [[find_player(name), find_player("random"), find_player(name)]]
    assert same(play(keys, line_up), play(keys, line_up))
    assert not set(digests(play(keys, line_up))) & set(digests(play(keys, line_up, seed=4)))


# the deal


def dealt(rows: dict[str, np.ndarray]) -> list[tuple[int, ...]]:
    """Game, seat and card of every card dealt and still the player's own, and who began: no draft, no research."""
    table = next(t for t in TABLES if t.name == "cards")
    seat, card, came = (table.index(name) for name in ("seat", "card", "came"))
    return [(int(row[0]), int(row[seat]), int(row[card])) for row in rows["cards"] if int(row[came]) == int(Came.DEALT)]


def test_no_strategy_changes_the_deal() -> None:
    """Who begins, which cards and objectives each seat gets: whoever plays, and whatever it writes over."""
    changes = ("setup.draft=false", "research.enabled=false", "trade.enabled=false")
    strategies = [Handle("vandal", vandal), Handle("diary", diary), find_player("random"), find_player("raider")]
    keys = every_key(3)
    found = [play(keys, [[strategy] * 3], changes=changes) for strategy in strategies]
    first = found[0]
    assert len(dealt(first)) == len(keys) * 3 * 10
    seat, objective = (next(t for t in TABLES if t.name == "objectives").index(name) for name in ("seat", "objective"))
    patterns = [sorted((int(r[0]), int(r[seat]), int(r[objective])) for r in rows["objectives"]) for rows in found]
    assert len(patterns[0]) >= len(keys) * 3
    for rows, held in zip(found, patterns, strict=True):
        assert dealt(rows) == dealt(first)
        assert column(rows, "games", "start_seat") == column(first, "games", "start_seat")
        assert held == patterns[0]
    assert len({tuple(digests(rows)) for rows in found}) == len(found)


def test_deals_and_rules_are_left_as_they_were() -> None:
    """The shuffles of a shard lie in memory while its games are played."""
    ruleset = GAME.load_ruleset("standard", SHORT)
    deals, rules = deals_of(ruleset, 3, 3), GAME.pack_ruleset(ruleset, 3)
    before = [np.copy(part) for part in deals[1:]], rules.tobytes()
    play_games([rules], [[Handle("vandal", vandal), find_player("raider"), find_player("random")]], every_key(3),
               [deals], 3, False)  # fmt: skip
    assert all(np.array_equal(a, b) for a, b in zip(before[0], deals[1:], strict=True))
    assert rules.tobytes() == before[1]


def test_a_vandal_harms_nobody_elses_game() -> None:
    keys = every_key(3, 2)
    dice = [find_player("random"), find_player("builder"), find_player("raider")]
    beside_vandals = digests(play(keys, [[Handle("vandal", vandal)] * 3, dice]))
    beside_others = digests(play(keys, [dice, dice]))
    of_dice = keys.line_up == 1
    assert np.array(beside_vandals)[of_dice].tolist() == np.array(beside_others)[of_dice].tolist()


# choices


@kernel
def first(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The first choice."""
    return 0


@kernel
def forger(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The first choice too, but writes another action into the list of legal ones."""
    actions[0] = actions[n - 1]
    return 0


def test_writing_into_the_list_of_legal_actions_changes_nothing() -> None:
    """The driver keeps a list of its own: a strategy names an index and nothing else."""
    keys = every_key(2)
    honest = play(keys, [[Handle("first", first)] * 2])
    forged = play(keys, [[Handle("forger", forger)] * 2])
    assert digests(honest) == digests(forged)
