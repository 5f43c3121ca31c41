"""Copies of parts of a page."""

from blog_engine.surface_report.html import HtmlPage


def test_a_copy_lacks_only_what_is_unwanted() -> None:
    root = HtmlPage("<div>a<p>b<i>c</i></p>d<i>e</i></div>")
    whole, unwanted = next(root.all("div")), next(root.all("i"))

    copy = whole.copy_without(lambda one: one is unwanted)

    assert (copy.text(), [one.name for one in copy.all()]) == ("a b de", ["p", "i"])
    assert [one.parent.name for one in copy.all() if one.parent] == ["div", "div"]
    assert (whole.text(), copy.parent) == ("a bc de", None)
