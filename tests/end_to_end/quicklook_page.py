"""Reads a page that --quicklook wrote, as a program would: its pictures, its values, what it refers to."""
import os
import struct
from html.parser import HTMLParser


class PageReader(HTMLParser):
    """Void elements apart, every element that is opened has to be closed in its turn."""

    VOID = {"meta", "link", "img", "br"}

    def __init__(self, path):
        super().__init__()
        self.images, self.values, self.references, self.open = [], {}, [], []
        self.text = ""
        self.key = None
        with open(path, encoding="utf-8", errors="strict") as file:
            self.source = file.read()
        self.feed(self.source)
        self.close()
        assert not self.open, f"elements are left open: {self.open}"

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "img":
            self.images.append(attributes)
        if "data-key" in attributes:
            self.key = attributes["data-key"]
            self.values[self.key] = ""
        self.references += [attributes[name] for name in ("href", "src") if name in attributes]

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes what is not open"
        self.key = None

    def handle_data(self, data):
        self.text += data
        if self.key is not None:
            self.values[self.key] += data


def png_size(path):
    """Width and height; fails when the file is no complete PNG."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", path
    return struct.unpack(">II", data[16:24])


def assert_complete(test, folder):
    """The page refers to nothing but pictures beside it, and they have the sizes that it says. Gives the page."""
    page = PageReader(os.path.join(folder, "index.html"))
    for reference in page.references:
        if not reference.startswith("data:"):
            test.assertEqual(os.path.basename(reference), reference)
            test.assertTrue(os.path.isfile(os.path.join(folder, reference)), reference)
    for image in page.images:
        size = png_size(os.path.join(folder, image["src"]))
        test.assertEqual(size, (int(image["width"]), int(image["height"])), image["src"])
        test.assertTrue(300 <= size[0] <= 1500 and 200 <= size[1] <= 1500, size)
        test.assertTrue(image["alt"])
    for word in ("<script", "http:", "https:", "url(", "@import"):
        test.assertNotIn(word, page.source)
    return page
