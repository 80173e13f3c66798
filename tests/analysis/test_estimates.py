"""Estimates: against scipy, statsmodels and published values, and by simulation with known truth and games that go
together."""

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from statsmodels.duration.survfunc import SurvfuncRight
from statsmodels.stats.proportion import multinomial_proportions_confint, proportion_confint

from blinksim.analysis import estimates as e
from blinksim.analysis.estimates import Estimate, Verdict


def blocks_of(total: np.ndarray, count: np.ndarray) -> pl.DataFrame:
    return pl.DataFrame({"total": total, "count": count, "games": count})


def clustered(rng: np.random.Generator, num_blocks: int, p: float, size: int) -> pl.DataFrame:
    """Wins in blocks of ``size`` games that share their chance, drawn around ``p``: a design effect of about 2."""
    chance = rng.beta(4 * p, 4 * (1 - p), num_blocks)
    return blocks_of(rng.binomial(size, chance), np.full(num_blocks, size))


def coverage(hits: list[bool]) -> float:
    return float(np.mean(hits))


def test_ratio_is_the_cluster_robust_mean_of_statsmodels() -> None:
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 7, 40)
    deal = np.repeat(np.arange(40), sizes)
    rounds = rng.normal(20, 2, len(deal)) + rng.normal(0, 3, 40)[deal]
    frame = pl.DataFrame({"deal": deal, "rounds": rounds}).group_by("deal", maintain_order=True)
    found = e.ratio(frame.agg(total=pl.col("rounds").sum(), count=pl.len(), games=pl.len()))
    fit = sm.OLS(rounds, np.ones(len(deal))).fit(cov_type="cluster", cov_kwds={"groups": deal}, use_t=True)
    assert found.value == pytest.approx(fit.params[0])
    assert (found.low, found.high) == pytest.approx(tuple(fit.conf_int()[0]))
    assert (found.n_blocks, found.n_games) == (40, len(deal))


def test_ratio_by_hand() -> None:
    """Blocks (6, 2) and (2, 2): mean 2, residuals 2 and -2, variance 2 * 8 / 16 = 1; t of one degree of freedom."""
    found = e.ratio(blocks_of(np.array([6, 2, 9]), np.array([2, 2, 0])))
    assert found.value == 2
    assert found.high - 2 == pytest.approx(12.706, abs=1e-3)
    assert (found.n_blocks, found.n_games) == (2, 4)


def test_share_of_independent_games_is_wilson() -> None:
    wins = np.zeros(2000)
    wins[:700] = 1
    found = e.share(blocks_of(wins, np.ones(2000)))
    low, high = proportion_confint(700, 2000, method="wilson")
    assert found.value == 0.35
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)
    assert e.design_effect(blocks_of(wins, np.ones(2000))) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("p", "games", "half"), [(0.5, 2401, 0.02), (1 / 3, 2135, 0.02), (0.25, 1801, 0.02), (0.25, 7203, 0.01)]
)
def test_half_widths_of_the_textbook(p: float, games: int, half: float) -> None:
    wins = np.zeros(games)
    wins[: round(p * games)] = 1
    found = e.share(blocks_of(wins, np.ones(games)))
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.002)


def test_copies_of_a_game_count_once() -> None:
    rng = np.random.default_rng(2)
    wins = rng.binomial(1, 0.3, 300)
    once = e.share(blocks_of(wins, np.ones(300)))
    copied = e.share(blocks_of(9 * wins, np.full(300, 9)))
    assert (copied.low, copied.high) == pytest.approx((once.low, once.high))
    assert copied.n_games == 2700
    assert e.design_effect(blocks_of(9 * wins, np.full(300, 9))) == pytest.approx(9, rel=0.01)


def test_what_never_happened_has_an_upper_end_and_blocks_count_once() -> None:
    found = e.share(blocks_of(np.zeros(400), np.full(400, 24)))
    t_size = 400 * (1.959964 / 1.965927) ** 2
    assert (found.value, found.low) == (0, pytest.approx(0))
    assert found.high == pytest.approx(proportion_confint(0, t_size, method="wilson")[1], rel=1e-4)
    always = e.share(blocks_of(np.full(400, 24), np.full(400, 24)))
    assert (always.low, always.high) == pytest.approx((1 - found.high, 1))


