"""Tricks, dues, gold, uses of cards and improvements, on tables small enough to count by hand."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from blinksim.analysis import card_uses, gold, improvements, tricks
from blinksim.games.blink.descriptor import GAME
from tests.analysis.frames import seats

STANDARD: dict[str, Any] = dict(GAME.ruleset_data(GAME.load_ruleset("standard")))
ROUND = {
    "players": pl.Int8, "deal": pl.Int32, "game": pl.Int64, "round": pl.Int16, "seat": pl.Int8, "lay_tier": pl.Int8,
    "lay_gold": pl.Int32, "meld_cards": pl.Int8, "meld_total": pl.Int16, "place": pl.Int8, "a_rank": pl.Int8,
    "set_aside": pl.Int8, "dues_gold": pl.Int32, "gold": pl.Int32, "score": pl.Int32,
}  # fmt: skip


def rounds(rows: Sequence[dict[str, Any]]) -> pl.LazyFrame:
    """The table ``rounds``; what a row leaves out is 0, three play."""
    usual = dict.fromkeys(ROUND, 0) | {"players": 3}
    return pl.DataFrame([usual | row for row in rows], schema=ROUND, orient="row").lazy()


def trick(cards: Sequence[int], places: Sequence[int], number: int = 1, **more: Sequence[int]) -> list[dict[str, Any]]:
    """The rows of one round of game 0, seat by seat."""
    return [
        {
            "round": number,
            "seat": seat,
            "meld_cards": cards[seat],
            "place": places[seat],
            "meld_total": 10 * cards[seat],
        }
        | {name: values[seat] for name, values in more.items()}
        for seat in range(len(cards))
    ]


TRICKS = rounds(
    [
        *trick([3, 2, 1], [1, 2, 3], 1),
        *trick([3, 2, 2], [2, 1, 3], 2, a_rank=[0, 7, 0]),  # a shorter one wins, with A
        *trick([1, 3, 2], [1, 2, 3], 3),  # the shortest wins, two cards short
        *trick([2, 2, 2], [3, 2, 1], 4),
    ]
)


def values(frame: pl.DataFrame, *names: str) -> dict[Any, float]:
    """The column ``value`` by one column, or by several."""
    keys = frame.select(*names).rows()
    return dict(zip([key[0] if len(names) == 1 else key for key in keys], frame["value"], strict=True))


def test_cards_and_total_by_place() -> None:
    means, shares = tricks.places(TRICKS)
    assert values(means, "place", "measure")[1, "cards"] == (3 + 2 + 1 + 2) / 4
    assert values(means, "place", "measure")[3, "total"] == 10 * (1 + 2 + 2 + 2) / 4
    found = values(shares, "meld_cards", "place")
    assert [found[3, place] for place in (1, 2, 3)] == [pytest.approx(1 / 3), pytest.approx(2 / 3), 0]
    assert [found[1, place] for place in (1, 2, 3)] == [0.5, 0, 0.5]


def test_how_often_the_short_meld_wins() -> None:
    found = values(tricks.short_melds(TRICKS, [3]), "measure")
    assert found == {
        "uneven": 0.75,
        "shorter melds": pytest.approx(6 / 9),
        "shorter wins": pytest.approx(2 / 3),
        "two or more short wins": pytest.approx(1 / 3),
        "shortest wins": pytest.approx(1 / 3),
        "helped by A": 0.5,
    }


DUES = rounds(
    [
        *trick([1, 1, 1], [1, 2, 3], 1, score=[5, 3, 1], dues_gold=[0, 0, 9]),  # round 1 is not looked at
        *trick([2, 2, 3], [1, 2, 3], 2, score=[6, 6, 6], set_aside=[0, 1, 2], dues_gold=[0, 1, 3]),
        *trick([2, 2, 2], [3, 1, 2], 3, score=[9, 9, 9], set_aside=[1, 0, 0], dues_gold=[2, 0, 0]),
    ]
)


def test_dues_by_standing_before_the_trick() -> None:
    standings, positions = tricks.dues(DUES, [3], STANDARD)
    found = values(standings, "standing", "measure")
    # Round 2: seats stand 1, 2, 3; round 3: all are level, so all stand first.
    assert [found[place, "dues"] for place in (1, 2, 3)] == [2 / 4, 1, 3]
    assert [found[place, "last place"] for place in (1, 2, 3)] == [1 / 4, 0, 1]
    assert [found[place, "set aside"] for place in (1, 2, 3)] == [1 / 4, 1, 2]
    shares = values(positions, "source", "position")
    assert [shares["last place", name] for name in ("behind", "level", "ahead")] == [0.5, 0.5, 0]
    assert [shares["set aside", name] for name in ("behind", "level", "ahead")] == [0.5, 0.5, 0]
    # In round 2 the second stands at the mean of the other two.
    assert [shares["seats", name] for name in ("behind", "level", "ahead")] == [
        pytest.approx(1 / 6), pytest.approx(4 / 6), pytest.approx(1 / 6),
    ]  # fmt: skip


def test_a_dearer_last_place_is_told_in_its_coins() -> None:
    dearer = STANDARD | {"trick": STANDARD["trick"] | {"last_place_gold": 3}}
    found = values(tricks.dues(DUES, [3], dearer)[0], "standing", "measure")
    assert found[3, "last place"] == 3


def test_how_far_behind_those_stand_whom_the_dues_pay() -> None:
    found = values(tricks.mean_gap(DUES, [3]), "source")
    # Paid: seat 1 at 0, seat 2 at 1 - 4, in round 3 seat 0 at 0; not paid: seat 0 at 5 - 2, two at 0.
    assert found == {"dues": -1, "none": 1}


FLOWS = seats(
    [(2, 0, 0, 0, 0, "builder", 1.0), (2, 0, 0, 0, 1, "raider", 0.0), (2, 0, 1, 1, 0, "builder", None)],
    gold_cashed=[4, 0, 2], gold_last_place=[0, 3, 0], gold_set_aside=[0, 2, 0], gold_capture=[1, 0, 0],
    gold_income=[0, 0, 0], gold_effect_c=[0, 0, 0], paid_research=[3, 3, 1], paid_trade=[0, 1, 0],
    paid_fortify=[1, 0, 0], gold=[1, 1, 1],
)  # fmt: skip


def test_gold_by_source_and_sink() -> None:
    found = gold.flows(FLOWS)
    assert values(found, "measure") == {
        "cards cashed": 2, "last place": 1, "cards set aside": pytest.approx(2 / 3), "captures": pytest.approx(1 / 3),
        "objectives": 0, "effect C": 0, "all sources": 4, "research": pytest.approx(7 / 3),
        "trade": pytest.approx(1 / 3), "walls": pytest.approx(1 / 3), "unspent": 1,
    }  # fmt: skip
    assert dict(found.select("measure", "of_all").rows())["cards cashed"] == 0.5
    assert found["n_games"].to_list() == [2] * 11


def test_gold_left_at_the_end_of_decided_games() -> None:
    table = FLOWS.with_columns(gold=pl.Series([0, 11, 5]))
    shares, means = gold.unspent(table)
    assert values(shares, "gold") == {0: 0.5, gold.MOST_SHOWN: 0.5}
    assert values(means, "result") == {"winners": 0, "others": 11}


EVENT = {"players": pl.Int8, "game": pl.Int64, "seat": pl.Int8, "round": pl.Int16, "deal": pl.Int32}


def events(rows: Sequence[dict[str, Any]], **types: Any) -> pl.LazyFrame:
    """A table of things done in round 1 of game 0, by seat 0 of three."""
    usual = {"players": 3, "game": 0, "seat": 0, "round": 1, "deal": 0}
    return pl.DataFrame([usual | row for row in rows], schema=EVENT | types, orient="row").lazy()


def improved(rows: Sequence[dict[str, Any]]) -> pl.LazyFrame:
    """The table ``improvements``; what a row leaves out is a research for 1 gold in Tribe."""
    usual = {"kind": "research", "price": 1, "failed": False, "cap": 12, "taken_rank": 12, "to_hand": True}
    types = {"kind": pl.String, "price": pl.Int8, "failed": pl.Boolean, "cap": pl.Int8, "taken_rank": pl.Int8}
    return events([usual | row for row in rows], **types, to_hand=pl.Boolean)


def test_gold_by_tier_adds_up_to_the_change_of_the_purse() -> None:
    table = rounds(
        [
            *trick([2, 1, 2], [1, 2, 3], 1, lay_tier=[0, 0, 1], dues_gold=[0, 0, 2], set_aside=[0, 0, 1],
                   lay_gold=[1, 0, 0], gold=[4, 0, 3]),
        ]
    )  # fmt: skip
    duels = events([{"captured": True}, {"captured": True}, {"captured": False}], captured=pl.Boolean)
    spends = events([{"effect": "C", "gold": 3}, {"effect": "B", "gold": 0}], effect=pl.String, gold=pl.Int32)
    paid = improved([{}, {"kind": "trade", "price": 2}, {"seat": 2}])
    found = gold.by_tier(table, duels, spends, paid, STANDARD)
    tribe = values(found.filter(pl.col("tier") == 0), "measure")
    # Seat 0: 2 captured and 3 of effect C, 3 paid, yet 3 more in the purse: 1 came from elsewhere.
    assert tribe == {
        "last place": 0, "cards set aside": 0, "captures": 1, "effect C": 1.5, gold.OTHER: 0.5, "research": 0.5,
        "trade": 1,
    }  # fmt: skip
    settlement = values(found.filter(pl.col("tier") == 1), "measure")
    assert settlement == {
        "last place": 1, "cards set aside": 1, "captures": 0, "effect C": 0, gold.OTHER: 2, "research": 1, "trade": 0,
    }  # fmt: skip


def test_uses_of_cards_are_shares_of_all_that_was_done_with_them() -> None:
    rows = [
        (2, 0, "P", 3, 2, 0, 1, 0, 1, 0, 0),
        (2, 1, "P", 3, 0, 0, 0, 4, 0, 0, 0),
        (2, 0, "O", 3, 0, 0, 0, 0, 0, 2, 0),
        (2, 0, "M", 9, 0, 0, 0, 0, 0, 0, 0),  # never used
        (2, 0, None, None, 0, 0, 0, 0, 0, 0, 0),
    ]
    columns = ["players", "deal", "card_suit", "card_rank", *card_uses.USES.values()]
    blocks = card_uses.use_blocks(pl.DataFrame(rows, columns, orient="row").lazy())
    plains = values(card_uses.uses(blocks, ("suit", "rank")).filter(pl.col("suit") == "P"), "use")
    assert plains == {
        "settle": 0.25, "explore": 0, "attack": 0.125, "cash": 0.5, "set aside": 0.125, "answer": 0, "drop": 0,
    }  # fmt: skip
    by_rank = card_uses.uses(blocks, ("rank",))
    assert by_rank["rank"].unique().to_list() == [3]
    assert values(by_rank, "use")["answer"] == pytest.approx(0.2)
    assert values(card_uses.uses(blocks, ()), "use")["cash"] == pytest.approx(0.4)


def test_research_and_trade_by_tier() -> None:
    table = rounds([{"seat": seat, "lay_tier": tier} for seat, tier in enumerate((0, 0, 1))])
    done = improved(
        [
            {},
            {"price": 2, "to_hand": False},
            {"price": 0, "failed": True, "taken_rank": None, "to_hand": False},
            {"cap": 14, "kind": "trade", "price": 1, "taken_rank": None, "to_hand": False},
        ]
    )
    found = improvements.improvements_by_tier(done, table, STANDARD)
    tribe = values(found.filter((pl.col("cap") == 12) & (pl.col("kind") == "research")), "measure")
    assert tribe == {"a turn": 1.5, "price": 1.5, "failed": pytest.approx(1 / 3), "to hand": 0.5}
    trade = values(found.filter((pl.col("cap") == 14) & (pl.col("kind") == "trade")), "measure")
    assert trade == {"a turn": 1, "price": 1}
    assert values(found.filter((pl.col("cap") == 12) & (pl.col("kind") == "trade")), "measure") == {"a turn": 0}


def test_tiers_that_share_a_cap_are_taken_together() -> None:
    table = rounds([{"seat": seat, "lay_tier": tier} for seat, tier in enumerate((0, 1, 2))])
    same = STANDARD | {"tiers": STANDARD["tiers"] | {"rank_cap": [12, 12, 16, 18, 20]}}
    found = improvements.improvements_by_tier(improved([{}]), table, same)
    row = found.filter((pl.col("cap") == 12) & (pl.col("measure") == "a turn") & (pl.col("kind") == "research"))
    assert row["value"].to_list() == [0.5]
