"""The Markdown plugins of a host, tried on a sample."""

from typing import Final

from blog_engine.content._markdown import try_plugin
from blog_engine.content.options import MarkdownPlugin

SAMPLE: Final = """# A *title* and `code`

Text with **strong**, ~~gone~~ and ==marked== words, a [link](/a "title"), <https://blog.example/>,
![a picture](/b.png), a hard  
break, a formula $x^2$, <kbd>Esc</kbd>, 10 % and a note[^1].

> A quote
> - with a list
>   1. and a number
> - [x] done

| A | B |
| - | -: |
| 1 | 2 |

```python title="a.py" {1}
print("a")
```

    indented

$$
\\frac{1}{2}
$$

Term
: Definition

<details>
<summary>More</summary>

Hidden

</details>

---

::: name
A container
:::

[^1]: The note.
"""


def failure_of(plugin: MarkdownPlugin) -> Exception | None:
    """Return what a plugin raises when a body is parsed and rendered with it, or ``None``."""
    try:
        try_plugin(plugin, SAMPLE)
    except Exception as failure:
        # A plugin can raise anything.
        return failure
    return None
