"""Fact rows from records: a golden game's rows agree with its result, and what is no finished game is refused."""

import gzip
import json
from pathlib import Path

import pytest

from blinksim.games.blink.record_facts import read_game
from blinksim.games.blink.record_lines import RecordError
from blinksim.games.blink.tables import OUTCOMES, TABLES

RECORD = Path(__file__).parents[2] / "records" / "standard-3p-mix-001.blink.jsonl.gz"
LINES = gzip.decompress(RECORD.read_bytes()).decode("utf-8").splitlines(keepends=True)
COLUMNS = {table.name: table for table in TABLES}


def column(rows: dict[str, object], table: str, name: str) -> list[int]:
    return rows[table][:, COLUMNS[table].index(name)].tolist()  # type: ignore[index, no-any-return]


def test_rows_agree_with_the_result_of_the_record() -> None:
    lines = [json.loads(line) for line in LINES]
    game, rows = read_game(RECORD), dict(read_game(RECORD).rows)
    result = lines[-1]["result"]
    assert game.players == 3 and list(game.seats) == lines[0]["seats"]
    assert set(rows) == set(COLUMNS) and all((table[:, 0] == 0).all() for table in rows.values())
    assert [OUTCOMES[code] for code in column(rows, "games", "outcome")] == [result["outcome"]]
    assert column(rows, "games", "rounds") == [result["rounds"]]
    assert column(rows, "games", "decisions") == [sum("choice" in line for line in lines)]
    assert column(rows, "games", "winners") == [sum(1 << seat for seat in result["winners"])]
    assert column(rows, "seats", "points") == [seat["total"] for seat in result["scores"]]
    assert column(rows, "seats", "gold") == [seat["gold"] for seat in result["scores"]]
    assert len(rows["rounds"]) == 3 * result["rounds"]


def test_a_game_that_is_not_over_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "open.blink.jsonl"
    file.write_text("".join(LINES[:60]), encoding="utf-8")
    with pytest.raises(
        RecordError, match=r"open\.blink\.jsonl:\d+: the record ends here, in round \d+; expected choices"
    ):
        read_game(file)


def test_games_with_one_seed_and_deal_are_one_block(tmp_path: Path) -> None:
    header, *rest = LINES
    blocks = []
    for i, seed in enumerate(({"experiment": 3, "deal": 4}, None)):
        data = json.loads(header)
        data.pop("seed", None)
        file = tmp_path / f"{i}.blink.jsonl"
        file.write_text(json.dumps(data | ({"seed": seed} if seed else {})) + "\n" + "".join(rest), encoding="utf-8")
        blocks.append(read_game(file).block)
    assert blocks[0] == "seed 3, deal 4" and "starting_deck" in blocks[1]