def test_nothing_and_one_block_claim_nothing() -> None:
    nothing, one = blocks_of(np.zeros(0), np.zeros(0)), blocks_of(np.array([2]), np.array([3]))
    for blocks, value in ((nothing, np.nan), (one, 2 / 3)):
        assert e.share(blocks).value == pytest.approx(value, nan_ok=True)
        assert (e.share(blocks).low, e.share(blocks).high) == (0, 1)
        assert np.isnan([e.ratio(blocks).low, e.ratio(blocks).high]).all()
        assert np.isnan(e.design_effect(blocks))
        assert e.equivalence([e.share(blocks)], 1 / 2) == Verdict.NOT_ENOUGH


def test_simultaneous_level() -> None:
    assert e.simultaneous_level(1) == 0.95
    assert e.simultaneous_level(3) == pytest.approx(0.95 ** (1 / 3))
    assert e.simultaneous_level(4) < 1 - 0.05 / 4  # Sidak is a little tighter than Bonferroni


def test_seats_of_independent_games_agree_with_the_multinomial_of_statsmodels() -> None:
    wins = [620, 700, 680]
    low_high = multinomial_proportions_confint(wins, method="goodman")
    for won, expected in zip(wins, low_high, strict=True):
        indicator = np.zeros(2000)
        indicator[:won] = 1
        found = e.share(blocks_of(indicator, np.ones(2000)), level=e.simultaneous_level(3))
        assert (found.low, found.high) == pytest.approx(tuple(expected), abs=5e-4)


def test_shares_and_ratios_cover_the_truth_when_games_of_a_deal_go_together() -> None:
    rng = np.random.default_rng(3)
    shares, ratios = [], []
    for _ in range(1500):
        blocks = clustered(rng, 60, 0.3, 6)
        for found, hits in ((e.share(blocks), shares), (e.ratio(blocks), ratios)):
            hits.append(found.low <= 0.3 <= found.high)
    assert 0.93 <= coverage(shares) <= 0.97
    assert 0.93 <= coverage(ratios) <= 0.97


def test_treating_games_as_independent_would_not_cover() -> None:
    rng = np.random.default_rng(4)
    hits = []
    for _ in range(500):
        blocks = clustered(rng, 60, 0.3, 6)
        low, high = proportion_confint(int(blocks["total"].sum()), 360, method="wilson")
        hits.append(low <= 0.3 <= high)
    assert coverage(hits) < 0.9


def test_seats_are_covered_together_when_shifts_cancel_the_luck_of_the_deal() -> None:
    """Each deal has a good hand that goes once to each seat: shares vary less than those of independent games."""
    rng = np.random.default_rng(5)
    truth, hits, effects = np.array([0.30, 0.34, 0.36]), [], []
    cumulated = truth.cumsum()
    for _ in range(800):
        by_hand = rng.permuted(np.tile([0, 1, 2], (70, 1)), axis=1)
        by_seat = (rng.random((70, 3, 1)) > cumulated[:2]).sum(axis=2)
        winner = np.where(rng.random((70, 3)) < 0.5, by_hand, by_seat)
        expected = 0.5 / 3 + 0.5 * truth
        together = True
        for seat in range(3):
            blocks = blocks_of((winner == seat).sum(axis=1), np.full(70, 3))
            found = e.share(blocks, level=e.simultaneous_level(3))
            together &= bool(found.low <= expected[seat] <= found.high)
            effects.append(e.design_effect(blocks))
        hits.append(together)
    assert 0.93 <= coverage(hits) <= 0.97
    assert np.mean(effects) < 0.8


