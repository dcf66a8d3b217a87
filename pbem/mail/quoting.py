"""Which lines of a body its sender wrote, and which he quotes or forwards (mail.md, 2)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.sheet import HEADER_WORDS, plain

_WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|schrieben|a écrit|écrit|escribió|ha scritto|scrisse|schreef|geschreven|escreveu"
    r"|skrev|skrifaði|napisał|napisała|napisal|napsal|napísal|kirjoitti|írta|scris|yazdı|napisao|je napisala"
    r"|va escriure|έγραψε|написал|написала|пишет|пише|написав|писал)\b|写道|寫道|书写|書きました|のメール|작성|כתב|كتب",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"(?:on|am|le|el|il|op|em|den|dne|dnia|w dniu|la|a|på|pe|tr|в|на|στις|\d{4}[-/年.]|\d{1,2}[./]\d{1,2}[./])(?!\w)",
    re.IGNORECASE,
)
_DATED = re.compile(r"\d{1,2}[:.h]\d{2}|\b(?:19|20)\d\d\b|@")
_ORIGINAL = re.compile(
    r"[-_=* ]{2,}\s*(?:original\s+message|original\s+appointment|original[- ]?nachricht|ursprüngliche\s+nachricht"
    r"|message\s+d'origine|message\s+original|mensaje\s+original|messaggio\s+originale"
    r"|oorspronkelijk\s+bericht|mensagem\s+original|ursprungligt\s+meddelande|originalmeddelande"
    r"|oprindelig\s+meddelelse|original\s+meddelelse|opprinnelig\s+melding|alkuperäinen\s+viesti"
    r"|oryginalna\s+wiadomość|wiadomość\s+oryginalna|původní\s+zpráva|pôvodná\s+správa|eredeti\s+üzenet"
    r"|mesaj\s+original|orijinal\s+(?:mesaj|ileti)|özgün\s+ileti|missatge\s+original|izvorna\s+poruka"
    r"|исходное\s+сообщение|оригинальное\s+сообщение|вихідне\s+повідомлення|αρχικό\s+μήνυμα"
    r"|原始邮件|原始郵件|原邮件|元のメッセージ|원본\s+메시지|הודעה\s+מקורית)\s*[-_=* ]{2,}",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"[-_=* ]{2,}\s*(?:forwarded\s+(?:message|by)|weitergeleitete\s+nachricht|message\s+(?:transféré|transmis)"
    r"|mensaje\s+reenviado|messaggio\s+inoltrato|doorgestuurd\s+bericht|mensagem\s+encaminhada"
    r"|vidarebefordrat\s+meddelande|vidarebefordrat|videresendt|välitetty\s+viesti|przekazana\s+wiadomość"
    r"|wiadomość\s+przekazana|přeposlaná\s+zpráva|továbbított\s+üzenet|mesaj\s+redirecționat|iletilen\s+mesaj"
    r"|пересылаемое\s+сообщение|переслане\s+повідомлення|προωθημένο\s+μήνυμα|转发的?邮件|轉寄|転送).*"
    r"|(?:begin\s+forwarded\s+message|anfang\s+der\s+weitergeleiteten\s+(?:nachricht|e-?mail)"
    r"|début\s+du\s+message\s+(?:transféré|réexpédié)|inicio\s+del\s+mensaje\s+reenviado"
    r"|inizio\s+messaggio\s+inoltrato|begin\s+doorgestuurd\s+bericht|início\s+da\s+mensagem\s+(?:reenviada|encaminhada)"
    r"|vidarebefordrat\s+brev|start\s+på\s+videresendt\s+\w+|videresendt\s+\w+|välitetty\s+viesti\s+alkaa"
    r"|początek\s+przekazywanej\s+wiadomości|начало\s+переадресованного\s+сообщения|下面是被转发的邮件|転送されたメッセージ)\s*:?",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"[*_ ]*(?P<label>[^\W\d_][^\n:<>@#>]{0,30}?)[*_ ]*\s?:[*_]*(?P<value>\s.*|(?<=[^\x00-\x7f]:)\S.*|)"
)
_FIELD_NAMES = frozenset(
    [
        "from",
        "sent",
        "date",
        "to",
        "subject",
        "cc",
        "reply-to",
        "von",
        "gesendet",
        "datum",
        "an",
        "betreff",
        "de",
        "envoyé",
        "date",
        "à",
        "objet",
        "enviado",
        "enviado",
        "el",
        "para",
        "asunto",
        "da",
        "inviato",
        "data",
        "a",
        "oggetto",
        "van",
        "verzonden",
        "aan",
        "onderwerp",
        "assunto",
        "från",
        "skickat",
        "skickat:",
        "till",
        "ämne",
        "fra",
        "sendt",
        "til",
        "emne",
        "lähettäjä",
        "lähetetty",
        "vastaanottaja",
        "aihe",
        "od",
        "wysłano",
        "do",
        "temat",
        "odesláno",
        "komu",
        "předmět",
        "feladó",
        "elküldve",
        "címzett",
        "tárgy",
        "от",
        "отправлено",
        "дата",
        "кому",
        "тема",
        "发件人",
        "发送时间",
        "日期",
        "收件人",
        "主题",
        "寄件者",
        "收件者",
        "主旨",
        "差出人",
        "日時",
        "宛先",
        "件名",
    ]  # noqa: E501
)
_OURS = re.compile(
    rf"(?:(?:{'|'.join(HEADER_WORDS)}|standing|press(?:\s+to\b[^:]*)?)\s*:|if\b)", re.IGNORECASE
)
_RULE = re.compile(r"[-_=*]{5,}")

ReadsAsOrder = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Body:
    """A body's lines as sent, and which of them are quoted."""

    lines: tuple[str, ...]
    quoted: tuple[bool, ...]

    @property
    def quote_begins(self) -> int:
        """The index of the first quoted line, or the number of lines."""
        return next((at for at, quoted in enumerate(self.quoted) if quoted), len(self.lines))


