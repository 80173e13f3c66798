"""Where experiments and strategies are found: the working directory first, then what is shipped.

An installed blinksim carries both folders inside the package; in a checkout they stand beside it.
"""

from __future__ import annotations

import difflib
from pathlib import Path

from blinksim.errors import UserError

PACKAGE = Path(__file__).resolve().parent
EXPERIMENTS = "experiments"
STRATEGIES = "strategies"


class UnknownNameError(UserError):
    """A file was named that is in none of the folders."""


def shipped_folder(kind: str) -> Path:
    """The folder of experiments or strategies that belongs to this blinksim."""
    inside = PACKAGE / "_shipped" / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind


def folders(kind: str) -> list[Path]:
    """The folders in which a name is looked up, in order; those that exist, each once."""
    found: list[Path] = []
    for folder in (Path.cwd() / kind, shipped_folder(kind)):
        if folder.is_dir() and folder.resolve() not in [known.resolve() for known in found]:
            found.append(folder)
    return found


def list_names(kind: str, suffix: str) -> dict[str, Path]:
    """All names of a kind with their files, sorted; a file in the working directory hides a shipped one of its name."""
    names: dict[str, Path] = {}
    for folder in folders(kind):
        for path in sorted(folder.glob(f"*{suffix}")):
            if not path.name.startswith("_"):
                names.setdefault(path.name.removesuffix(suffix), path)
    return dict(sorted(names.items()))


def find_file(kind: str, name: str | Path, suffix: str) -> Path:
    """The file for a name, or for a path to a file.

    Args:
        kind: ``EXPERIMENTS`` or ``STRATEGIES``.
        name: A name such as ``baseline``, or a path ending in the suffix.
        suffix: ``.toml`` or ``.py``.

    Raises:
        UnknownNameError: there is no such file.
    """
    text = str(name)
    if text.endswith(suffix):
        if Path(text).is_file():
            return Path(text)
        raise UnknownNameError(
            f"there is no file {text}{_did_you_mean(Path(text).name.removesuffix(suffix), kind, suffix)}"
        )
    known = list_names(kind, suffix)
    if text in known:
        return known[text]
    where = " or ".join(str(folder) for folder in folders(kind)) or f"{Path.cwd() / kind} (no such folder)"
    raise UnknownNameError(f"there is no {text}{suffix} in {where}{_did_you_mean(text, kind, suffix)}")


def _did_you_mean(name: str, kind: str, suffix: str) -> str:
    known = list(list_names(kind, suffix))
    near = difflib.get_close_matches(name, known, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else "."
    return f"{hint} Known {kind}: {', '.join(known) or 'none'}"
