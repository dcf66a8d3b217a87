"""Flux: wizards on the Great Plains of Grob (docs/rules/flux.md)."""
