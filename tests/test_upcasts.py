"""Old events: a sample of every kind and schema ever shipped is read, and schemas are lifted step by step."""

import json
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest

from pbem.errors import Damaged
from pbem.events import HOST_EVENTS, Event, EventKinds, Lift, dump_json, event_data
from pbem.rulesets import GROUP, find_ruleset

SAMPLES = Path(__file__).parent / "samples"
"""FAMILY.json: by kind and schema, the data of one event as it was appended once. Add; change nothing."""


def families() -> Iterator[tuple[str, EventKinds[Any]]]:
    yield "host", HOST_EVENTS
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        if point.value.startswith("pbem."):
            yield point.name, find_ruleset(point.name).events


FAMILIES = dict(families())


@pytest.mark.parametrize("family", FAMILIES)
def test_every_kind_and_schema_has_a_sample_that_is_read(family: str) -> None:
    samples: dict[str, dict[str, Any]] = json.loads((SAMPLES / f"{family}.json").read_text("utf-8"))
    kinds = FAMILIES[family]
    for model in kinds:
        kind = str(model.model_fields["kind"].default)
        schemas = {str(number) for number in range(1, model.schema_version + 1)}
        assert samples[kind].keys() == schemas, f"{family}.json lacks a sample of {kind}"
        assert len(model.lifts) == model.schema_version - 1, f"{kind} lacks a lift"
    for kind, by_schema in samples.items():
        for schema, data in by_schema.items():
            event = kinds.read(kind, int(schema), dump_json(data))
            assert event.kind == kind
            if int(schema) == type(event).schema_version:
                assert event_data(event) == data


def renamed(data: dict[str, Any]) -> dict[str, Any]:
    return {"wind": data["breeze"]}


def doubled(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "wind": data["wind"] * 2, "from_": "north"}


class WindRose(Event):
    schema_version: ClassVar[int] = 3
    lifts: ClassVar[tuple[Lift, ...]] = (renamed, doubled)
    kind: Literal["wind_rose"] = "wind_rose"
    wind: int
    from_: str


WINDS = EventKinds((WindRose,))


@pytest.mark.parametrize(
    ("schema", "data"),
    [(1, '{"breeze":2}'), (2, '{"wind":2}'), (3, '{"wind":4,"from_":"north"}')],
)
def test_old_schemas_are_lifted_step_by_step(schema: int, data: str) -> None:
    assert WINDS.read("wind_rose", schema, data) == WindRose(wind=4, from_="north")


@pytest.mark.parametrize(
    ("schema", "data"),
    [(4, "{}"), (0, "{}"), (-1, "{}"), (1, "{}"), (1, "[]"), (2, '{"wind":null}'), (1, "["), (3, "{}")],
)
def test_what_cannot_be_read_is_refused_and_not_skipped(schema: int, data: str) -> None:
    with pytest.raises(Damaged):
        WINDS.read("wind_rose", schema, data)
