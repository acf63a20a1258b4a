"""Which locales write figures how."""

# Group separators and decimal sign, and the locales that write figures so.
_STYLES = {
    (",", "."): "en en-AU en-CA en-GB en-IE en-IN en-NZ en-US es-MX he hi ja ko th zh zh-CN zh-TW",
    (".", ","): "da de de-DE el es-AR hr id it it-IT nl nl-NL pt-BR ro sl sr tr tr-TR vi",
    (" ", ","): "bg cs et fi fr fr-CA fr-FR hu lt lv nb nn no pl pl-PL ru ru-RU sk sv sv-SE uk",
    (" .", ","): "de-AT es es-ES pt pt-PT",
    ("'", "."): "de-CH de-LI fr-CH it-CH",
}
SEPARATORS = {name: signs for signs, names in _STYLES.items() for name in names.split()}
"""Group separators and decimal sign of each locale."""

LOCALES: tuple[str, ...] = tuple(sorted(SEPARATORS))
"""The locale names that `find_numbers` knows."""
