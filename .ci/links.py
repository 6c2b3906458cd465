#!/usr/bin/env python3
"""links.py FOLDER - every link of the HTML pages in FOLDER leads somewhere: to a file that
is there, and to an id that is in it. Links to other machines are not followed, but a page
may load nothing from them. Exit status 1 and a line for each that does not."""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The ids of a page, its links, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        with open(path, encoding="utf-8") as text:
            self.feed(text.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.update(filter(None, (attrs.get("id"), attrs.get("name"))))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        for name in ("src", "href" if tag == "link" else "src"):
            if attrs.get(name) and attrs.get("rel") != "canonical":
                self.loads.append(attrs[name])


def broken(pages, folder):
    """(page, link, why) of each link that leads nowhere."""
    for path, page in pages.items():
        for link in page.links + page.loads:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loads and url.scheme != "data":
                    yield path, link, "loaded from another machine"
                continue
            base = folder if url.path.startswith("/") else os.path.dirname(path)
            target = os.path.normpath(os.path.join(base, urllib.parse.unquote(url.path).lstrip("/")))
            target = path if not url.path else target
            if os.path.isdir(target):
                target = os.path.join(target, "index.html")
            if not os.path.isfile(target):
                yield path, link, "no such page"
            elif url.fragment and target in pages and url.fragment not in pages[target].ids:
                yield path, link, "no such heading"


def main():
    folder = sys.argv[1]
    pages = {path: Page(path) for top, _, files in os.walk(folder)
             for path in (os.path.normpath(os.path.join(top, f)) for f in files)
             if path.endswith(".html") and os.path.basename(path) != "404.html"}
    if not pages:
        sys.exit(f"links.py: {folder}: no pages")
    found = sorted(set(broken(pages, folder)))
    for path, link, why in found:
        print(f"{os.path.relpath(path, folder)}: {link}: {why}", file=sys.stderr)
    sys.exit(1 if found else 0)


main()
