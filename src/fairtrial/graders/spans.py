"""Spans: how long the parts took, what they carried, and which documents a retrieval found."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, UnsetType

from fairtrial.graders.question import HOLDS, SPANS, Outcome, Question
from fairtrial.graders.subject import Subject
from fairtrial.graders.wording import few
from fairtrial.match import Matcher, compile_matcher, fingerprint
from fairtrial.records import Json, Span, SpanExpectation
from fairtrial.text import cut, label


def span_questions(expected: Sequence[SpanExpectation]) -> Iterator[Question]:
    """Give one question for each expectation: every span of its name and kind must be so.

    Documents are pooled over the spans of the name: recall is the share of the wanted ids that
    were found, precision the share of the found ids that are wanted. A span's documents are its
    attribute `documents`: ids, or mappings with an `id`.
    """
    for item in expected:
        yield Question(
            name=f"spans[{label(item.name)}]",
            ask=_Wanted(item).ask,
            holds="as wanted",
            about=SPANS,
        )


def _optional(spec: Json | UnsetType) -> Matcher | None:
    return None if spec is UNSET else compile_matcher(spec)


class _Wanted:
    """One expectation, compiled."""

    def __init__(self, item: SpanExpectation) -> None:
        self._item = item
        self._count = _optional(item.count)
        self._seconds = _optional(item.seconds)
        self._attributes = _optional(item.attributes)
        documents = item.documents or {}
        self._right = frozenset(_ids(documents.get("of")))
        self._shares = {
            name: compile_matcher(documents[name])
            for name in ("recall", "precision")
            if name in documents
        }

    def ask(self, subject: Subject) -> Outcome:
        spans = [span for span in subject.trajectory.spans or () if _is(self._item, span)]
        wrong = next(self._wrong(spans), None)
        if wrong is not None:
            return Outcome(passed=False, reason=wrong)
        if self._seconds is not None and any(span.seconds is None for span in spans):
            return Outcome(passed=None, reason="the seconds of such a span are unknown")
        return HOLDS

    def _wrong(self, spans: list[Span]) -> Iterator[str]:
        if self._count is not None:
            yield from (str(found) for found in self._count.mismatches(len(spans), "count"))
        elif not spans:
            yield "there is no such span"
        for span in spans:
            yield from self._wrong_in(span)
        if self._shares and spans:
            yield from self._wrong_documents(spans)

    def _wrong_in(self, span: Span) -> Iterator[str]:
        if self._attributes is not None:
            yield from (str(found) for found in self._attributes.mismatches(span.attributes))
        if self._seconds is not None and span.seconds is not None:
            yield from (str(found) for found in self._seconds.mismatches(span.seconds, "seconds"))

    def _wrong_documents(self, spans: list[Span]) -> Iterator[str]:
        found = {name for span in spans for name in _ids(span.attributes.get("documents"))}
        right = self._right
        share = {
            "recall": len(found & right) / len(right) if right else 1.0,
            "precision": len(found & right) / len(found) if found else 0.0,
        }
        for name, matcher in self._shares.items():
            for mismatch in matcher.mismatches(share[name], f"documents.{name}"):
                missing = few(sorted(right - found), 5, said=cut) or "none"
                yield f"{mismatch} (not found: {missing})"


def _is(item: SpanExpectation, span: Span) -> bool:
    return span.name == item.name and (item.kind is None or span.kind == item.kind)


def _ids(documents: Json) -> Iterator[str]:
    """Give the ids of documents as text; 1 and 1.0 are one id."""
    for document in documents if isinstance(documents, list | tuple) else ():
        name = document.get("id") if isinstance(document, dict) else document
        if name is not None:
            yield name if isinstance(name, str) else fingerprint(name)
