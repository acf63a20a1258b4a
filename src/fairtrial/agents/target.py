"""The object that `module:name` names."""

import importlib
import sys

from fairtrial.agents.failure import failure_of
from fairtrial.errors import PluginError


def find_target(name: str, what: str = "agent") -> object:
    """Import a module and give one of its attributes (dotted names go deeper).

    Args:
        name: `module:name`.
        what: It is to be, for texts.

    Raises:
        PluginError: No such module or attribute, or the module fails when it is imported.
        KeyboardInterrupt: While the module was imported.

    >>> find_target("os:path.join").__name__
    'join'
    >>> find_target("os:agent")
    Traceback (most recent call last):
    fairtrial.errors.PluginError: agent 'os:agent': ...
    """
    module_name, colon, attribute = name.partition(":")
    if not (module_name and colon and attribute):
        raise PluginError(f'{what} {name!r}: wanted "module:name", such as "shop.{what}:{what}"')
    try:
        found: object = importlib.import_module(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a stranger's module: whatever it raises is told
        where = " and ".join(sys.path[:2])
        raise PluginError(
            f"{what} {name!r}: importing {module_name} failed: {failure_of(error).message} "
            f"(looked in {where}, then in the installed packages)"
        ) from error
    home = getattr(found, "__file__", None) or module_name
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise PluginError(f"{what} {name!r}: {home} has no {attribute!r}") from error
        except Exception as error:  # a name that a stranger's module makes when it is asked for
            raise PluginError(
                f"{what} {name!r}: {home} cannot give {attribute!r}: {failure_of(error).message}"
            ) from error
    return found