def test_quantiles_by_hand() -> None:
    """Ten games: 1 1 2 3 3 | 3 4 5 9 9; half of them do not exceed 3."""
    values = pl.DataFrame(
        {"deal": [0, 0, 0, 1, 1, 1, 1], "value": [1, 2, 3, 3, 4, 5, 9], "games": [2, 1, 2, 1, 1, 1, 2]}
    )
    assert [e.quantile(values, p).value for p in (0.05, 0.5, 0.6, 0.7, 0.95)] == [1, 3, 3, 4, 9]
    assert e.quantile(values, 0.5).n_blocks == 2 and e.quantile(values, 0.5).n_games == 10
    assert np.isnan(e.quantile(values.clear(), 0.5).value)
    one = e.quantile(values.filter(pl.col("deal") == 0), 0.5)
    assert one.value == 2 and np.isnan(one.low)


def test_the_median_is_covered_when_games_of_a_deal_go_together() -> None:
    rng = np.random.default_rng(6)
    deal, hits = np.repeat(np.arange(50), 4), []
    for _ in range(500):
        rounds = 100 + np.round(10 * (rng.normal(0, 1, 50)[deal] + rng.normal(0, 1, 200))).astype(int)
        values = pl.DataFrame({"deal": deal, "value": rounds, "games": np.ones(200, dtype=np.int64)})
        found = e.quantile(values, 0.5)
        hits.append(found.low <= 100 <= found.high)
    assert 0.93 <= coverage(hits) <= 0.98  # whole numbers make the interval a little wide


def exits_of(deal: np.ndarray, time: np.ndarray, reached: np.ndarray) -> pl.DataFrame:
    frame = pl.DataFrame({"deal": deal, "round": time, "reached": reached.astype(np.int64)})
    grouped = frame.group_by("deal", "round").agg(pl.col("reached").sum(), left=pl.len() - pl.col("reached").sum())
    return grouped.sort("deal", "round")


REMISSION = [(6, 1), (6, 1), (6, 1), (6, 0), (7, 1), (9, 0), (10, 1), (10, 0), (11, 0), (13, 1), (16, 1), (17, 0),
             (19, 0), (20, 0), (22, 1), (23, 1), (25, 0), (32, 0), (32, 0), (34, 0), (35, 0)]  # fmt: skip
"""Weeks of remission under 6-MP (Freireich and others 1963), the textbook example of Kaplan-Meier; 0 is censored."""


def test_survival_gives_the_published_curve() -> None:
    time, event = np.array(REMISSION).T
    curve = e.survival(exits_of(np.arange(21), time, event))
    at = {row["round"]: 1 - row["share"] for row in curve.iter_rows(named=True)}
    published = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448, 35: 0.448}
    assert {t: round(at[t], 3) for t in published} == published
    assert curve.filter(pl.col("round") == 10)["at_risk"][0] == 15
    assert e.crossing(curve)[0] == 23


def test_survival_agrees_with_statsmodels_and_greenwood_for_independent_seats() -> None:
    rng = np.random.default_rng(7)
    time = np.minimum(rng.geometric(0.15, 3000), rng.integers(3, 20, 3000))
    event = rng.random(3000) < 0.8
    curve = e.survival(exits_of(np.arange(3000), time, event))
    theirs = SurvfuncRight(time, event.astype(int))
    ours = curve.filter(pl.col("round").is_in(theirs.surv_times.tolist()))
    assert 1 - ours["share"].to_numpy() == pytest.approx(theirs.surv_prob)
    # The band back to a standard error: log(-log S) plus and minus t times it.
    width = np.log(np.log(1 - ours["high"].to_numpy()) / np.log(1 - ours["low"].to_numpy())) / 2 / 1.9608
    error = width * theirs.surv_prob * -np.log(theirs.surv_prob)
    assert error == pytest.approx(theirs.surv_prob_se, rel=0.02)


def frail(rng: np.random.Generator, num_blocks: int = 80, size: int = 4) -> pl.DataFrame:
    """Seats whose chance of getting there each round is that of their deal, 0.1 or 0.4; some leave early."""
    deal = np.repeat(np.arange(num_blocks), size)
    hazard = rng.choice([0.1, 0.4], num_blocks)[deal]
    when, leaves = rng.geometric(hazard), rng.integers(2, 14, len(deal))
    return exits_of(deal, np.minimum(when, leaves), when <= leaves)


