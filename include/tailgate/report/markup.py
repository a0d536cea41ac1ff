"""HTML and SVG as strings, with everything that comes from outside escaped."""

from html import escape


class Safe(str):
    """Markup that was made here; every other string is escaped."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: object) -> Safe:
    """An element; `cls` is its class, an underscore in a name stands for a hyphen, None leaves an attribute out."""
    said = "".join(
        f' {"class" if key == "cls" else key.replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Safe(f"<{name}{said}>" if name == "meta" else f"<{name}{said}>{inside(*children)}</{name}>")


def inside(*children: object) -> Safe:
    """What is between tags, one after the other."""
    return Safe("".join(child if isinstance(child, Safe) else escape(str(child), quote=False) for child in children))


def table(
    head: tuple[str, ...],
    rows: list[tuple[object, ...]],
    figures: frozenset[int] = frozenset(),
    paths: frozenset[int] = frozenset(),
) -> Safe:
    """A table that scrolls by itself where the page is narrow; figures stand to the right, paths break anywhere."""
    classes = dict.fromkeys(figures, "n") | dict.fromkeys(paths, "p")

    def cells(name: str, row: tuple[object, ...]) -> Safe:
        return inside(*(tag(name, cell, cls=classes.get(at)) for at, cell in enumerate(row)))

    body = inside(*(tag("tr", cells("td", row)) for row in rows))
    return tag("div", tag("table", tag("thead", tag("tr", cells("th", head))), tag("tbody", body)), cls="wide")
