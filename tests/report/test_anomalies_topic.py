"""The section on anomalies: games to look at with their commands, scores and maps, of runs and of records."""

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from blinksim.cli.app import app
from blinksim.games.game import MapCourse, MapTile
from blinksim.report.page import make_report, render
from blinksim.report.parts import GameStory, Section
from blinksim.report.records import read_records, source_of_records
from blinksim.report.source import Source, source_of
from blinksim.report.topics import anomalies
from blinksim.simulate.replay import replay_game
from blinksim.store.reading import open_run
from tests.report.tiny import play

Frames = Mapping[str, pl.DataFrame]
FEW: dict[str, Any] = {"players": [2], "deals": 2, "line_ups": [{"mirror": ["random"]}]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    line_ups = {"2": [["random", "greedy"]], "3": [{"mirror": ["greedy"]}]}
    return play(tmp_path_factory.mktemp("runs") / "some games", line_ups=line_ups, deals={"2": 4, "3": 2})


@pytest.fixture(scope="module")
def source(folder: Path) -> Source:
    return source_of(open_run(folder))


@pytest.fixture(scope="module")
def frames(source: Source) -> Frames:
    return anomalies.TOPIC.measure(source)


@pytest.fixture(scope="module")
def section(source: Source, frames: Frames) -> Section:
    return anomalies.TOPIC.tell(source.facts, frames)


def told(source: Source) -> Section:
    return anomalies.TOPIC.tell(source.facts, anomalies.TOPIC.measure(source))


def test_the_numbers_are_those_of_the_games(folder: Path, frames: Frames) -> None:
    """Every extreme is held against the game itself, played again."""
    for row in frames["anomalies.games"].iter_rows(named=True):
        table = replay_game(folder, row["key"]).table
        points = sorted((score["total"] for score in table.scores()), reverse=True)
        wanted = {
            "longest": table.round,
            "shortest": table.round,
            "margin": points[0] - points[1],
            "highest": points[0],
            "lowest": points[0],
            "gold": max(score["gold"] for score in table.scores()),
        }
        assert row["value"] == wanted.get(row["what"], row["value"]), row
    assert frames["anomalies.games"]["what"].n_unique() == len(anomalies.MEANINGS) - 1, "no game stalled"


def test_each_story_says_who_won_and_how_to_play_it_again(section: Section, frames: Frames) -> None:
    assert 3 <= len(section.games) == frames["anomalies.stories"].height <= anomalies.MOST_GAMES
    for game, row in zip(section.games, frames["anomalies.stories"].iter_rows(named=True), strict=True):
        assert len(game.scores) == row["players"] and game.title.endswith(f", {row['players']} players")
        best, points = re.fullmatch(r"(\w \w+): (\d+) points? \(.*", game.scores[0]).groups()  # type: ignore[union-attr]
        assert game.paragraphs[0].startswith((f"{best} won after {row['rounds']} rounds with {points}", f"{best} and "))
        assert "'" in game.command and row["key"] in game.command and len(game.paragraphs) == 1


def test_the_command_tells_the_game(section: Section) -> None:
    words = re.match(r"blinksim (replay) '(.*)' (--game) (\S+)", section.games[0].command)
    assert words is not None
    result = CliRunner().invoke(app, [*words.groups(), "--quiet"])
    assert result.exit_code == 0 and "the same as in the run" in result.output
    points = re.search(r": (\d+) points", section.games[0].scores[0])
    assert points is not None and f" {points[1]} " in result.output
    assert section.tables[0].note.endswith(f"{section.games[0].command.rpartition(' ')[0]} GAME")


def test_a_comeback_is_told_by_the_scores_of_its_rounds(section: Section, frames: Frames) -> None:
    said = next(p for game in section.games for p in game.paragraphs if " behind " in p)
    number, behind, own, best = map(
        int, re.search(r"After round (\d+) .* was (\d+) points? behind .*, (\d+) to (\d+),", said).groups()  # type: ignore[union-attr]
    )  # fmt: skip
    assert best - own == behind
    chosen = frames["anomalies.stories"].filter(pl.col("whats").str.contains("comeback"))["key"]
    then = frames["anomalies.courses"].filter((pl.col("key") == chosen[0]) & (pl.col("round") == number))
    assert {own, best} <= set(then["score"]) and then["score"].max() == best


def test_maps_go_round_by_round_and_stay_small(section: Section, folder: Path) -> None:
    for game in section.games:
        assert len(game.maps) > 5
        assert sum(len(map_.svg) + len(map_.caption) for map_ in game.maps) < 60_000
        assert game.maps[0].caption == "Start"
        key = game.command.rpartition(" ")[2]
        table = replay_game(folder, key).table
        assert game.maps[-1].caption.startswith(f"Round {table.round}: a {table.scores()[0]['total']}, b ")
        final = game.maps[-1].svg
        on_map = [int(n) for n in re.findall(r' href="#m-[^"-]*-[a-d](\d+)', final)]
        assert sum(on_map) == sum(20 - int(table.state.reserve[seat]) for seat in range(table.players))
        assert len(re.findall(r' href="#m-[PFOM]', final)) == int(table.state.num_tiles)
        assert f"the map has {int(table.state.num_tiles)} tiles: a " in final


def test_a_game_too_long_to_draw_is_drawn_at_even_steps() -> None:
    tile = MapTile(0, 0, "P", 0, 0, 1, 1)
    for rounds, tiles, many in ((10, 20, 10), (50, 40, 25), (90, 110, 9), (90, 4000, 2), (1, 4000, 1)):
        numbers = anomalies.shown_rounds(MapCourse((), (), ((tile,) * tiles,) * rounds))
        steps = [b - a for a, b in pairwise(numbers)] or [0]
        assert len(numbers) == many and numbers[0] == 0 and numbers[-1] == rounds - 1
        assert max(steps) - min(steps) <= 1
        assert many * tiles <= anomalies.MOST_TILES or many <= 2


def test_the_key_of_the_maps_has_every_sign(section: Section) -> None:
    assert section.map_key is not None
    signs = set(re.findall(r'id="([^"]+)"', section.map_key.svg))
    used = {name for game in section.games for map_ in game.maps for name in re.findall(r'href="#([^"]+)"', map_.svg)}
    assert used <= signs and len(used) > 10


def test_maps_are_folded_on_the_page_and_read_without_scripts(source: Source) -> None:
    html = render(make_report(source, names=("length", "anomalies")).page)
    folded = re.findall(r'<details class="maps">(.*?)</details>', html, flags=re.DOTALL)
    assert len(folded) >= 3 and all(part.count("<figure>") == part.count("<figcaption>") > 5 for part in folded)
    assert "<script" not in html


def test_stalled_games_alone(tmp_path: Path) -> None:
    section = told(source_of(open_run(play(tmp_path / "stalled", **FEW, set=["end.max_rounds=4"]))))
    assert [game.title for game in section.games if "stalled" in game.title] == ["A game that stalled, 2 players"]
    said = section.games[0].paragraphs[0]
    assert said.startswith("Nobody won: the game reached the cap of rounds after 4 rounds")
    assert re.search(r"came closest, with \d+ units in reserve after round \d", said)
    assert "No game stalled" not in section.lead[0]


def test_a_strategy_that_is_gone_leaves_no_maps_but_all_else(tiny_run: Path) -> None:
    """``chance`` was never there: it is ``random`` by another name."""
    section = told(source_of(open_run(tiny_run)))
    without = [game for game in section.games if not game.maps]
    assert without and all("chance" in " ".join(game.scores) for game in without)
    for game in without:
        assert game.paragraphs[1].startswith(
            "There are no maps: a strategy that played this game is not here any more."
        )
        assert game.command


def fails(run: object, key: str) -> object:
    raise RuntimeError("at ply 3")


def test_a_game_that_comes_out_otherwise_has_no_maps(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    for instead, reason in (
        (lambda run, key: SimpleNamespace(same=False), "does not end as it did"),
        (fails, "fails when it is played again"),
    ):
        monkeypatch.setattr(anomalies, "replay_game", instead)
        section = told(source)
        assert section.map_key is None and not any(game.maps for game in section.games)
        assert all(reason in game.paragraphs[1] for game in section.games)


def test_games_that_failed_are_listed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anomalies, "replay_game", fails)  # what the others do is not asked here
    run = open_run(folder)
    entry = {"reason": "raider failed: ZeroDivisionError", "record": None}
    run.shards[0]["failed"] = [{"game": f"2p/d1/v{variant}/l0/h0/s0/r0"} | entry for variant in (0, 1)]
    section = told(source_of(run))
    assert section.tables[1].rows == [["2p/d1/v0/l0/h0/s0/r0", "2 players", "raider failed: ZeroDivisionError"]]
    assert section.headlines[0].sentence == (
        "1 game was stopped by a mistake and is in no number of this page, which leans to games without it."
    )
    assert "--game 2p/d1/v0/l0/h0/s0/r0" in section.tables[1].note


def test_a_run_of_less_detail_has_what_its_tables_say(source: Source, tmp_path: Path) -> None:
    found = source_of(open_run(play(tmp_path / "summary", **FEW, detail="summary")))
    frames = anomalies.TOPIC.measure(found)
    assert set(anomalies.MEANINGS) - set(frames["anomalies.games"]["what"]) == {"stalled", "comeback", "captures"}
    assert all(map_.caption.partition(":")[1] == "" for game in told(found).games for map_ in game.maps)


def test_records_are_called_by_their_files(source: Source, frames: Frames, section: Section, tmp_path: Path) -> None:
    assert source.run is not None
    keys = frames["anomalies.stories"]["key"].to_list()
    for number, key in enumerate(keys):
        replay_game(source.run, key).table.record(tmp_path / f"table {number}.blink.jsonl", legal=False)
    of_records = told(source_of_records(read_records(tmp_path)))

    def game_in(story: GameStory) -> int:
        return int(re.fullmatch(r"blinksim replay '.*/table (\d)\.blink\.jsonl'", story.command)[1])  # type: ignore[index]

    assert len(of_records.games) >= 3
    for story in of_records.games:
        with_maps = next(game for game in section.games if keys[game_in(story)] in game.command)
        assert [map_.svg for map_ in story.maps] == [map_.svg for map_ in with_maps.maps]
        assert list(story.scores) == list(with_maps.scores)
