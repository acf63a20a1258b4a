"""fairtrial.toml to objects: the only place where a name becomes an object."""

from fairtrial.config.overrides import with_overrides
from fairtrial.config.project import Project
from fairtrial.config.reading import find_project
from fairtrial.config.settings import Config, GateTable, wanted

__all__ = ["Config", "GateTable", "Project", "find_project", "wanted", "with_overrides"]
