"""Drawings as SVG text: the only file that knows svgwrite.

The paint's own attributes are the light theme, so that the text stands alone; the classes that go
with them let a page recolour the same text. Elements are made by svgwrite's factories with its
checks off, ids are the drawing's own behind a prefix, and nothing depends on a clock or a counter.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import svgwrite
from svgwrite.base import Desc, Title
from svgwrite.container import Defs

from pbem.drawing import (
    Circle,
    Clip,
    Definition,
    Drawing,
    Group,
    Label,
    Length,
    Lettering,
    Paint,
    Path,
    Pattern,
    Point,
    Polygon,
    Polyline,
    RadialGradient,
    Rect,
    Shape,
    Symbol,
    Use,
)
from pbem.reports.plain import visible

DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_PAINT = (
    ("fill", "fill"),
    ("stroke", "stroke"),
    ("width", "stroke-width"),
    ("dash", "stroke-dasharray"),
    ("opacity", "opacity"),
    ("fill_opacity", "fill-opacity"),
    ("stroke_opacity", "stroke-opacity"),
    ("cap", "stroke-linecap"),
    ("join", "stroke-linejoin"),
    ("color", "color"),
)


def drawing_to_svg(
    drawing: Drawing,
    *,
    standalone: bool = True,
    id_prefix: str = "",
    name: str = "map",
    decorative: bool = False,
) -> str:
    """The drawing as SVG: a file of its own if `standalone`, else to be put into a page.

    `name` is the root's class and begins the ids of title and description; a `decorative` picture
    has neither and is hidden from screen readers, since the words beside it say the same.
    """
    writer = _Writer(id_prefix)
    left, top, width, height = drawing.view
    root = writer.make.svg()
    root.elements = []
    root.attribs = {
        "xmlns": "http://www.w3.org/2000/svg",
        "xmlns:xlink": "http://www.w3.org/1999/xlink",
        "viewBox": f"{left} {top} {width} {height}",
        "width": width,
        "height": height,
        "class": name,
        "font-family": drawing.font,
    }
    if decorative:
        root.attribs |= {"aria-hidden": "true", "focusable": "false"}
    else:
        title, description = Title(visible(drawing.title)), Desc(visible(drawing.description))
        for element, what in ((title, "title"), (description, "desc")):
            element.xml.set("id", f"{id_prefix}{name}-{what}")
            root.elements.append(element)
        root.attribs |= {
            "role": "img",
            "aria-labelledby": f"{id_prefix}{name}-title {id_prefix}{name}-desc",
        }
    root.elements.append(writer.definitions(drawing.definitions))
    root.elements += map(writer.shape, drawing.items)
    text: str = root.tostring()
    return DECLARATION + text + "\n" if standalone else text


def symbols_to_svg(definitions: Iterable[Definition], wanted: Iterable[str], id_prefix: str = "") -> str:
    """An SVG that shows nothing and holds the symbols wanted, with all that they refer to."""
    by_id = {definition.id: definition for definition in definitions}
    needed: dict[str, None] = {}
    waiting = list(wanted)
    while waiting:
        this = waiting.pop()
        if this not in needed and this in by_id:
            needed[this] = None
            definition = by_id[this]
            if isinstance(definition, Symbol | Pattern):
                waiting += _references(definition.items)
    writer = _Writer(id_prefix)
    root = writer.make.svg()
    root.elements = []
    root.attribs = {
        "class": "symbols",
        "width": "0",
        "height": "0",
        "aria-hidden": "true",
        "focusable": "false",
    }
    root.elements.append(writer.definitions(part for part in by_id.values() if part.id in needed))
    return str(root.tostring()).replace("xlink:href", "href")


def _references(items: Iterable[Shape]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Use):
            yield item.of
        for paint in (item.paint.fill, item.paint.stroke):
            yield from _REFERENCE.findall(paint or "")
        if isinstance(item, Group):
            if item.clip:
                yield item.clip
            yield from _references(item.items)


def _pairs(points: Iterable[Point]) -> str:
    return " ".join([f"{x},{y}" for x, y in points])


class _Writer:
    """Shapes to svgwrite's elements; one for each picture."""

    def __init__(self, prefix: str) -> None:
        self.make = svgwrite.Drawing(debug=False)
        self.prefix = prefix

    def definitions(self, definitions: Iterable[Definition]) -> Any:
        group = Defs(factory=self.make)
        group.elements += map(self._definition, definitions)
        return group

    def _definition(self, definition: Definition) -> Any:
        match definition:
            case Symbol():
                element = self.make.g()
                element.elements += map(self.shape, definition.items)
            case Pattern():
                element = self.make.pattern()
                element.attribs = {
                    "width": definition.width,
                    "height": definition.height,
                    "patternUnits": "userSpaceOnUse",
                    "patternTransform": definition.transform or None,
                }
                element.elements += map(self.shape, definition.items)
            case Clip():
                element = self.make.clipPath()
                outline = self.make.path(f"M{_pairs(definition.points)}Z")
                element.elements.append(outline)
            case RadialGradient():
                element = self.make.radialGradient()
                element.attribs = {"cx": definition.cx, "cy": definition.cy, "r": definition.r}
                for stop in definition.stops:
                    element.add_stop_color(stop.offset, stop.color, stop.opacity)
                    if stop.classes:
                        element.elements[-1].attribs["class"] = stop.classes
        element.attribs["id"] = self.prefix + definition.id
        return element

    def shape(self, shape: Shape) -> Any:
        """One shape, and those inside it."""
        attributes = self._paint(shape.paint)
        match shape:
            case Path():
                element = self.make.path(shape.d)
                element.attribs = attributes
                self._name(attributes, shape.id)
            case Polygon() | Polyline():
                make = self.make.polygon if isinstance(shape, Polygon) else self.make.polyline
                element = make(shape.points)
                element.attribs = attributes
                self._name(attributes, shape.id)
            case Circle():
                element = self.make.circle()
                element.attribs = attributes | {"cx": shape.x, "cy": shape.y, "r": shape.r}
            case Rect():
                element = self.make.rect()
                element.attribs = attributes | {
                    "x": shape.x,
                    "y": shape.y,
                    "width": shape.width,
                    "height": shape.height,
                    "rx": shape.rx,
                }
            case Label():
                element = self.make.text(visible(shape.text))
                element.attribs = self._label(attributes, shape)
                self._name(attributes, shape.id)
            case Use():
                element = self.make.use("#" + self.prefix + shape.of)
                element.attribs |= attributes | _placed(shape)
            case Group():
                element = self.make.g()
                element.attribs = attributes
                self._name(attributes, shape.id)
                attributes["transform"] = shape.transform
                attributes["clip-path"] = f"url(#{self.prefix}{shape.clip})" if shape.clip else None
                if shape.lettering is not None:
                    attributes |= _lettering(shape.lettering)
                if shape.title:
                    element.elements.append(Title(visible(shape.title)))
                element.elements += map(self.shape, shape.items)
        return element

    def _name(self, attributes: dict[str, Any], name: str) -> None:
        if name:
            attributes["id"] = self.prefix + name

    def _paint(self, paint: Paint) -> dict[str, Any]:
        attributes: dict[str, Any] = {}
        for field, attribute in _PAINT:
            value: Length | None = getattr(paint, field)
            if value is not None:
                attributes[attribute] = value
        if paint.rule is not None:
            attributes["fill-rule"] = attributes["clip-rule"] = paint.rule
        if paint.classes:
            attributes["class"] = paint.classes
        if self.prefix:
            for attribute in ("fill", "stroke"):
                value = attributes.get(attribute)
                if value is not None and str(value).startswith("url(#"):
                    attributes[attribute] = f"url(#{self.prefix}{str(value)[5:]}"
        return attributes

    @staticmethod
    def _label(attributes: dict[str, Any], label: Label) -> dict[str, Any]:
        attributes |= {"x": label.x, "y": label.y}
        if label.size is not None:
            said = Lettering(label.size, label.anchor, label.weight, label.halo, label.halo_width)
            attributes |= _lettering(said)
        return attributes


def _lettering(said: Lettering) -> dict[str, Any]:
    """How text is set, for one label or for all of a group."""
    attributes: dict[str, Any] = {"font-size": said.size, "font-weight": said.weight}
    if said.anchor != "start":
        attributes["text-anchor"] = said.anchor
    if said.halo is not None:
        attributes |= {
            "stroke": said.halo,
            "stroke-width": said.halo_width,
            "stroke-opacity": said.halo_opacity,
            "stroke-linejoin": "round",
            "paint-order": "stroke",
        }
    return attributes


def _placed(use: Use) -> dict[str, Any]:
    if use.scale is None and use.rotate is None:
        return {"x": use.x or None, "y": use.y or None}
    steps = [f"translate({use.x} {use.y})"] if use.x or use.y else []
    if use.rotate is not None:
        steps.append(f"rotate({use.rotate})")
    if use.scale is not None:
        steps.append(f"scale({use.scale})")
    return {"transform": " ".join(steps)}
