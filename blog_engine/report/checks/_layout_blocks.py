"""Which blocks of a layout its pages can fill."""

from collections.abc import Iterable, Iterator

from django.template import Context, Node, NodeList, Template
from django.template.base import FilterExpression, VariableNode
from django.template.loader_tags import BlockNode, ExtendsNode


def blocks_that_show(layout: Template) -> frozenset[str] | None:
    """The names of the blocks whose content appears when the layout is rendered.

    A block that a layout has, but the template that it extends has not, appears nowhere. ``None`` when a parent is
    named by a variable, so that only a request could tell. Raises ``TemplateDoesNotExist`` for a missing parent.
    """
    line = [layout]
    while extends := next(_extends_in(line[-1].nodelist), None):
        parent = _fixed_name(extends)
        if parent is None:
            return None
        # As Django does: a template may extend the next one of its own name.
        template, _ = layout.engine.find_template(parent, skip=[known.origin for known in line])
        line.append(template)
    versions: dict[str | None, list[BlockNode]] = {}
    for template in line:
        for block in _blocks_in(template.nodelist):
            versions.setdefault(block.name, []).append(block)
    return frozenset(_shown(line[-1].nodelist, versions))


def _shown(nodes: Iterable[Node], versions: dict[str | None, list[BlockNode]]) -> Iterator[str]:
    """The blocks met on the way, each by its version nearest to the layout, as Django renders them."""
    for block in _outermost_blocks(nodes):
        yield str(block.name)
        for version in versions[block.name]:
            yield from _shown(version.nodelist, versions)
            if not _calls_parent(version.nodelist):
                break


def _outermost_blocks(nodes: Iterable[Node]) -> Iterator[BlockNode]:
    for node in nodes:
        if isinstance(node, BlockNode):
            yield node
        else:
            for attribute in node.child_nodelists:
                yield from _outermost_blocks(getattr(node, attribute, None) or ())


def _fixed_name(extends: ExtendsNode) -> str | None:
    name = extends.parent_name
    if isinstance(name, FilterExpression) and isinstance(name.var, str):
        return str(name.resolve(Context()))
    return None


def _calls_parent(nodes: NodeList) -> bool:
    variables = (node for node in nodes.get_nodes_by_type(VariableNode) if isinstance(node, VariableNode))
    return any(str(node.filter_expression.var) == "block.super" for node in variables)


def _blocks_in(nodes: NodeList) -> Iterator[BlockNode]:
    return (node for node in nodes.get_nodes_by_type(BlockNode) if isinstance(node, BlockNode))


def _extends_in(nodes: NodeList) -> Iterator[ExtendsNode]:
    return (node for node in nodes.get_nodes_by_type(ExtendsNode) if isinstance(node, ExtendsNode))
