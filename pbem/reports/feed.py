"""The archive's Atom feed: one entry a turn, the newest first."""

from uuid import UUID, uuid5
from xml.etree import ElementTree as ET

from pbem.reports.facts import ArchiveFacts
from pbem.reports.plain import visible
from pbem.reports.svg import DECLARATION
from pbem.reports.words import game_title
from pbem.rulesets.model import plain_text

_NAMES = UUID("4d4b9f5e-6f0b-5c1e-9d0c-0b1f6c3c2a77")
"""Under which entry ids are made: from the hash of the game's secret, so that no two games share them."""


MOST = 50
"""Entries: who reads a feed has seen the older ones, and the archive's first page has them all."""


def render_feed(archive: ArchiveFacts) -> bytes:
    """The feed; its links are relative to where it lies, its times those of the log."""
    latest = archive.latest
    name = f"{latest.game} {latest.dice.secret_hash}"
    feed = ET.Element("feed", {"xmlns": "http://www.w3.org/2005/Atom"})
    _text(feed, "title", f"{game_title(latest.game)}: {latest.ruleset_title}")
    _text(feed, "id", uuid5(_NAMES, name).urn)
    _text(feed, "updated", archive.turns[-1].closed_at if archive.turns else latest.closed_at)
    _text(ET.SubElement(feed, "author"), "name", game_title(latest.game))
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": "index.html"})
    ET.SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": "feed.xml"})
    _text(feed, "generator", "pbem").set("version", latest.pbem_version)
    for turn in reversed(archive.turns[-MOST:]):
        entry = ET.SubElement(feed, "entry")
        _text(entry, "title", f"Turn {turn.turn}")
        _text(entry, "id", uuid5(_NAMES, f"{name} turn {turn.turn}").urn)
        _text(entry, "updated", turn.closed_at)
        link = {"rel": "alternate", "type": "text/html", "href": f"turn-{turn.turn}/index.html"}
        ET.SubElement(entry, "link", link)
        _text(entry, "summary", plain_text(turn.headline))
    ET.indent(feed)
    text: str = ET.tostring(feed, encoding="unicode")
    return (DECLARATION + text + "\n").encode()


def _text(parent: ET.Element, tag: str, text: str) -> ET.Element:
    element = ET.SubElement(parent, tag)
    element.text = visible(text)
    return element