def test_survival_covers_the_truth_when_seats_of_a_deal_go_together() -> None:
    rng = np.random.default_rng(8)
    truth = {t: 1 - (0.9**t + 0.6**t) / 2 for t in (2, 5, 8)}
    hits: dict[int, list[bool]] = {t: [] for t in truth}
    for _ in range(600):
        for row in e.survival(frail(rng)).iter_rows(named=True):
            if row["round"] in truth:
                hits[row["round"]].append(row["low"] <= truth[row["round"]] <= row["high"])
    for found in hits.values():
        assert 0.93 <= coverage(found) <= 0.97


def test_survival_variance_agrees_with_a_bootstrap_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(9)
    exits = frail(rng, 300)
    curve = e.survival(exits).filter(pl.col("round") == 5)
    low, high = curve["low"][0], curve["high"][0]
    parts = dict(enumerate(exits.partition_by("deal")))
    shares = []
    for _ in range(300):
        drawn = [parts[i].with_columns(deal=pl.lit(k)) for k, i in enumerate(rng.integers(0, 300, 300))]
        shares.append(e.survival(pl.concat(drawn)).filter(pl.col("round") == 5)["share"][0])
    assert (high - low) / 2 / 1.968 == pytest.approx(np.std(shares), rel=0.12)
    monkeypatch.setattr(e, "CHUNK_BLOCKS", 7)
    assert e.survival(exits).filter(pl.col("round") == 5)["low"][0] == pytest.approx(low)


def test_survival_at_its_ends() -> None:
    nobody = e.survival(pl.DataFrame({"deal": [0, 1], "round": [3, 3], "reached": [0, 0], "left": [2, 2]}))
    assert nobody["share"].to_list() == [0, 0, 0] and nobody["low"].to_list() == [0, 0, 0]
    assert nobody["high"].min() > 0.5
    assert np.isnan(e.crossing(nobody)[0])
    everybody = e.survival(pl.DataFrame({"deal": [0, 1], "round": [2, 2], "reached": [2, 2], "left": [0, 0]}))
    assert everybody["share"].to_list() == [0, 1] and everybody["high"].to_list()[1] == 1
    assert everybody["low"][1] < 0.5
    assert e.crossing(everybody) == (2, 1, pytest.approx(np.nan, nan_ok=True))
    assert e.crossing(everybody) == (2, 1, np.nan) or e.crossing(everybody)[0] == 2
    assert e.survival(nobody.clear().select("round", deal="round", reached="round", left="round")).is_empty()


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.31, 0.36, Verdict.FAIR),
        (0.37, 0.40, Verdict.NOT_FAIR),
        (0.20, 0.29, Verdict.NOT_FAIR),
        (0.34, 0.40, Verdict.NOT_ENOUGH),
        (0.30, 0.37, Verdict.NOT_ENOUGH),
    ],
)
def test_equivalence_within_three_points(low: float, high: float, verdict: Verdict) -> None:
    fair = Estimate(1 / 3, 0.32, 0.35, 10, 10, "")
    assert e.equivalence([Estimate((low + high) / 2, low, high, 10, 10, ""), fair], 1 / 3) == verdict


def test_equivalence_takes_a_margin_and_needs_an_estimate() -> None:
    wide = [Estimate(0.5, 0.44, 0.56, 10, 10, "")]
    assert e.equivalence(wide, 0.5) == Verdict.NOT_ENOUGH
    assert e.equivalence(wide, 0.5, margin=0.1) == Verdict.FAIR
    assert e.equivalence([], 0.5) == Verdict.NOT_ENOUGH


def test_groups_are_estimated_one_by_one_and_in_order() -> None:
    blocks = pl.DataFrame({"seat": [1, 0, 1, 0], "total": [1, 2, 3, 4], "count": [2, 2, 4, 4], "games": [2, 2, 4, 4]})
    found = e.estimate_groups(blocks, ["seat"], e.ratio)
    assert found["seat"].to_list() == [0, 1]
    assert found["value"].to_list() == [1, pytest.approx(4 / 6)]
    assert e.as_estimates(found)[1].n_games == 6
    assert e.estimate_groups(blocks.clear(), ["seat"], e.ratio).columns == found.columns
