"""pbem: a play-by-email adjudicator."""

__version__ = "1.0.0"
