"""The section on tricks, dues and coins, from a run and from hand-made measures."""

from collections.abc import Mapping

import polars as pl
import pytest

from blinksim.analysis import card_uses, gold
from blinksim.report import figures_economy
from blinksim.report.figures_cells import stacked_bars
from blinksim.report.parts import Section, Table
from blinksim.report.source import Source, source_of
from blinksim.report.topics import economy
from blinksim.store.reading import open_run
from tests.report.tiny import play


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Two players that choose at random; last place pays 2."""
    plan = {"players": [2], "deals": {"2": 24}, "line_ups": {"2": [{"mirror": ["random"]}]}, "deals_per_shard": 12}
    folder = tmp_path_factory.mktemp("runs") / "economy"
    return source_of(open_run(play(folder, set=["trick.last_place_gold=2"], **plan)))


@pytest.fixture(scope="module")
def frames(source: Source) -> Mapping[str, pl.DataFrame]:
    return economy.TOPIC.measure(source)


@pytest.fixture(scope="module")
def section(source: Source, frames: Mapping[str, pl.DataFrame]) -> Section:
    return economy.TOPIC.tell(source.facts, frames)


def table(section: Section, begins: str) -> Table:
    return next(found for found in section.tables if found.caption.startswith(begins))


def test_measures_are_named_by_their_topic_and_can_be_exported(frames: Mapping[str, pl.DataFrame]) -> None:
    assert all(name.startswith("economy.") for name in frames)
    for name, frame in frames.items():
        assert frame.height > 0, name
        frame.write_csv()
        assert not any(dtype in (pl.Categorical, pl.Object) for dtype in frame.dtypes), name


def test_gold_that_comes_in_goes_out_or_stays(frames: Mapping[str, pl.DataFrame]) -> None:
    value = dict(frames["economy.gold"].select("measure", "value").rows())
    assert sum(value[name] for name in gold.SOURCES) == pytest.approx(value[gold.ALL_IN])
    assert sum(value[name] for name in [*gold.SINKS, gold.UNSPENT]) == pytest.approx(value[gold.ALL_IN])


def test_gold_by_tier_adds_up_to_that_of_the_game(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    """Rounds are told by tier, games by seat: two ways to the same sums."""
    by_tier = frames["economy.gold_by_tier"].with_columns(sum=pl.col("value") * pl.col("n_games"))
    sums = dict(by_tier.group_by("measure").agg(pl.col("sum").sum()).rows())
    seats = source.scan("seats").select(pl.col("^(gold|paid)_.*$").cast(pl.Int64).sum()).collect().row(0, named=True)
    assert sums["last place"] == pytest.approx(seats["gold_last_place"])
    assert sums["cards set aside"] == pytest.approx(seats["gold_set_aside"])
    assert sums["captures"] == pytest.approx(seats["gold_capture"])
    assert sums["effect C"] == pytest.approx(seats["gold_effect_c"])
    assert sums["research"] == pytest.approx(seats["paid_research"])
    assert sums["trade"] == pytest.approx(seats["paid_trade"])
    rest = seats["gold_cashed"] + seats["gold_income"] - seats["paid_fortify"]
    assert sums[gold.OTHER] == pytest.approx(rest)


def test_dues_by_standing_add_up_to_the_gold_of_the_dues(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    paid = frames["economy.dues_by_standing"].with_columns(sum=pl.col("value") * pl.col("n_games"))
    sums = dict(paid.group_by("measure").agg(pl.col("sum").sum()).rows())
    later = source.scan("rounds").filter(pl.col("round") > 1).select(pl.col("dues_gold").sum()).collect().item()
    assert sums["last place"] + sums["set aside"] == pytest.approx(sums["dues"]) == pytest.approx(later)


def test_uses_of_a_card_are_all_of_it(frames: Mapping[str, pl.DataFrame]) -> None:
    whole = frames["economy.uses"].group_by("suit", "rank").agg(pl.col("value").sum(), pl.len())
    assert whole["value"].to_list() == pytest.approx([1.0] * whole.height)
    assert set(whole["len"]) == {len(card_uses.USES)}


def test_section_tells_tricks_dues_gold_cards_and_research(section: Section) -> None:
    finding, dues, flows, cards, research = (text.replace("\u00a0", " ") for text in section.lead)
    assert finding.startswith("Long melds win tricks: with 2 players a meld shorter than the longest wins ")
    assert "gold, the leader" in dues
    assert flows.startswith("Gold goes mostly into walls. A seat gets ") and "At the end winners keep" in flows
    assert cards.startswith("What most cards do with 2 players: ")
    assert research.startswith("With 2 players research fails most in Tribe: ") and "Trade is most frequent" in research
    assert [headline.topic for headline in section.headlines] == ["Catching up"]


def test_tables_are_as_wide_as_their_headings(section: Section) -> None:
    for found in section.tables:
        assert found.rows, found.caption
        assert {len(row) for row in found.rows} == {len(found.columns)}, found.caption


def test_pictures_have_names_of_their_own_and_say_what_they_show(section: Section) -> None:
    pictures = [picture for group in section.figures for picture in group.pictures]
    assert {picture.name for picture in pictures} == {
        f"economy-{name}-2p" for name in ("tricks", "dues", "gold", "tiers", "unspent", "uses", "failed")
    }
    assert all("2 players" in picture.alternative for picture in pictures)


def test_few_deals_are_told_as_not_enough_games(tiny_run: object) -> None:
    few = source_of(open_run(str(tiny_run)))
    section = economy.TOPIC.tell(few.facts, economy.TOPIC.measure(few))
    rows = table(section, "Melds by their place").rows
    assert rows and all(row[2] == "not enough games" for row in rows)
    assert "Not enough games had research to say how often it fails." in section.lead
    assert section.headlines == []


def test_what_a_section_says_follows_the_intervals(source: Source, frames: Mapping[str, pl.DataFrame]) -> None:
    """The same words must not stand above other numbers: short melds that win, dues that help nobody."""
    short, dues = frames["economy.short_melds"], frames["economy.dues_by_position"]

    def told(low: float, high: float) -> list[str]:
        wins, paid = pl.col("measure") == "shorter wins", pl.col("source") == "last place"
        new = [pl.lit(value).alias(name) for name, value in (("low", low), ("high", high))]
        changed = {
            "economy.short_melds": pl.concat([short.filter(~wins), short.filter(wins).with_columns(new)]),
            "economy.dues_by_position": pl.concat([dues.filter(~paid), dues.filter(paid).with_columns(new)]),
        }
        return list(economy.TOPIC.tell(source.facts, dict(frames) | changed).lead)

    assert told(0.0, 0.01)[0].startswith("Long melds win tricks") and "less than their share" in told(0.0, 0.01)[1]
    assert told(0.01, 0.99)[0].startswith("The length of a meld hardly matters")
    assert "about their share" in told(0.01, 0.99)[1]
    assert told(0.98, 0.99)[0].startswith("Short melds win tricks") and "more than their share" in told(0.98, 0.99)[1]


def test_every_rank_has_its_uses_in_a_table(section: Section) -> None:
    rows = table(section, "What cards are used for, by rank").rows
    assert [int(row[1]) for row in rows] == sorted({int(row[1]) for row in rows}) and len(rows) > 10


BARS = pl.DataFrame(
    {
        "label": ["in", "in", "out"],
        "part": ["found", "lost", "found"],
        "value": [3.0, -1.0, 2.0],
        "low": [1.5, None, None],
        "high": [2.5, None, None],
    }
)


def test_stacked_bars_put_what_is_below_nothing_to_the_left() -> None:
    colours = {"found": ("#000000", "#ffffff"), "lost": ("#ff0000", "#000000"), "never": ("#00ff00", "#000000")}
    ax = stacked_bars(BARS, title="x", colours=colours, xlabel="gold", rests_on="y")
    bars = sorted((round(bar.get_x(), 6), round(bar.get_x() + bar.get_width(), 6)) for bar in ax.patches)
    assert bars == [(0, -1), (0, 2), (0, 3)]
    texts = [text.get_text() for text in ax.texts]
    assert "2.0" in texts and "3.0" in texts  # wholes: 3 - 1 and 2
    legend = ax.get_legend()
    assert legend is not None and [text.get_text() for text in legend.get_texts()] == ["found", "lost"]
    assert any(list(line.get_xdata()) == [1.5, 2.5] for line in ax.lines)


def test_the_map_of_uses_has_a_row_for_each_suit_and_use() -> None:
    frame = pl.DataFrame(
        {
            "suit": ["P", "P", "F", "F"],
            "use": ["settle", "attack"] * 2,
            "rank": [1, 1, 2, 2],
            "value": [1.0, 0.0, 0.5, 0.5],
            "n_blocks": [30, 30, 30, 3],
        }
    )
    ax = figures_economy.use_map(frame, title="x", suits=(("P", "Plains"), ("F", "Forest")), rests_on="y")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["settle", "attack"] * 2
    assert [text.get_text() for text in ax.texts] == ["Plains", "Forest"]
    places = list(ax.get_yticks())
    assert places[0] > places[1] > places[2] > places[3]
    assert sorted(patch.get_alpha() or 1 for patch in ax.patches) == [pytest.approx(0.4), 1, 1, 1]


def test_unspent_gold_is_drawn_with_its_interval_and_what_is_more() -> None:
    frame = pl.DataFrame({"gold": [0, 3], "value": [0.75, 0.25], "low": [0.7, 0.2], "high": [0.8, 0.3]})
    ax = figures_economy.unspent_bars(frame, title="x", most_shown=3, rests_on="y")
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "1", "2", "3+"]
    assert [text.get_text() for text in ax.texts] == ["75", "25"]
    assert [bar.get_height() for bar in ax.patches] == [75, 25]
