"""The object that `module:name` names."""

import importlib
import sys

from fairtrial.errors import PluginError


def find_target(name: str) -> object:
    """Import a module and give one of its attributes (dotted names go deeper).

    Raises:
        PluginError: No such module or attribute, or the module fails when it is imported.

    >>> find_target("os:path.join").__name__
    'join'
    >>> find_target("os:agent")
    Traceback (most recent call last):
    fairtrial.errors.PluginError: agent 'os:agent': ...
    """
    module_name, colon, attribute = name.partition(":")
    if not (module_name and colon and attribute):
        raise PluginError(f'agent {name!r}: wanted "module:name", such as "shop.agent:agent"')
    try:
        found: object = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # a stranger's module: whatever it raises is told
        where = " and ".join(sys.path[:2])
        raise PluginError(
            f"agent {name!r}: importing {module_name} failed: {type(error).__name__}: {error} "
            f"(looked in {where}, then in the installed packages)"
        ) from error
    home = getattr(found, "__file__", None) or module_name
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise PluginError(f"agent {name!r}: {home} has no {attribute!r}") from error
    return found
