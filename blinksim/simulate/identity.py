"""What decides the games of a run, and whether a run may be gone on with: never with games of another experiment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from blinksim.errors import UserError
from blinksim.simulate.prepared import Batch
from blinksim.store import runs

MAX_SHOWN = 12
"""Differences named in one message."""
_COMPARED = (
    "experiment",
    "rulesets",
    "rules_version",
    "tables_version",
    "strategies",
    "deals_per_shard",
    "versions.pyarrow",
)
_WORDS = ("question", "targets")
"""Keys of an experiment that no game depends on."""
_DEALS = "experiment.deals"


class ChangedExperimentError(UserError):
    """A run holds games of another experiment."""


def describe(batch: Batch) -> dict[str, Any]:
    """All that decides what a run holds, as it stands in the manifest."""
    game = batch.game
    variants = [
        {"name": name, "hash": game.ruleset_hash(ruleset), "parameters": game.ruleset_data(ruleset)}
        for (name, _, _), ruleset in zip(batch.experiment.rulesets(), batch.rulesets, strict=True)
    ]
    identity = {
        "manifest": runs.MANIFEST_VERSION,
        "experiment": batch.experiment.data(),
        "detail": batch.experiment.detail,
        "tables": [table.name for table in batch.tables],
        "rulesets": variants,
        "rules_version": game.rules_version,
        "tables_version": game.tables_version,
        "strategies": batch.fingerprints,
        "deals_per_shard": {str(n): schedule.deals_per_shard for n, schedule in batch.plan.schedules.items()},
        "games_per_deal": {str(n): schedule.games_per_deal for n, schedule in batch.plan.schedules.items()},
        "versions": {name: _version(name) for name in ("blinksim", "numpy", "numba", "pyarrow")},
    }
    # As it will be read back: lists for tuples, texts for keys.
    plain: dict[str, Any] = json.loads(json.dumps(identity))
    return plain


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:  # run from a checkout without an install
        return "not installed"


def differences(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """What differs between two identities and matters to the games: by dotted key, earlier and now.

    The question and the targets may be put in other words: no game depends on them. A value that is not there is
    :data:`NOTHING`.
    """
    old, new = _flat(_comparable(earlier)), _flat(_comparable(now))
    return {
        key: (old.get(key, NOTHING), new.get(key, NOTHING))
        for key in sorted(old.keys() | new.keys())
        if key.startswith(_COMPARED) and old.get(key, NOTHING) != new.get(key, NOTHING)
    }


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()


def refuse_changes(where: str, earlier: Mapping[str, Any], now: Mapping[str, Any], extend: bool = False) -> None:
    """Refuse to mix games of two experiments.

    Args:
        where: The run, for the message.
        earlier: Its manifest.
        now: What is to be played.
        extend: Whether more deals are allowed.

    Raises:
        ChangedExperimentError: what differs is more than that.
    """
    changed = differences(earlier, now)
    if not changed:
        return
    grown = all(_has_grown(key, *values) for key, values in changed.items())
    if grown and extend:
        return
    lines = [f"  {key}: {old!r} in {where}, {new!r} now" for key, (old, new) in changed.items()]
    more = [f"  and {len(lines) - MAX_SHOWN} more"] if len(lines) > MAX_SHOWN else []
    advice = "name another folder with --out, or start over with --fresh"
    if grown:
        advice = f"add the further deals with --extend, {advice}"
    elif extend:
        advice = f"--extend adds deals, and nothing else may differ: {advice}"
    raise ChangedExperimentError(
        "\n".join([f"{where} holds games of another experiment; what differs:", *lines[:MAX_SHOWN], *more, advice])
    )


def _has_grown(key: str, old: Any, new: Any) -> bool:
    return key.startswith(_DEALS) and isinstance(old, int) and isinstance(new, int) and new > old


def _comparable(identity: Mapping[str, Any]) -> dict[str, Any]:
    """An identity with its deals by player count, and without what no game depends on."""
    experiment = {key: value for key, value in identity["experiment"].items() if key not in _WORDS}
    if isinstance(experiment["deals"], int):
        experiment["deals"] = {str(n): experiment["deals"] for n in experiment["players"]}
    return {**identity, "experiment": experiment}


def _flat(data: Any, prefix: str = "") -> dict[str, Any]:
    """Nested plain data as dotted keys."""
    if isinstance(data, Mapping) and data:
        items: Any = data.items()
    elif isinstance(data, list | tuple) and data and any(isinstance(item, Mapping | list | tuple) for item in data):
        items = enumerate(data)
    else:
        return {prefix: list(data) if isinstance(data, tuple) else data}
    return {k: v for key, item in items for k, v in _flat(item, f"{prefix}.{key}" if prefix else str(key)).items()}
