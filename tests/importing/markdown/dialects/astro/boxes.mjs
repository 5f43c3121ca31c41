// Shows the kind of a box above it where it has no title, as themes do.
export function boxes() {
  return (tree) => {
    for (const node of tree.children) {
      if (node.type === 'containerDirective') {
        const label = node.children[0]?.data?.directiveLabel ? node.children.shift() : undefined;
        const kind = node.name[0].toUpperCase() + node.name.slice(1);
        const title = label ? label.children : [{ type: 'text', value: kind }];
        node.children.unshift({ type: 'paragraph', children: title });
      }
    }
  };
}