def read_body(lines: Sequence[str], reads: ReadsAsOrder) -> Body:
    """Tell a body's lines apart. `reads` says whether a line reads as an order: no attribution does."""
    shown = [plain(line)[0].strip() for line in lines]
    quoted = [False] * len(lines)
    at = 0
    while at < len(lines):
        if shown[at].startswith(">"):
            quoted[at] = True
        elif begins := _unmarked_block(shown, at):
            first = at
            while first and (not shown[first - 1] or _RULE.fullmatch(shown[first - 1])) and begins > 1:
                first -= 1
            quoted[first:] = [True] * (len(lines) - first)
            break
        elif count := _attribution(shown, at, reads):
            quoted[at : at + count] = [True] * count
            at += count - 1
        at += 1
    return Body(tuple(lines), tuple(quoted))


def unmarked(line: str) -> str:
    """A quoted line without its marks."""
    return line.lstrip("> \t")


def _unmarked_block(shown: Sequence[str], at: int) -> int:
    """1 where a line says that the mail answered follows, 2 where its fields do; 0 elsewhere."""
    if _ORIGINAL.fullmatch(shown[at]) or _FORWARDED.fullmatch(shown[at]):
        return 1
    return 2 if _fields_begin(shown, at) else 0


def _fields_begin(shown: Sequence[str], at: int) -> bool:
    """Three or more lines in a row such as From, Sent, To: of known names, or one holding a date or address."""
    known = dated = count = 0
    for line in shown[at : at + 6]:
        found = None if _OURS.match(line) else _FIELD.fullmatch(line)
        if not found:
            break
        count += 1
        known += found["label"].strip("* ").casefold() in _FIELD_NAMES
        dated += _DATED.search(found["value"]) is not None
    return known >= 3 or (count >= 3 and dated > 0)


def _attribution(shown: Sequence[str], at: int, reads: ReadsAsOrder) -> int:
    """How many lines, up to three, say here who wrote what is quoted next; 0 if none do."""
    for count in (1, 2, 3):
        lines = shown[at : at + count]
        if len(lines) < count or not all(lines) or any(line.startswith(">") for line in lines):
            return 0
        if lines[-1].endswith(":"):
            return count if _says_who(lines, shown[at + count :]) and not _is_ours(lines[0], reads) else 0
    return 0


def _says_who(lines: Sequence[str], rest: Sequence[str]) -> bool:
    words = " ".join(lines)
    begins, dated = _BEGINS.match(words) is not None, _DATED.search(words) is not None
    if len(lines) > 1:
        nearer = any(_BEGINS.match(line) and _DATED.search(line) for line in lines[1:])
        if nearer or not (begins or lines[1].startswith("<")):
            return False
    wrote = _WROTE.search(words) is not None
    if next((line for line in rest if line), "").startswith(">"):
        return wrote or dated
    return wrote and begins and dated  # its quote was deleted: still no order


def _is_ours(line: str, reads: ReadsAsOrder) -> bool:
    return _OURS.match(line) is not None or reads(line)


def forwarded(lines: Sequence[str]) -> list[bool]:
    """Which lines stand in a forwarded block: it goes on to the end, a quoted one as far as that quote."""
    out: list[bool] = []
    depth: int | None = None
    for line in lines:
        marks = _depth(line)
        if depth is not None and marks < depth:
            depth = None
        if depth is None and _FORWARDED.fullmatch(unmarked(line).strip()):
            depth = marks
        out.append(depth is not None)
    return out


def _depth(line: str) -> int:
    return line[: len(line) - len(line.lstrip("> \t"))].count(">")
