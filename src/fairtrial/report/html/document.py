"""The HTML file itself: one template, style and scripts inside, data as inert text."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pkgutil import get_data

import msgspec

from fairtrial.records import Json, plain

_STYLES = ("page.css", "case.css")
_SCRIPTS = (
    *("element.js", "figures.js", "records.js", "marks.js", "charts.js", "top.js", "table.js"),
    *("state.js", "evidence.js", "steps.js", "case.js", "compare.js", "history.js", "start.js"),
)
_BEFORE, _BETWEEN = b"<!-- style -->", b"<!-- data -->"


def html_document(title: str, data: Json, packs: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """Give a page piece by piece.

    It asks nothing of the network: the policy in it allows its own script and style by their
    hashes, and nothing else. The data are JSON in which no `<` stands, so that no text of a run
    can end them.

    Args:
        title: Of the window.
        data: What the scripts show.
        packs: Names of blocks, and the blocks in base64.
    """
    style, script, template = _parts()
    head, rest = template.split(_BEFORE)
    body, foot = rest.split(_BETWEEN)
    yield head.replace(b"{policy}", _policy(style, script)).replace(b"{title}", _text(title))
    yield b"<style>" + style + b"</style>" + body
    yield b'<script type="application/json" id="data">' + inert_json(data) + b"</script>\n"
    for name, packed in packs:
        yield b'<script type="text/plain" id="%s">%s</script>\n' % (name.encode(), packed)
    yield b"<script>" + script + b"</script>" + foot


def inert_json(data: Json) -> bytes:
    r"""Give JSON that can stand inside a script element: every `<` in it is an escape.

    >>> inert_json({"x": "</script><!--"})
    b'{"x":"\\u003c/script>\\u003c!--"}'
    """
    try:
        text = msgspec.json.encode(data)
    except UnicodeEncodeError:  # a lone surrogate, in a title or a name from outside
        text = msgspec.json.encode(plain(msgspec.to_builtins(data)))
    return text.replace(b"<", b"\\u003c")


@cache
def _parts() -> tuple[bytes, bytes, bytes]:
    """Give style, script and template."""
    style, script = _joined(_STYLES), b'"use strict";\n(() => {\n' + _joined(_SCRIPTS) + b"})();\n"
    return style, script, _joined(("page.html",))


def _joined(names: Sequence[str]) -> bytes:
    # importlib.resources reads the same, and loads a tenth of all that a page needs.
    return b"".join(get_data(__package__, f"assets/{name}") or b"" for name in names)


def _policy(style: bytes, script: bytes) -> bytes:
    told = (
        f"{name}-src 'sha256-{_digest(text)}'"
        for name, text in (("style", style), ("script", script))
    )
    rules = ("default-src 'none'", *told, "img-src data:", "base-uri 'none'", "form-action 'none'")
    return "; ".join(rules).encode()


def _digest(text: bytes) -> str:
    return base64.b64encode(hashlib.sha256(text).digest()).decode()


def _text(text: str) -> bytes:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.encode("utf-8", "replace")
