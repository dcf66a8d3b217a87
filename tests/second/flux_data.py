"""The tables of F2 and the casting chances of F5.1, typed in from the rulings."""

from typing import Any

HUES = ("crimson", "amber", "jade", "azure", "violet", "slate")

DATA: dict[str, Any] = {
    "corner": 10,
    "earths": {
        "forest": {"cost": 2, "count": 6, "lake": False, "river": True, "water": False},
        "hills": {"cost": 4, "count": 4, "lake": False, "river": False, "water": False},
        "swamp": {"cost": 5, "count": 3, "lake": False, "river": False, "water": True},
        "mountain": {"cost": 7, "count": 3, "lake": False, "river": False, "water": False},
    },
    "animates": {
        "gnome": {
            "cost": 3,
            "combat": 1,
            "move": 4,
            "flies": False,
            "may_not_enter": ["swamp"],
            "destroys": {"hills": 7, "mountain": 5},
            "count": 1,
        },
        "knight": {
            "cost": 4,
            "combat": 3,
            "move": 5,
            "flies": False,
            "may_not_enter": ["swamp", "mountain"],
            "destroys": {"forest": 4},
            "count": 1,
        },
        "troll": {
            "cost": 5,
            "combat": 4,
            "move": 3,
            "flies": False,
            "may_not_enter": ["swamp"],
            "destroys": {"forest": 5, "hills": 4, "mountain": 3},
            "count": 1,
        },
        "manticore": {
            "cost": 6,
            "combat": 4,
            "move": 6,
            "flies": False,
            "may_not_enter": ["mountain"],
            "destroys": {"swamp": 5},
            "count": 1,
        },
        "wyvern": {
            "cost": 7,
            "combat": 5,
            "move": 8,
            "flies": True,
            "may_not_enter": [],
            "destroys": {"forest": 3, "swamp": 4},
            "count": 1,
        },
        "phoenix": {
            "cost": 8,
            "combat": 4,
            "move": 9,
            "flies": True,
            "may_not_enter": [],
            "destroys": {"forest": 8, "swamp": 5},
            "count": 1,
        },
        "great dragon": {
            "cost": 11,
            "combat": 7,
            "move": 7,
            "flies": True,
            "may_not_enter": [],
            "destroys": {"forest": 7, "hills": 5, "swamp": 6, "mountain": 4},
            "count": 1,
        },
    },
    "wizard": {
        "combat": 3,
        "move": 4,
        "flies": False,
        "may_not_enter": ["swamp", "mountain"],
        "destroys": {},
    },
    "bands": [[4, 8], [6, 6], [8, 4], [10, 2]],
}


def merged(table: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """`table` with what `other` names put in its place, tables key by key."""
    result = dict(table)
    for key, value in other.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result


def animates(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every animate counter by its name; two of a kind are `troll` and `troll 2` (F2)."""
    result = {}
    for kind, row in data["animates"].items():
        for number in range(1, row.get("count", 1) + 1):
            result[kind if number == 1 else f"{kind} {number}"] = row
    return result
