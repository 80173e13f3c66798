"""What runs hold, as plain data: for lists, and for one run in full."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from blinksim.errors import UserError
from blinksim.simulate.prepared import experiment_of
from blinksim.simulate.schedule import make_plan
from blinksim.store.reading import Run, open_run
from blinksim.store.runs import MANIFEST, RUN_BLOCK


def list_overviews(folder: Path) -> list[dict[str, Any]]:
    """Every run of a folder, by name.

    Args:
        folder: Whose folders are looked through, such as ``runs``.

    Returns:
        By run what :func:`overview` says; ``name`` and ``problem`` of one that cannot be read.

    Raises:
        UserError: the folder is a file.
    """
    if folder.is_file():
        raise UserError(f"{folder} is a file; give the folder in which runs lie")
    found = []
    for manifest in sorted(folder.glob(f"*/{MANIFEST}")):
        try:
            found.append(overview(open_run(manifest.parent)))
        except (UserError, KeyError) as error:
            lines = str(error).splitlines()
            found.append({"name": manifest.parent.name, "problem": lines[0] if lines else type(error).__name__})
    return found


def overview(run: Run) -> dict[str, Any]:
    """How far a run is.

    Returns:
        ``name``, ``where``, ``question``, ``complete``, games and shards done and planned, ``bytes``, ``failed`` (how
        many games) and ``last_played`` (when the last sitting began, ISO 8601; None before the first).
    """
    plan = make_plan(experiment_of(run))
    sittings = run.manifest[RUN_BLOCK]["sittings"]
    return {
        "name": run.name,
        "where": str(run.place),
        "question": run.experiment["question"],
        "complete": run.complete,
        "games": run.num_games,
        "games_planned": plan.num_games,
        "shards": len(run.shards),
        "shards_planned": len(plan.shards),
        "bytes": run.num_bytes,
        "failed": len(run.failed),
        "last_played": sittings[-1]["started"] if sittings else None,
    }


def describe_run(run: Run) -> dict[str, Any]:
    """All that a run tells of itself.

    Returns:
        What :func:`overview` says, with ``failed`` as the list of games, and ``seed``, ``shifts``, ``replicates``,
        ``variants``, ``players`` (line-ups and counts by player count), ``tables``, ``strategies``, ``versions`` and
        ``sittings``.
    """
    experiment = experiment_of(run)
    plan = make_plan(experiment)
    rulesets = run.manifest["rulesets"]
    return overview(run) | {
        "failed": run.failed,
        "seed": experiment.seed,
        "shifts": experiment.shifts,
        "replicates": experiment.replicates,
        "variants": [
            {"name": name, "ruleset": " ".join([ruleset, *changes]), "hash": entry["hash"]}
            for (name, ruleset, changes), entry in zip(experiment.rulesets(), rulesets, strict=True)
        ],
        "players": [
            {
                "players": n,
                "line_ups": [list(line_up) for line_up in schedule.line_ups],
                "deals": schedule.num_deals,
                "games_per_deal": schedule.games_per_deal,
                "deals_per_shard": schedule.deals_per_shard,
                "games": sum(r["parts"]["games"]["rows"] for r in run.shards.values() if r["players"] == n),
            }
            for n, schedule in plan.schedules.items()
        ],
        "tables": [
            {
                "table": name,
                "rows": run.num_rows(name),
                "bytes": sum(receipt["parts"][name]["bytes"] for receipt in run.shards.values()),
            }
            for name in run.table_names
        ],
        "strategies": dict(run.manifest["strategies"]),
        "versions": dict(run.manifest["versions"]),
        "sittings": run.manifest[RUN_BLOCK]["sittings"],
    }
