"""YAML into located values. The only file that imports PyYAML: import it when a YAML file is read.

libyaml composes the nodes; what a plain scalar means is decided here, by JSON's forms alone.
"""

import operator
import re
from typing import Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from fairtrial.cases.json_scanner import Lines, number_from
from fairtrial.cases.located import Fault, Parsed, Path, Position, spell
from fairtrial.cases.yaml_words import meaning
from fairtrial.records import MAX_DEPTH, Json, too_deep

ALIASED: Final = 100_000
"""Values that aliases may stand for in all: more is a bomb, not a case file."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NUMBER_STARTS: Final = frozenset("-0123456789")
_WORDS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None, "": None}

_PLAIN: Final = "plain"
_OTHER: Final = "other"
_UNTAGGED: Final = frozenset({_PLAIN, _OTHER})
_LONE_TAG = re.compile(r"!\s")

_NOT_ALLOWED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")

# YAML 1.1, which libyaml speaks, breaks lines at these; YAML 1.2 and editors do not.
_OLD_BREAKS = re.compile("[\x85\u2028\u2029]")


def _how_written(_loader: object, kind: type[Node], _value: object, implicit: object) -> str:
    """Stand in for the tag of a node that has none: say only whether it is a plain scalar."""
    plain = kind is ScalarNode and isinstance(implicit, tuple) and implicit[0]
    return _PLAIN if plain else _OTHER


_LOADER: Final = type(
    "_Loader",
    # A PyYAML built without libyaml has no C loader; the slow one reads the same.
    (getattr(yaml, "CSafeLoader", yaml.SafeLoader),),
    {
        "resolve": _how_written,
        # No tag depends on the path. Both are called for every node, with two arguments and with
        # none, and nobody looks at what they give: these two are of C, and quick.
        "descend_resolver": operator.is_,
        "ascend_resolver": tuple,
    },
)


class _NotSoundError(Exception):
    """What the quick pass leaves to the walk; never leaves this file."""


class _Meanings(dict[str, Json]):
    """What plain scalars mean, each worked out once: the same words come again and again."""

    def __missing__(self, text: str) -> Json:
        value, wrong = _meaning(text)
        if wrong:
            raise _NotSoundError
        self[text] = value
        return value


class _QuickPass:
    """One pass over the nodes of a file without anchors and tags, while nothing is wrong."""

    def __init__(self) -> None:
        self._meanings = _Meanings()

    def value(self, node: Node, levels: int = MAX_DEPTH) -> Json:
        """Give the value of a node that nests no deeper than the levels.

        Raises:
            _NotSoundError: Something is or may be wrong: the walk says what and where.
        """
        if node.tag == _PLAIN:
            return self._meanings[node.value]
        if node.tag != _OTHER:
            raise _NotSoundError
        if isinstance(node, ScalarNode):
            return node.value
        if not levels:
            raise _NotSoundError
        if isinstance(node, SequenceNode):
            return [self.value(item, levels - 1) for item in node.value]
        return self._mapping(node.value, levels - 1)

    def _mapping(self, pairs: list[tuple[Node, Node]], levels: int) -> dict[str, Json]:
        items: dict[str, Json] = {}
        for key, child in pairs:
            name = self._meanings[key.value] if key.tag == _PLAIN else self.value(key, 0)
            if not isinstance(name, str) or name == "<<":
                raise _NotSoundError
            items[name] = self.value(child, levels)
        if len(items) != len(pairs):
            raise _NotSoundError
        return items


def _meaning(text: str) -> tuple[Json, str | None]:
    """Say what a plain scalar means; beside it what is wrong with it, or None."""
    if text in _WORDS:
        return _WORDS[text], None
    if text[0] in _NUMBER_STARTS and (found := _NUMBER.fullmatch(text)):
        return number_from(text, whole=found[1] is None and found[2] is None)
    return text, None


class _Walk:
    """One pass over the nodes of one file: values out, mistakes noted."""

    def __init__(self, text: str, restore: dict[int, str]) -> None:
        self.faults: list[Fault] = []
        self.restore = restore
        """Characters that stand for line breaks of YAML 1.1, by code point."""
        self._anchors = "&" in text
        self._tagged = text if _LONE_TAG.search(text) else ""
        self._path: list[str | int] = []
        self._count = 0
        self._aliased = 0
        self._seen: dict[int, tuple[Json, int] | None] = {}
        """By node: its value and how many values it holds; None while it is being read."""

    def value(self, node: Node) -> Json:
        """Give the value of a node."""
        if not self._anchors:
            return self._fresh(node)
        if id(node) in self._seen:
            return self._again(node)
        self._seen[id(node)] = None
        before = self._count
        value = self._fresh(node)
        self._seen[id(node)] = (value, self._count - before)
        return value

    def _again(self, node: Node) -> Json:
        seen = self._seen[id(node)]
        if seen is None:
            self._fault(node, "an anchor (&name) that holds itself")
            return None
        value, size = seen
        if self._aliased <= ALIASED < self._aliased + size:
            self._fault(node, f"aliases (*name) stand for more than {ALIASED} values in all")
        self._aliased += size
        self._count += size
        return value if self._aliased <= ALIASED else None

    def _fresh(self, node: Node) -> Json:
        self._count += 1
        if node.tag not in _UNTAGGED or self._has_lone_tag(node):
            self._fault(node, "a tag (!name); values have no tags here, quote text that begins so")
            return None
        if isinstance(node, ScalarNode):
            return self._scalar(node)
        if len(self._path) >= MAX_DEPTH:
            self._fault(node, f"nested deeper than {MAX_DEPTH}")
            return None
        return self._mapping(node) if isinstance(node, MappingNode) else self._list(node)

    def _has_lone_tag(self, node: Node) -> bool:
        # libyaml says nothing of a tag that is a mere exclamation mark.
        return bool(self._tagged) and self._tagged.startswith("!", node.start_mark.index)

    def _scalar(self, node: ScalarNode) -> Json:
        value: Json = node.value
        if node.tag == _PLAIN:
            value, wrong = _meaning(node.value)
            if wrong:
                self._fault(node, wrong)
        is_restored = self.restore and isinstance(value, str)
        return value.translate(self.restore) if is_restored else value

    def _list(self, node: Node) -> list[Json]:
        items: list[Json] = []
        for index, item in enumerate(node.value):
            self._path.append(index)
            items.append(self.value(item))
            self._path.pop()
        return items

    def _mapping(self, node: MappingNode) -> dict[str, Json]:
        items: dict[str, Json] = {}
        first: dict[str, Node] = {}
        for key, child in node.value:
            name = self._key(key)
            if name is None:
                continue
            self._path.append(name)
            if name in items:
                line = first[name].start_mark.line + 1
                self._fault(key, f"a duplicate key; the first is at line {line}, drop one")
                self.value(child)
            else:
                items[name] = self.value(child)
                first[name] = key
            self._path.pop()
        return items

    def _key(self, node: Node) -> str | None:
        plain = isinstance(node, ScalarNode) and node.tag == _PLAIN
        if plain and node.value == "<<":
            self._fault(node, "<< merges nothing here; write shared parts under defaults")
            return None
        value = self.value(node)
        if isinstance(value, str):
            return value
        if isinstance(value, list | dict):
            self._fault(node, "a list or mapping as a key; quote text that begins with [ or {")
        elif plain:
            shown = f"{node.value[:40]!r} is read as " if node.value else ""
            kind = "null" if value is None else "a truth value"
            if isinstance(value, int | float) and not isinstance(value, bool):
                kind = "a number"
            self._fault(node, f"{shown}{kind}, and a key is text; quote it")
        return None

    def _fault(self, node: Node, text: str) -> None:
        self.faults.append(Fault(_place(node), spell(tuple(self._path)) or "YAML", text))


def _place(node: Node) -> Position:
    return Position(node.start_mark.line + 1, node.start_mark.column + 1)


class YamlDocument:
    """One YAML file; the nodes know where its parts stand."""

    def __init__(self, value: Json, root: Node, restore: dict[int, str]) -> None:
        self.value = value
        self._root = root
        self._restore = restore

    def position(self, path: Path, *, of_key: bool = False) -> Position:
        """Give the place of what stands at `path`, or of its key; if missing, of its parent."""
        node = self._root
        place = _place(node)
        for index, part in enumerate(path):
            found = self._child(node, part)
            if found is None:
                return place
            key, node = found
            place = _place(key if of_key and index == len(path) - 1 and key else node)
        return place

    def _child(self, node: Node, part: str | int) -> tuple[Node | None, Node] | None:
        if isinstance(part, int):
            if isinstance(node, SequenceNode) and part < len(node.value):
                return None, node.value[part]
            return None
        if isinstance(node, MappingNode):
            for key, child in node.value:
                if isinstance(key, ScalarNode) and key.value.translate(self._restore) == part:
                    return key, child
        return None


def read_yaml(text: str) -> Parsed:
    r"""Read a YAML file.

    >>> source = read_yaml("- id: c1\n  input: no\n")
    >>> source.documents[0].value, source.documents[0].position((0, "input"))
    ([{'id': 'c1', 'input': 'no'}], Position(line=2, column=10))
    """
    if bad := _NOT_ALLOWED.search(text):
        wrong = f"the control character U+{ord(bad[0]):04X}; write it as an escape in double quotes"
        return Parsed([], [Fault(Lines(text).position(bad.start()), "YAML", wrong)])
    text, restore = _without_old_breaks(text)
    root = None
    try:
        loader = _LOADER(text)
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        return Parsed([], [_syntax(error, text)])
    except (yaml.YAMLError, RecursionError) as error:
        wrong = str(getattr(error, "reason", None) or f"nested deeper than {MAX_DEPTH}")
        return Parsed([], [Fault(Position(1, 1), "YAML", wrong)])
    if root is None:
        return Parsed([], [Fault(Position(1, 1), "YAML", "the file holds nothing")])
    if not restore and "&" not in text and not _LONE_TAG.search(text):
        try:
            return Parsed([YamlDocument(_QuickPass().value(root), root, restore)], [])
        except _NotSoundError:
            pass
    walk = _Walk(text, restore)
    value = walk.value(root)
    if "&" in text and too_deep(value):
        wrong = f"nested deeper than {MAX_DEPTH} through aliases (*name)"
        return Parsed([], [*walk.faults, Fault(_place(root), "YAML", wrong)])
    return Parsed([YamlDocument(value, root, restore)], walk.faults)


def _without_old_breaks(text: str) -> tuple[str, dict[int, str]]:
    """Put other characters in the place of line breaks that only YAML 1.1 knows."""
    found = [] if text.isascii() else sorted(set(_OLD_BREAKS.findall(text)))
    if not found:
        return text, {}
    free = [code for code in range(0xE000, 0xF8FF) if chr(code) not in text][: len(found)]
    restore = dict(zip(free, found, strict=False))
    return text.translate({ord(char): code for code, char in restore.items()}), restore


def _syntax(error: yaml.MarkedYAMLError, text: str) -> Fault:
    problem = error.problem or "not YAML"
    mark = error.problem_mark or error.context_mark
    if "quoted scalar" in (error.context or "") and "end of stream" in problem:
        mark = error.context_mark or mark
    if mark is None:
        return Fault(Position(1, 1), "YAML", problem)
    lines = text.split("\n")
    line, column = mark.line, mark.column
    if line >= len(lines):
        line, column = len(lines) - 1, len(lines[-1])
    at = lines[line][column : column + 1]
    opened = error.context_mark.line + 1 if error.context_mark else line + 1
    return Fault(Position(line + 1, column + 1), "YAML", meaning(problem, at, opened))
