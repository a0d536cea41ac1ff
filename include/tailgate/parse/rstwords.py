"""Teaches docutils the directives and roles that a text uses and docutils does not know, Sphinx's above all."""

import re
from typing import Any

_DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w:+.-]+?)::(?:\s|$)", re.MULTILINE)
_ROLE = re.compile(r":([A-Za-z][\w:+.-]*):`")
_TARGET = re.compile(r"^(.+?)\s*<[^<>]+>$", re.DOTALL)
_WITHOUT_TEXT = frozenset({
    *("currentmodule", "default-domain", "default-role", "highlight", "index", "module", "tabularcolumns", "toctree"),
    *("autoclass", "autodata", "autoexception", "autofunction", "automethod", "automodule", "autosummary"),
})


def prepare(content: str) -> None:
    """docutils takes every directive and role of the text from now on: those it did not know give their text."""
    from docutils.parsers.rst import directives, roles
    from docutils.parsers.rst.languages import en

    # Both tables are docutils' own; there is no public way to ask what is built in. What a text before this one has
    # registered is not asked for, and its default role is forgotten: every text reads the same after any other.
    known = {*directives._directive_registry, *en.directives}
    for name in {name.lower() for name in _DIRECTIVE.findall(content)} - known:
        directives.register_directive(name, _directive(has_text=name not in _WITHOUT_TEXT))
    roles._roles.pop("", None)
    known = {*roles._role_registry, *en.roles}
    for name in {name.lower() for name in _ROLE.findall(content)} - known:
        roles.register_local_role(name, _role)


class _AnyOption(dict[str, Any]):
    """Takes every option that a directive may have."""

    def __missing__(self, name: str) -> Any:
        return str

    def __bool__(self) -> bool:
        return True


def _directive(*, has_text: bool) -> Any:
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Unknown(Directive):  # type: ignore[misc]  # docutils carries no types
        """A directive whose argument and content are text, or that has none to show."""

        has_content = True
        optional_arguments = 1
        final_argument_whitespace = True
        option_spec = _AnyOption()

        def run(self) -> list[Any]:
            if not has_text:
                return [nodes.comment("", self.block_text)]
            shown = nodes.container()
            if self.arguments:
                inline, messages = self.state.inline_text(self.arguments[0], self.lineno)
                shown += [nodes.paragraph("", "", *inline), *messages]
            self.state.nested_parse(self.content, self.content_offset, shown)
            return [shown]

    return Unknown


def _role(name: str, rawtext: str, text: str, *_: Any, **__: Any) -> tuple[list[Any], list[Any]]:
    """The role's text, without its target."""
    from docutils import nodes, utils

    said = utils.unescape(text)
    titled = _TARGET.match(said)
    return [nodes.inline(rawtext, (titled[1] if titled else said).lstrip("~!"))], []
