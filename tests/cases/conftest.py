"""What the tests of case files share: a suite out of text, and the problems of one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.cases import Suite, load_suite
from fairtrial.errors import ProblemsError
from fairtrial.records import Case

Load = Callable[..., Suite]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load files by name: `a_yaml="..."` is `a.yaml`; a bare text is `suite.yaml`."""

    def loaded(text: str = "", protected_tags: tuple[str, ...] = (), **files: str | bytes) -> Suite:
        named = {"suite_yaml": text, **files} if text else files
        for name, content in named.items():
            path = tmp_path / name.replace("_", ".")
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        names = [name.replace("_", ".") for name in named]
        return load_suite(names, root=tmp_path, protected_tags=protected_tags)

    return loaded


@pytest.fixture
def one(load: Load) -> Callable[[str], Case]:
    """Load the one case of a YAML text."""

    def loaded(text: str) -> Case:
        (case,) = load(text).cases
        return case

    return loaded


@pytest.fixture
def problems(load: Load) -> Callable[..., list[str]]:
    """Give the problems of files that do not load."""

    def found(text: str = "", **files: str | bytes) -> list[str]:
        with pytest.raises(ProblemsError) as caught:
            load(text, **files)
        return list(caught.value.problems)

    return found
