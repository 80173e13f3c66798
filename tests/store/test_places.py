"""Places: folders and addresses behind the same verbs, and what is said when they cannot be used."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from blinksim.store.places import LocalPlace, ObjectStore, RunError, place_of


def test_what_a_text_names(tmp_path: Path) -> None:
    assert isinstance(place_of(tmp_path), LocalPlace) and isinstance(place_of("runs/baseline"), LocalPlace)
    assert str(place_of("file:///data/my%20run")) == "/data/my run"
    place = place_of("s3://bucket/runs/a?region=us-east-1")
    assert isinstance(place, ObjectStore) and place.shared and not place_of(tmp_path).shared
    assert str(place) == "s3://bucket/runs/a"
    assert place_of(place) is place


def test_a_folder_keeps_whole_files(tmp_path: Path) -> None:
    place = LocalPlace(tmp_path / "run")
    assert place.is_empty() and place.names("games") == [] and place.size("games/a") is None
    place.write("games/b", b"22")
    place.write("games/a", memoryview(b"1"))
    place.write("manifest.json", b"{}")
    (tmp_path / "run" / "games" / ".c.1.tmp").write_bytes(b"half")
    assert not place.is_empty()
    assert place.sizes("games") == {"games/a": 1, "games/b": 2} and place.names() == ["manifest.json"]
    assert (place.read("games/b"), place.size("games/b")) == (b"22", 2)
    place.sweep()
    assert not list(tmp_path.rglob("*.tmp"))
    place.remove("games")
    place.remove("games")
    place.remove("manifest.json")
    assert place.is_empty()
    assert place.uri("games/a") == str(tmp_path / "run" / "games" / "a") and place.options == {}


def test_what_a_folder_cannot_do_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    for deed, words in (
        (lambda: place_of(tmp_path / "file").is_empty(), "is a file; a run needs a folder"),
        (lambda: place_of(tmp_path).read("gone"), "cannot read .*gone: No such file"),
        (lambda: place_of(tmp_path).write("file/part", b""), "cannot write .*stays valid"),
    ):
        with pytest.raises(RunError, match=words):
            deed()


def test_addresses_show_no_secret_and_travel_to_workers() -> None:
    address = "s3://key:se%2Fcret@bucket/run?scheme=http&endpoint_override=127.0.0.1:9&region=us-east-1"
    place = pickle.loads(pickle.dumps(place_of(address)))
    assert str(place) == place.uri() == "s3://bucket/run" and place.uri("games/a") == "s3://bucket/run/games/a"
    assert place.options == {
        "aws_endpoint_url": "http://127.0.0.1:9",
        "aws_allow_http": "true",
        "aws_region": "us-east-1",
        "aws_access_key_id": "key",
        "aws_secret_access_key": "se/cret",
    }
    whole = place_of("s3://bucket/run?scheme=http&endpoint_override=http://127.0.0.1:9")
    assert whole.options == {"aws_endpoint_url": "http://127.0.0.1:9", "aws_allow_http": "true"}


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("s4://bucket/run", "s4://bucket/run is no place for a run: .*; give a folder"),
        ("s3://?region=us-east-1", "names no bucket|is no place for a run"),
    ],
)
def test_addresses_that_are_none(address: str, words: str) -> None:
    with pytest.raises(RunError, match=words):
        place_of(address)
