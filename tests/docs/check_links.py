#!/usr/bin/env python3
"""check_links.py SOURCE_DIR: every relative link in README.md and docs points to a file, and its #anchor to a heading;
every "ledger N" in the headers is an entry of docs/ledger.md."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
broken = []
checked = 0


def prose(page):
    """The text of a page, without its blocks of code."""
    return re.sub(r'^```.*?^```[^\n]*$', '', page.read_text(), flags=re.M | re.S)


def anchors_of(page):
    """GitHub's anchors of the headings: lower case, punctuation dropped, spaces to hyphens; and those written as HTML."""
    headings = re.findall(r'^#+ +(.*)$', prose(page), re.M)
    return {re.sub(r'[^a-z0-9 _-]', '', heading.lower()).replace(' ', '-') for heading in headings} | set(
        re.findall(r'<a (?:id|name)="([^"]+)"', page.read_text()))


for page in [source / 'README.md', *sorted((source / 'docs').glob('**/*.md'))]:
    name = page.relative_to(source)
    for link in re.findall(r'\]\(([^)]+)\)', prose(page)):
        if re.match(r'[a-z]+:', link):
            continue
        checked += 1
        target, _, anchor = link.partition('#')
        file = page.parent / target if target else page
        if not file.exists():
            broken.append(f'{name}: no {target}')
        elif anchor and anchor not in anchors_of(file):
            broken.append(f'{name}: no heading #{anchor} in {file.resolve().relative_to(source.resolve())}')

ledger = (source / 'docs/ledger.md').read_text()
entries = set()
for header in (source / 'include').glob('**/*.hpp'):
    for place in re.findall(r'[Ll]edger [0-9L][0-9.a-z]*(?:, [0-9]+\.[0-9a-z]+)*', header.read_text()):
        entries.update(re.findall(r'L[0-9]+|[0-9]+\.[0-9]+[a-z]?', place))
for entry in sorted(entries):
    checked += 1
    if not re.search(rf'^#+ {re.escape(entry)}([a-z .:]|$)', ledger, re.M):
        broken.append(f'headers speak of ledger {entry}, which docs/ledger.md lacks')

print(*broken, f'{checked} links and ledger entries checked, {len(broken)} broken', sep='\n')
sys.exit(1 if broken or checked == 0 else 0)
