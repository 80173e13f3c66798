"""Axes of a sweep from their text."""

import pytest

from blinksim.simulate.axes import MAX_POINTS, Axis, AxisError, grid, parse_axis


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("tiers.wall[2]=11..14", ("11", "12", "13", "14")),
        ("a=0..10:5", ("0", "5", "10")),
        ("a=-1..1", ("-1", "0", "1")),
        ("a=0.1..0.3:0.1", ("0.1", "0.2", "0.3")),
        ("a=true,false", ("true", "false")),
        ('a="left", "right"', ('"left"', '"right"')),
        ("a=[1,2],[3,4]", ("[1,2]", "[3,4]")),
        ("a=2,0,1", ("2", "0", "1")),
    ],
)
def test_values(text: str, values: tuple[str, ...]) -> None:
    assert parse_axis(text).values == values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tiers.wall", "no values"),
        ("=1..3", "no values"),
        ("a=3..1", "up to a larger one"),
        ("a=0.1..0.5", "needs a step"),
        ("a=1,1", "each once"),
        ("a=1", "two values"),
        ("a=1..100000", f"at most {MAX_POINTS}"),
    ],
)
def test_wrong_words_say_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(AxisError, match=said):
        parse_axis(text)


def test_names_stand_at_their_places_and_numbers_at_themselves() -> None:
    assert Axis("a", ("true", "false")).positions() == [0, 1]
    assert Axis("a", ("5", "10")).positions() == [5, 10]
    assert not Axis("a", ("true", "5")).numeric


def test_a_grid_has_every_pair_the_last_fastest() -> None:
    assert grid([Axis("a", ("1", "2")), Axis("b", ("x", "y"))]) == [
        ("a=1", "b=x"), ("a=1", "b=y"), ("a=2", "b=x"), ("a=2", "b=y"),
    ]  # fmt: skip


def test_a_grid_that_is_too_large_or_names_a_parameter_twice() -> None:
    many = Axis("a", tuple(map(str, range(30))))
    with pytest.raises(AxisError, match="900 points"):
        grid([many, Axis("b", many.values)])
    with pytest.raises(AxisError, match="twice"):
        grid([many, many])
