"""The fact rows of whole games, held against what happened in them and against each other."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from blinksim.games.blink import engine, shards
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.digest import public_digest, state_digest
from blinksim.games.blink.enums import MAX_ACTIONS, Decision, Kind, Outcome
from blinksim.games.blink.facts import FACTS
from blinksim.games.blink.objectives import count_arrangements
from blinksim.games.blink.ruleset import preset_names
from blinksim.games.blink.scoring import score
from blinksim.games.blink.state import new_records
from blinksim.games.cards import cards_in
from blinksim.games.tables import KEYS, NULL
from blinksim.players.roster import find_player
from tests.games.blink.plans import STYLES, Plan, packed, ruleset
from tests.games.blink.stories import BY_NAME, USES, Rows, count, named, story_of, total

PLANS = (
    Plan("standard", 3, 1, "any"),
    Plan("standard", 4, 2, "fight"),
    Plan("booklet_effects", 2, 3, "hoard"),
    Plan("secret", 3, 4, "grow"),
    Plan("open", 2, 5, "hoard"),
    Plan("loose turns", 2, 6, "fight"),
    Plan("home by choice", 4, 7, "fight"),
    Plan("scholars", 3, 8, "hoard"),
    Plan("traders of three", 2, 9, "hoard"),
    Plan("row of 9, choice", 3, 10, "hoard"),
    Plan("one band", 2, 11, "grow"),
    Plan("tile in between", 3, 12, "grow"),
    Plan("one secret of three", 2, 13, "any"),
    Plan("stalls", 3, 14, "any"),
)

every_story = pytest.mark.parametrize(
    "plan", PLANS, ids=[f"{plan.name} {plan.players}p {plan.style}" for plan in PLANS]
)


@every_story
def test_the_row_of_the_game(plan: Plan) -> None:
    story = story_of(plan)
    end = story.end
    (game,) = story.rows["games"]
    assert game["game"] == 5
    assert game["outcome"] == end.outcome
    assert game["rounds"] == end.round_number == max(story.round_ends)
    assert game["start_seat"] == end.start_player
    assert game["decisions"] == end.ply == story.decisions.total()
    for decision in Decision:
        if decision != Decision.OVER:
            assert game[f"decisions_{decision.name.lower()}"] == story.decisions[decision]
    assert game["digest"] == state_digest(end, plan.rules)
    armed = [n for n, state in sorted(story.round_ends.items()) if state.armed]
    if armed:
        empty = [s for s in range(plan.players) if story.round_ends[armed[0]].reserve[s] == 0]
        assert game["armed_round"] == armed[0]
        assert game["armed_seats"] == sum(1 << s for s in empty) or not empty
    else:
        assert game["outcome"] == Outcome.STALLED
        assert (game["armed_round"], game["armed_seats"]) == (NULL, 0)
        assert game["winners"] == 0


COUNTED = [*(Kind(kind) for kind in range(Kind.DECLARE, Kind.CASH + 1)), Kind.DEFEND, Kind.RETREAT]


@every_story
def test_the_rows_of_the_seats(plan: Plan) -> None:
    story = story_of(plan)
    end, rules = story.end, plan.rules
    assert [row["seat"] for row in story.rows["seats"]] == list(range(plan.players))
    points = np.zeros(4, np.int64)
    for row in story.rows["seats"]:
        seat = row["seat"]
        for kind in COUNTED:
            assert row[f"num_{kind.name.lower()}"] == story.actions[seat, kind], kind.name
        gold = int(rules.starting_gold)
        for name in row:
            if name.startswith(("gold_", "paid_")):
                assert row[name] == story.gold[seat, name], name
                gold += row[name] if name.startswith("gold_") else -row[name]
        assert row["gold"] == gold == end.gold[seat]
        score(end, rules, seat, points)
        assert row["points"] == points.max() == row["points_units"] + row["points_row"] + row["points_objectives"]
        assert row["reserve"] == end.reserve[seat]
        assert row["final_tier"] == rules.tier_of[int(end.reserve[seat])]
        assert row["highest_tier"] == rules.tier_of[story.lowest[seat]] >= row["final_tier"]
        ranks = [card >> 2 for card in cards_in(end.row[seat])]
        assert [row[f"row_{i + 1}"] for i in range(9)] == ranks + [0] * (9 - len(ranks))
        assert row["num_recycles"] == end.recycles[seat]


@every_story
def test_the_rows_of_the_rounds(plan: Plan) -> None:
    story = story_of(plan)
    rules, rows = plan.rules, story.rows["rounds"]
    assert [(row["round"], row["seat"]) for row in rows] == [
        (number, seat) for number in range(1, int(story.end.round_number) + 1) for seat in range(plan.players)
    ]
    points = np.zeros(4, np.int64)
    for row in rows:
        seat, end = row["seat"], story.round_ends[row["round"]]
        assert row["units_gained"] == story.gained[seat, row["round"]]
        assert row["units_lost"] == story.lost[seat, row["round"]]
        assert row["reserve"] == end.reserve[seat]
        assert row["tier"] == rules.tier_of[int(end.reserve[seat])]
        assert row["gold"] == end.gold[seat]
        assert row["row_cards"] == len(cards_in(end.row[seat]))
        assert row["best_rank"] == max(card >> 2 for card in cards_in(end.hand[seat]))
        assert row["digest"] == public_digest(end, rules)
        score(end, rules, seat, points)
        assert row["score"] == points.max()
        held = [count_arrangements(end, seat, int(code)) > 0 for code in objectives_of(end, seat)]
        assert row["objectives_held"] == sum(held)
    for seat in range(plan.players):
        start = int(rules.start_units)
        mine = [row for row in rows if row["seat"] == seat]
        gained, lost = total(mine, "units_gained"), total(mine, "units_lost")
        assert start + gained - lost == rules.total_units - story.end.reserve[seat]
        assert total(mine, "set_aside") == story.actions[seat, Kind.ASIDE]
        dues = story.gold[seat, "gold_set_aside"] + story.gold[seat, "gold_last_place"]
        assert total(mine, "dues_gold") == dues
        assert sum(row["a_rank"] > 0 for row in mine) == story.actions[seat, Kind.DECLARE]
        assert all(row["meld_cards"] >= 1 and row["lay_hand"] >= row["meld_cards"] for row in mine)
    for number in range(1, int(story.end.round_number) + 1):
        places = sorted((row for row in rows if row["round"] == number), key=lambda row: row["place"])
        assert [row["place"] for row in places] == list(range(1, plan.players + 1))
        if not rules.most_cards:
            totals = [row["meld_total"] for row in places]
            assert totals == sorted(totals, reverse=True)
    assert total(story.rows["seats"], "gold_last_place") == int(rules.last_place_gold) * int(story.end.round_number)


def objectives_of(state: Any, seat: int) -> list[int]:
    return [int(code) for code in state.objectives[seat][: int(state.num_objectives[seat])]]


@every_story
def test_the_rows_of_the_duels(plan: Plan) -> None:
    story = story_of(plan)
    rules, rows = plan.rules, story.rows["duels"]
    assert [{name: row[name] for name in duel} for row, duel in zip(rows, story.duels, strict=True)] == story.duels
    for row in rows:
        assert row["wall"] == (int(rules.tier_wall[row["defender_tier"]]) if row["coins"] else 0)
        if rules.level_total == 0:
            assert row["result"] == (row["margin"] > 0 or (row["margin"] == 0 and not row["native"]))
        assert (row["unit_fate"] == 0) == (row["result"] == 0)
        assert row["result"] >= row["captured"]
        home = row["cell"] in [int(cell) for cell in rules.start_cell[: plan.players]]
        assert (row["homeland"] >= 0) == home
    for seat in range(plan.players):
        assert count(rows, seat=seat) == story.actions[seat, Kind.ATTACK]
        assert count(rows, seat=seat, captured=1) * int(rules.capture_gold) == story.gold[seat, "gold_capture"]
        assert count(rows, defender=seat, unit_fate=2) == sum(story.lost[s, n] for s, n in story.lost if s == seat)
        assert (
            sum(row["answer_rank"] > 0 for row in rows if row["defender"] == seat) == story.actions[seat, Kind.DEFEND]
        )


@every_story
def test_the_rows_of_improvements_and_spends(plan: Plan) -> None:
    story = story_of(plan)
    rules, rows, spends = plan.rules, story.rows["improvements"], story.rows["spends"]
    for seat in range(plan.players):
        assert count(rows, seat=seat, kind=0) == story.actions[seat, Kind.RESEARCH]
        assert count(rows, seat=seat, kind=1) == story.actions[seat, Kind.TRADE]
        assert total(rows, "price", seat=seat, kind=0) == story.gold[seat, "paid_research"]
        assert total(rows, "price", seat=seat, kind=1) == story.gold[seat, "paid_trade"]
        assert count(rows, seat=seat, kind=0, failed=0) == story.actions[seat, Kind.TAKE]
        effects = (Kind.DECLARE, Kind.FOUND, Kind.CASH)
        assert [count(spends, seat=seat, effect=e) for e in range(3)] == [story.actions[seat, kind] for kind in effects]
        assert total(spends, "gold", seat=seat) == story.gold[seat, "gold_effect_c"]
        # what went into the row is there still, was spent, or left by overflow
        retired = sum(row["retired"] > 0 for row in rows if row["seat"] == seat)
        dropped = sum(row["overflow"] > 0 for row in rows if row["seat"] == seat)
        assert retired - dropped - count(spends, seat=seat) == len(cards_in(story.end.row[seat]))
    for row in rows:
        buried = [row[f"buried_{i}"] > 0 for i in (1, 2, 3)]
        assert sum(buried) == (int(rules.trade_cards) if row["kind"] == 1 else 0)
        fine = row["kind"] == 0 and not row["failed"]
        assert (row["retired"] > 0) == (row["taken"] > 0) == fine
        assert row["taken"] >> 2 <= row["cap"] or not fine
        assert row["price"] == 0 or not row["failed"]
    laid = 0
    for row in spends:
        band = int(rules.band_of[row["card"] >> 2])
        assert row["band"] == band
        assert row["units"] <= min(row["tiles"], int(rules.band_units[band]))
        assert row["place_after"] <= row["place_before"]
        assert (row["place_after"] > 0) == (row["effect"] == 0)
        assert (row["tiles"] > 0) == (row["effect"] == 1)
        laid += row["tiles"]
    explored = sum(story.actions[seat, kind] for seat in range(plan.players) for kind in (Kind.EXPLORE, Kind.WATER))
    assert story.end.num_tiles == rules.start_tiles + explored + laid


@every_story
def test_the_rows_of_the_objectives(plan: Plan) -> None:
    story = story_of(plan)
    rules, rows = plan.rules, story.rows["objectives"]
    expected = [(seat, code) for seat in range(plan.players) for code in objectives_of(story.end, seat)]
    assert [(row["seat"], row["objective"]) for row in rows] == expected
    for row in rows:
        seat, code = row["seat"], row["objective"]
        held = [n for n, end in sorted(story.round_ends.items()) if count_arrangements(end, seat, code) > 0]
        assert row["rounds_held"] == len(held)
        assert row["first_held"] == (held[0] if held else 0)
        assert row["arrangements"] == count_arrangements(story.end, seat, code)
        assert row["points"] == row["arrangements"] * rules.objective_points
        assert row["shown"] == (plan.name in ("open", "three open") or story.end.shown[seat] == code)
    for seat in range(plan.players):
        assert total(rows, "points", seat=seat) == story.rows["seats"][seat]["points_objectives"]
        assert total(rows, "gold", seat=seat) == story.gold[seat, "gold_income"]


@every_story
def test_the_rows_of_the_cards(plan: Plan) -> None:
    story = story_of(plan)
    end, rows = story.end, story.rows["cards"]
    uses = ("settle", "explore", "attack", "gold", "set_aside", "dropped")
    for row in rows:
        seat, card = row["seat"], row["card"]
        for name in (*uses, "played", "defence"):
            assert row[name] == story.used[seat, card, name], name
        assert sum(row[name] for name in uses) == row["played"]
    assert {(seat, card) for (seat, card, _), times in story.used.items() if times} <= {
        (row["seat"], row["card"]) for row in rows
    }
    for seat in range(plan.players):
        kept = {row["card"] for row in rows if row["seat"] == seat and row["went"] == 0}
        assert kept == set(cards_in(end.hand[seat])) | set(cards_in(end.discard[seat]))
        assert len(kept) == plan.rules.hand_size
    assert len({(row["seat"], row["card"]) for row in rows}) == len(rows)
    assert {row["came"] for row in rows} <= {1, 2, 3, 4}
    assert {row["went"] for row in rows} <= {0, 2, 3}, "a card that was only passed on is nobody's"
    drafted = any(row["came"] == 2 for row in rows)
    assert drafted == (plan.rules.num_passes > 0)


def test_the_stories_are_eventful() -> None:
    """Every table has rows, every way of gaining and paying gold occurs, and duels end in every way."""
    stories = [story_of(plan) for plan in PLANS]
    for table in BY_NAME:
        assert any(story.rows[table] for story in stories), table
    names = {name for story in stories for (_, name), amount in story.gold.items() if amount > 0}
    assert names == {column.name for column in BY_NAME["seats"].columns if column.name.startswith(("gold_", "paid_"))}
    assert {row["unit_fate"] for story in stories for row in story.rows["duels"]} == {0, 1, 2}
    assert {name for story in stories for _, _, name in story.used} == {*USES.values(), "played", "dropped"}
    assert any(row["failed"] for story in stories for row in story.rows["improvements"])
    spends = [(story.plan.rules, row) for story in stories for row in story.rows["spends"]]
    assert any(row["tiles"] > rules.band_tiles[row["band"]] for rules, row in spends), "no tile was laid in between"
    assert any(row["overflow"] for story in stories for row in story.rows["improvements"])


# Batches, as a run plays them


@cache
def batch(preset: str, players: int) -> Rows:
    """Ten games of random play, seats turning."""
    games = 10
    keys = np.zeros(games, KEYS).view(np.recarray)
    keys.players = players
    keys.deal = np.arange(games) // 2
    keys.seat_shift = np.arange(games) % 2
    line_up = [find_player("random")] * players
    deals = GAME.make_deals(ruleset(preset), 21, players, 0, games)
    tables = shards.play_games([packed(preset, players)], [line_up], keys, [deals], 21, True)  # type: ignore[list-item]
    assert list(tables) == list(BY_NAME)
    assert all(rows.dtype == np.int64 for rows in tables.values())
    return {name: named(name, rows) for name, rows in tables.items()}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", [*preset_names(), "stalls"])
def test_a_batch_adds_up(preset: str, players: int) -> None:
    rows = batch(preset, players)
    for table in rows.values():
        numbers = [row["game"] for row in table]
        assert numbers == sorted(numbers)
    assert [row["game"] for row in rows["games"]] == list(range(10))
    for game in rows["games"]:
        number = game["game"]
        seats = [row for row in rows["seats"] if row["game"] == number]
        rounds = [row for row in rows["rounds"] if row["game"] == number]
        assert len(seats) == players
        assert len(rounds) == game["rounds"] * players
        kinds = sum(value for name, value in game.items() if name.startswith("decisions_"))
        assert game["decisions"] == kinds
        shares = [row["win_share"] for row in seats]
        if game["outcome"] == Outcome.STALLED:
            assert shares == [NULL] * players
        else:
            assert sum(shares) == 12
            assert [share > 0 for share in shares] == [game["winners"] >> seat & 1 == 1 for seat in range(players)]
            assert [share > 0 for share in shares] == [row["rank"] == 1 for row in seats]
            assert game["outcome"] == (Outcome.WON if shares.count(12) == 1 else Outcome.SHARED)
        assert min(row["rank"] for row in seats) == 1
        for first in range(0, len(rounds), players):
            assert len({row["digest"] for row in rounds[first : first + players]}) == 1
        assert len({row["digest"] for row in rounds}) == game["rounds"]
        for seat, last in zip(seats, rounds[-players:], strict=True):
            assert (last["score"], last["gold"], last["reserve"]) == (seat["points"], seat["gold"], seat["reserve"])
        assert count(rows["duels"], game=number) == total(seats, "num_attack")
        assert total(seats, "num_defend") == sum(r["answer_rank"] > 0 for r in rows["duels"] if r["game"] == number)


def test_facts_change_no_game() -> None:
    """With facts on or off the same choices lead to the same states."""
    for plan in PLANS[:3]:
        plain = plan.start()
        parts, actions, choose = engine.ready(), np.zeros(MAX_ACTIONS, np.int64), plan.chooser()
        facts, events = new_records(FACTS)[0], np.zeros(1, np.int64)
        while plain.decision != Decision.OVER:
            n = parts["listing"](plain, plan.rules, actions)
            parts["applying"](plain, plan.rules, choose(int(plain.ply), actions[:n]), facts, events)
        assert plain.tobytes() == story_of(plan).end.tobytes()
        assert not events.any()
        assert facts.rows == 0


def test_a_full_buffer_is_an_error_and_not_a_lost_row() -> None:
    """The driver keeps room for a whole game; where there is none, nothing is written beyond the end."""
    plan = Plan("stalls", 2, 1)
    parts, actions, choose = engine.ready(), np.zeros(MAX_ACTIONS, np.int64), plan.chooser()
    state, facts, events = plan.start(), new_records(FACTS)[0], np.zeros(100, np.int64)
    facts.on = 1
    with pytest.raises(ValueError, match="the buffer for fact rows is full"):
        while state.decision != Decision.OVER:
            n = parts["listing"](state, plan.rules, actions)
            parts["applying"](state, plan.rules, choose(int(state.ply), actions[:n]), facts, events)
    assert facts.rows <= len(events)


def test_styles_are_all_told() -> None:
    assert {plan.style for plan in PLANS} == set(STYLES)
