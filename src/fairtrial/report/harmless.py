"""Lines that no build takes for a command to itself, whatever an agent said in them."""

import re

_BEGINS = re.compile(r"^(\s*)::")
_ANYWHERE = re.compile(r"##(?=\w*\[)")


def inert(line: str) -> str:
    r"""Give a line without a command to a build.

    GitHub reads `::name::` where a line begins, blanks or not; it, Azure and TeamCity read
    `##name[` anywhere.

    >>> inert("    ::error::x"), inert("one::two"), inert("x ##vso[task.complete]")
    ('    \\::error::x', 'one::two', 'x #\\#vso[task.complete]')
    """
    if "::" not in line and "##" not in line:
        return line
    return _ANYWHERE.sub(r"#\\#", _BEGINS.sub(r"\1\\::", line))
