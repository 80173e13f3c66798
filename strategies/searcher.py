"""Searcher: think it through before you move.

"I take the few choices that look best and ask of each: what then? What I cannot see, the others' hands, their hidden
objectives and the order of the decks, I deal out as it may be, carry the choice out, and play on in my head, everybody
by the rules of thumb of a sound player, for some rounds or to the end. I do so again and again with other hands, the
same ones for every choice, drop the worse half of the choices, and look closer at the rest. I leave the usual choice
only for one that did better beyond chance. Drafting, burying and the like I do by rule of thumb."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.actions import kind_of, positions_of
from blinksim.games.blink.apply import apply_action
from blinksim.games.blink.enums import MAX_ACTIONS, MAX_HAND, Decision, Kind
from blinksim.games.blink.facts import FACTS
from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.legal import list_actions
from blinksim.games.blink.observe import observe
from blinksim.games.blink.scoring import ROW, TOTAL, is_ahead, score
from blinksim.games.blink.state import STATE_BYTES, VIEW, new_records
from blinksim.games.blink.toolkit import is_last_round
from blinksim.games.blink.toolkit_cards import list_cards, meld_limit, row_points
from blinksim.games.blink.toolkit_ends import points_after, points_with, rival_share
from blinksim.games.blink.toolkit_memory import recall
from blinksim.games.blink.toolkit_turn import Taste
from blinksim.jit import PLAIN, copy_fields, popcount
from blinksim.players.policy import Parameter, Strategy, kernel
from blinksim.players.taste import OWN, sound_parameters, taste_of

STRATEGY = Strategy(
    name="searcher",
    summary="imagines what it cannot see, plays on in its head, takes what does best",
    parameters=(
        *sound_parameters(),
        Parameter("budget", 64.0, 0.0, 1e6, "playouts", "How often it plays on at a decision; 0 for rules of thumb."),
        Parameter("roots", 6.0, 2.0, 64.0, "choices", "How many choices it looks into, at two playouts each or more."),
        Parameter("horizon", 2.0, 0.0, 1000.0, "rounds", "How many rounds beyond this one it plays on."),
        Parameter("caution", 1.0, 0.0, 5.0, "deviations", "How far beyond chance a choice must do better."),
        Parameter("plies", 60.0, 1.0, 1e6, "plies", "How long playouts may be on average; longer ones are fewer."),
    ),
    random=True,
)
RIPEN, NEXT, WANTED, BUDGET, ROOTS, HORIZON, CAUTION, PLIES = range(OWN, OWN + 8)
TILE, COIN = (Taste._fields.index(name) for name in ("tile", "coin"))
TIE_BREAK = 0.03
"""What a coin is worth in the last round, when it only breaks ties; points."""
EPSILON = 0.05
"""What any step of the last turn costs, so that none is taken for nothing; points."""
ONE_OF_A_KIND = 0.7
"""How much sooner the best choice of each kind is looked into than its rating says; units."""
EVEN = 8.0
"""The lead that is worth half a certain win; points."""
GUESS = 0.15
"""How far two choices are taken to differ by chance in one playout before any was seen; part of a win."""
ROW_LATER = 0.6
"""How much of a row's points is still an advantage later, where the playing on stops: rivals catch up; times."""
COIN_LATER, RANK_LATER, TILE_LATER, HAND_LATER, LEADER_LATER = 0.4, 0.05, 0.4, 0.5, -1.0
"""What a coin, a rank of the own cards, a tile, a card in hand and having to lead are worth there; points.

These and the share of the row come from a least-squares fit of final leads on the leads at the ends of rounds.
"""

if PLAIN:

    def blank():  # type: ignore[no-untyped-def]
        """A record of facts that notes nothing, and one to observe in; each as an array of one."""
        return new_records(FACTS), new_records(VIEW)

else:

    @kernel
    def blank():  # type: ignore[no-untyped-def]
        """A record of facts that notes nothing, and one to observe in; each as an array of one."""
        return np.zeros(1, FACTS), np.zeros(1, VIEW)


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    worth = rate(view, rules, actions, n, params)  # forgets as well: what is imagined then knows no more
    budget = int(params[BUDGET])
    if budget < 2 or not is_searched(view.decision):
        return usual.best_of(worth)
    return search(view, rules, actions, n, params, stream, sandbox, worth, budget)


@kernel
def is_searched(decision):  # type: ignore[no-untyped-def]
    """Whether a decision has enough at stake to think ahead."""
    return (
        decision == Decision.ACT
        or decision == Decision.MELD
        or decision == Decision.DECLARE_A
        or decision == Decision.DEFEND
        or decision == Decision.RESEARCH_TAKE
        or decision == Decision.RESEARCH_TO
        or decision == Decision.B_PLACE
    )


# the search


