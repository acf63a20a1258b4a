"""Our options and the settings that they change."""

from pathlib import Path

import pytest

from fairtrial.errors import UsageError
from fairtrial.pytest_plugin.asked import Asked, our_flags, project_of


def test_options_stand_instead_of_settings(tmp_path: Path) -> None:
    (tmp_path / "fairtrial.toml").write_text(
        'agent = "a:b"\ntrials = 2\n[variants.v]\ntrials = 5\n', encoding="utf-8"
    )
    project = project_of(tmp_path, Asked(agent="c:d", max_cost=2.0, variant="v"))
    config = project.config
    assert (config.agent, config.max_cost, config.trials) == ("c:d", 2.0, 5)
    assert project_of(tmp_path, Asked()).config.agent == "a:b"


def test_a_mistake_names_the_option_as_pytest_has_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^--fairtrial-max-cost: wanted an amount above 0"):
        project_of(tmp_path, Asked(max_cost=-1.0))
    assert our_flags("give --agent, --world or --max-cost") == (
        "give --fairtrial-agent, --fairtrial-world or --fairtrial-max-cost"
    )
