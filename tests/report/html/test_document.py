import base64
import hashlib
import json
import re

from fairtrial.report.html.document import html_document, inert_json


def page(title: str = "t", data: object = None) -> str:
    return b"".join(html_document(title, data, [("run-0", b"eJw=")])).decode()


def test_the_policy_names_the_hashes_of_what_is_inside() -> None:
    text = page()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    inside = [
        re.search(r"<style>(.*?)</style>", text, re.S),
        re.search(r"<script>(.*?)</script>", text, re.S),
    ]
    for kind, found in zip(("style", "script"), inside, strict=True):
        assert found is not None
        digest = base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none'")


def test_no_text_ends_the_data() -> None:
    hostile = {"a": "</script><script>alert(1)</script><!--", "<b>": "]]>"}
    text = page("</title><script>alert(1)</script>", hostile)
    data = re.search(r'id="data">(.*?)</script>', text, re.S)
    assert data is not None
    assert json.loads(data[1]) == hostile
    assert text.count("<script") == 3
    assert "<title>&lt;/title&gt;&lt;script&gt;" in text


def test_lone_surrogates_are_no_obstacle() -> None:
    assert json.loads(inert_json({"x": "a\ud800b"})) == {"x": "a\ufffdb"}
    assert "�" in page("\ud800") or "?" in page("\ud800")


def test_a_page_names_no_other_place_and_uses_no_markup_of_texts() -> None:
    text = page()
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == []
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "fetch(",
    ):
        assert way not in text