@kernel
def search(view, rules, actions, n, params, stream, sandbox, worth, budget):  # type: ignore[no-untyped-def]
    """The index of the choice that does best when played on from: halving, every choice with the same deals."""
    me = view.me
    roots = pick_roots(actions, n, worth, max(min(int(params[ROOTS]), budget // 2), 2))
    num_roots = len(roots)
    stages = 1
    while 1 << stages < num_roots:
        stages += 1
    gains = np.zeros(num_roots, np.float64)  # beyond the usual choice, which is root 0
    squares = np.zeros(num_roots, np.float64)
    seen = 0
    facts, now = blank()
    events = np.zeros(1, np.int64)
    then = np.empty(MAX_ACTIONS, np.int64)
    until = view.round_number + int(params[HORIZON])
    plies = int(budget * params[PLIES])  # what a decision may cost, whatever the number of players
    for stage in range(stages):
        deals = max(budget // ((stages - stage) * num_roots), 1)
        most = plies // (stages - stage)
        spent = 0
        for deal in range(deals):
            if deal > 0 and spent + spent // deal > most:  # one more would be too many
                break
            imagine(view, rules, stream, sandbox[0])
            base = 0.0
            for r in range(num_roots):
                copy_fields(sandbox[1], sandbox[0], STATE_BYTES)
                apply_action(sandbox[1], rules, actions[roots[r]], facts[0], events)
                spent += play_on(sandbox[1], rules, params, until, now[0], then, facts[0], events)
                value = outlook(sandbox[1], rules, me)
                if r == 0:
                    base = value
                gains[r] += value - base
                squares[r] += (value - base) ** 2
            seen += 1
            budget -= num_roots
        plies -= spent
        if stage < stages - 1:
            num_roots = keep_better(roots, gains, squares, num_roots)
    best = 0
    most = 0.0
    for r in range(1, num_roots):
        mean = gains[r] / seen
        spread = squares[r] + GUESS * GUESS - gains[r] * mean
        sure = mean - params[CAUTION] * np.sqrt(max(spread, 0.0) / seen / seen)
        if sure > most:
            most = sure
            best = r
    return roots[best]


@kernel
def pick_roots(actions, n, worth, most):  # type: ignore[no-untyped-def]
    """The choices to look into: the usual one first, then the best of each kind before more of the same."""
    order = worth.copy()
    for i in range(n):
        first = True
        for j in range(n):
            if kind_of(actions[j]) == kind_of(actions[i]) and (worth[j] > worth[i] or (worth[j] == worth[i] and j < i)):
                first = False
                break
        if first:
            order[i] += ONE_OF_A_KIND
    roots = np.empty(min(n, most), np.int64)
    roots[0] = usual.best_of(worth)
    order[roots[0]] = -np.inf
    for r in range(1, len(roots)):
        roots[r] = usual.best_of(order)
        order[roots[r]] = -np.inf
    return roots


@kernel
def keep_better(roots, gains, squares, num_roots):  # type: ignore[no-untyped-def]
    """Keep the usual choice and the better half of the others, moved to the front; gives how many remain."""
    keep = (num_roots + 1) // 2
    for r in range(1, keep):
        best = r
        for other in range(r + 1, num_roots):
            if gains[other] > gains[best]:
                best = other
        roots[r], roots[best] = roots[best], roots[r]
        gains[r], gains[best] = gains[best], gains[r]
        squares[r], squares[best] = squares[best], squares[r]
    return max(keep, 2)


@kernel
def play_on(state, rules, params, until, view, actions, facts, events):  # type: ignore[no-untyped-def]
    """Play a state on by rules of thumb, everybody's hand unseen by the others, to the end of round ``until``.

    Gives how many plies that took.
    """
    before = state.ply
    while state.decision != Decision.OVER and state.round_number <= until:
        n = list_actions(state, rules, actions)
        choice = 0
        if n > 1:
            observe(state, rules, state.seat, view)
            choice = usual.best_of(rate(view, rules, actions, n, params))
        apply_action(state, rules, actions[choice], facts, events)
    return state.ply - before


@kernel
def outlook(state, rules, me):  # type: ignore[no-untyped-def]
    """How a state looks to a seat: 1 for a certain win, -1 for a certain loss."""
    over = state.decision == Decision.OVER
    mine = 0.0
    best = -1e9
    points = np.zeros(4, np.int64)
    ahead = 1
    for seat in range(state.players):
        score(state, rules, seat, points)
        total = float(points[TOTAL])
        if not over:
            total += (ROW_LATER - 1.0) * points[ROW] + COIN_LATER * state.gold[seat]
            total += TILE_LATER * popcount(state.own[seat]) + HAND_LATER * state.hand_size[seat]
            total += RANK_LATER * ranks_of(state, seat) + (LEADER_LATER if state.leader == seat else 0.0)
        if seat == me:
            mine = total
        else:
            best = max(best, total)
            if over:
                ahead = min(ahead, is_ahead(state, rules, me, seat))
    lead = mine - best
    value = lead / (EVEN + abs(lead))
    return 0.5 * (value + ahead) if over else value


@kernel
def ranks_of(state, seat):  # type: ignore[no-untyped-def]
    """The ranks of all cards that a seat plays with."""
    ranks = 0
    cards = np.empty(2, np.uint64)
    found = np.empty(MAX_HAND, np.int64)
    for w in range(2):
        cards[w] = state.hand[seat, w] | state.laid[seat, w] | state.meld[seat, w] | state.discard[seat, w]
    for p in range(list_cards(cards, found)):
        ranks += found[p] >> 2
    return ranks


# rules of thumb


@kernel
def rate(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
    """What each choice is worth by rules of thumb; (n,) float64, units, or 1 for the usual choice and 0 for others.

    Of ``view`` it forgets what the player does not remember.
    """
    decision = view.decision
    last = is_last_round(view)
    now = params
    if decision == Decision.ACT or decision == Decision.MELD:
        now = params.copy()
        if last:
            now[TILE] = 0.0
            now[COIN] = TIE_BREAK
        else:
            half = 0.5 * rules.total_units
            now[COIN] *= 1.0 + params[RIPEN] * (half - view.reserve[view.me]) / half
    taste = taste_of(now)
    recall(view, taste.memory)
    if decision == Decision.ACT:
        turn = usual.look(view, rules, taste)
        for seat in range(view.players):
            turn.hurt[seat] = (float(rules.points_per_unit) if last else taste.hurt) * rival_share(view, seat)
        worth = usual.rate_steps(view, rules, actions, n, turn, taste)
        if last:
            rate_last_steps(view, rules, actions, n, turn, worth)
        return worth
    if decision == Decision.MELD:
        worth = usual.rate_melds(view, rules, actions, n, taste, np.zeros(MAX_HAND, np.float64))
        if not last:
            add_next_meld(view, rules, actions, n, params[NEXT], worth)
        return worth
    if decision == Decision.B_PLACE:
        return usual.rate_places(view, rules, actions, n, taste)
    worth = np.zeros(n, np.float64)
    if decision == Decision.RESEARCH_TO:
        worth[1 if n > 1 and hand_comes_round(view, rules) else 0] = 1.0
        return worth
    by_suit = usual.worth_of_holds(rules, taste.suit)
    for i in range(view.num_objectives):
        code = view.objectives[i]
        for suit in (code >> 4, code >> 2 & 3, code & 3):
            by_suit[suit] += params[WANTED]
    worth[usual.choose(view, rules, actions, n, by_suit, taste.rank)] = 1.0
    return worth


@kernel
def hand_comes_round(view, rules):  # type: ignore[no-untyped-def]
    """D13: whether the researches of this turn empty the hand, which then comes back whole with what was taken."""
    if is_last_round(view):
        return False
    left = rules.improve_per_turn - view.improve_used
    if left > 0 and view.gold[view.me] < rules.costs[min(view.improve_bought, rules.num_costs - 1)]:
        left = 0
    return view.hand_size[view.me] <= left


@kernel
def rate_last_steps(view, rules, actions, n, turn, worth):  # type: ignore[no-untyped-def]
    """D07 in the last round: what coins and row cards bring, in points. Changes ``worth``."""
    row = view.row[view.me]
    gold = view.gold[view.me]
    scored = row_points(rules, row[0], row[1]) + EPSILON
    best = points_with(view, rules, gold)
    coin = turn.coin
    for more in range(1, turn.meld_left + 1):
        coin = max(coin, (points_with(view, rules, gold + more) - best) / more)
    for i in range(n):
        kind = kind_of(actions[i])
        if kind == Kind.GOLD:
            worth[i] = coin
        elif kind == Kind.RESEARCH or kind == Kind.FOUND or kind == Kind.CASH:
            worth[i] = usual.REFUSED if turn.meld_left > 0 else points_after(view, rules, actions[i]) - scored


@kernel
def add_next_meld(view, rules, actions, n, per_card, worth):  # type: ignore[no-untyped-def]
    """D04: what a meld leaves for the next one. Changes ``worth``."""
    limit = meld_limit(view, rules, view.me)
    hand = np.empty(MAX_HAND, np.int64)
    num_cards = list_cards(view.hand, hand)
    for i in range(n):
        positions = positions_of(actions[i])
        kept = 0
        run = 0  # kept cards that could lie in one meld
        longest = 0
        before = -9
        for p in range(num_cards):
            if positions >> p & 1 == 0:
                rank = hand[p] >> 2
                run = run + 1 if rank - before <= 1 else 1
                longest = max(longest, run)
                before = rank
                kept += 1
        worth[i] += per_card * (limit if kept <= rules.improve_per_turn else min(longest, limit))
