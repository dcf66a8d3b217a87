"""Whether the domain of a mail's sender is proven, by DKIM or by a mail server's word (mail.md, 7)."""

# ruff: noqa: PLC0415 - dkimpy and authres are an extra: pip install 'pbem[mail]'

import re
from collections.abc import Callable, Sequence
from typing import Any

from pbem.errors import BadInput, PbemError
from pbem.mail.letter import Letter

_TAG = re.compile(r"(?:^|;)\s*(\w+)\s*=\s*([^;]*)")
LookUp = Callable[..., bytes | None]
"""DNS for dkimpy: the TXT record of a name, given as bytes."""


DNS: LookUp | None = None
"""Where keys are looked up, if not in the DNS by dkimpy's own means."""


def why_unproven(letter: Letter, data: bytes, required: Sequence[str]) -> str:
    """Why the sender's domain is not proven as required, as a clause; empty if it is, or nothing is required.

    `required` holds `dkim` or `authres:SERVER`; one of them that proves it is enough.
    """
    if not required:
        return ""
    for name in ("from", "subject"):
        if len(letter.fields.get(name, ())) > 1:
            return f"it has two {name.capitalize()} fields"
    domain = from_domain(letter)
    if not domain:
        return "its From field names no address"
    reasons = []
    for way in required:
        kind, _, server = way.partition(":")
        if kind == "dkim" and not server:
            reason = _dkim(letter, data, domain)
        elif kind == "authres" and server:
            reason = _authres(letter, domain, server.strip())
        else:
            raise BadInput(f'game.toml: require of [mail] has {way!r}; write "dkim" or "authres:SERVER".')
        if not reason:
            return ""
        reasons.append(reason)
    return " and ".join(reasons)


def from_domain(letter: Letter) -> str:
    """The domain of the one address in From, in small letters."""
    found = letter.senders
    return found[0].rpartition("@")[2].lower() if len(found) == 1 else ""


def _dkim(letter: Letter, data: bytes, domain: str) -> str:
    try:
        import dkim
    except ImportError:
        raise PbemError(
            'game.toml: require of [mail] asks for dkim, which needs a library; pip install "pbem[mail]".'
        ) from None
    signatures = letter.fields.get("dkim-signature", ())
    found = [at for at, value in enumerate(signatures[:5]) if _covers(_tags(value).get("d", ""), domain)]
    if not found:
        return f"it has no DKIM signature of {domain}"
    for at in found:
        if "l" in _tags(signatures[at]):
            continue
        options: dict[str, Any] = {"dnsfunc": DNS} if DNS else {}
        try:
            if dkim.DKIM(data).verify(idx=at, **options):
                return ""
        except (dkim.DKIMException, ValueError, KeyError, IndexError, OSError):
            continue
        except Exception as error:  # noqa: BLE001 - whatever DNS says is no reason to stop
            return f"its DKIM signature could not be checked ({type(error).__name__})"
    return f"no DKIM signature of {domain} holds for the whole of it"


def _authres(letter: Letter, domain: str, server: str) -> str:
    try:
        from authres import AuthenticationResultsHeader, AuthResError
    except ImportError:
        raise PbemError(
            'game.toml: require of [mail] asks for authres, which needs a library; pip install "pbem[mail]".'
        ) from None
    if any("l" in _tags(value) and _covers(_tags(value).get("d", ""), domain)
           for value in letter.fields.get("dkim-signature", ())):  # fmt: skip
        return "its DKIM signature covers a part of it only"
    for value in letter.fields.get("authentication-results", ()):
        try:
            results = AuthenticationResultsHeader.parse(f"Authentication-Results: {value}")
        except (AuthResError, ValueError, IndexError, RecursionError):
            continue
        if str(results.authserv_id).lower() != server.lower():
            continue
        # The topmost is the server's own: what a sender wrote himself stands below it.
        passed = (
            getattr(result, "header_d", None) or (getattr(result, "header_i", None) or "").rpartition("@")[2]
            for result in results.results
            if result.method == "dkim" and result.result == "pass"
        )
        if any(_covers(name or "", domain) for name in passed):
            return ""
        return f"{server} found no good DKIM signature of {domain}"
    return f"{server} did not say that it comes from {domain}"


def _covers(signer: str, domain: str) -> bool:
    """Whether a signature of one domain speaks for another: the same, or one below it."""
    signer = signer.strip().strip(".").lower()
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


def _tags(signature: str) -> dict[str, str]:
    return {found[1].lower(): found[2].strip() for found in _TAG.finditer(signature)}
