#!/bin/bash
# SPDX-License-Identifier: MIT
# scripts/demo: pictures of both families, one that moves, and a page that shows them all with the job and the
# command of each, without the network, and a report of a frame of each. The command of the page draws the same picture again.
set -u
dir=out/check/demo.d
rm -rf $dir
scripts/demo --out $dir || exit 1
python3 - $dir <<'END' || exit 1
import html.parser, struct, sys
from pathlib import Path

folder = Path(sys.argv[1])
text = (folder / "index.html").read_text()

class Page(html.parser.HTMLParser):
    reports = []
    pictures, commands, jobs, open, inside = [], [], [], [], None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in ("meta", "img"):
            self.open.append(tag)
        if tag == "a" and attributes.get("class") == "report":
            self.reports.append(attributes["href"])
        if tag == "img":
            self.pictures.append(attributes["src"])
        if tag == "pre":
            self.inside = self.commands if attributes.get("class") == "command" else self.jobs
            self.inside.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
        self.inside = None if tag == "pre" else self.inside

    def handle_data(self, data):
        if self.inside is not None:
            self.inside[-1] += data

page = Page()
page.feed(text)
assert not page.open, page.open
assert "http" not in text, "the page names the network"
assert len(page.pictures) >= 15 and len(page.commands) == len(page.pictures), page.pictures
assert sum(j.startswith("# SPDX") for j in page.jobs) == len(page.pictures), "a picture without its job"
assert {p.name for p in folder.glob("*.png")} == set(page.pictures), "pictures on the page, and in the folder"
assert any(b"acTL" in (folder / p).read_bytes()[:100] for p in page.pictures), "nothing moves"
for name in page.pictures:
    assert min(struct.unpack(">II", (folder / name).read_bytes()[16:24])) >= 64, name
assert len(page.reports) == 2 and all("draw 1 of submit 0" in (folder / r).read_text() for r in page.reports), page.reports
for name in page.reports:
    line = f"build/limn report {folder / name.replace('.html', '.limncap')} -o {folder / name}"
    assert f"<code>{line}</code> made the page" in text, line
assert any("mali" in c for c in page.commands) and any("imx" in c for c in page.commands), "one family"
(folder / "again").write_text(next(c for c in page.commands if c.endswith("/triangle.png")))
END
cp $dir/triangle.png $dir/first
sh $dir/again && cmp $dir/triangle.png $dir/first
