"""A table of what methods save: python3 benches/results.py results.jsonl > table.md

`results.jsonl` is what `undust evaluate CRAWL... --json results.jsonl` writes: a line for each crawl. The
table has a row for each: F1 of each method, behind a stroke the clusters that it lost, and the 95 %
interval of `auto`'s F1. Rows come in groups if their names are told, a group for each further
argument: `'the first five=wiki,cs,hgweb'`. Each group ends with its means and sums.
"""
import json
import os
import sys
from collections import Counter


def share(value):
    return f"{value:.3f}".removeprefix("0")


def cell(f1, lost):
    return share(f1) + (f" / {lost}" if lost else "")


def name_of(crawl, sites):
    name = os.path.basename(crawl["crawl"]).split(".")[0]
    return name if sites[crawl["crawl"]] == 1 else f"{name}: {crawl['site']}"


lines = [json.loads(line) for line in open(sys.argv[1])]
sites = Counter(crawl["crawl"] for crawl in lines)
crawls = {name_of(crawl, sites): crawl for crawl in lines}
groups = [argument.split("=") for argument in sys.argv[2:]] or [("all", ",".join(crawls))]
methods = list(dict.fromkeys(m["name"] for crawl in crawls.values() for m in crawl["methods"]))
methods.sort(key=lambda name: name == "auto")


def row(name, cells, *rest):
    print("|", " | ".join([name, *cells, *rest]), "|")


def summed(name, names):
    results = [{m["name"]: m for m in crawls[name]["methods"]} for name in names]
    cells = []
    for method in methods:
        of_method = [crawl[method] for crawl in results if method in crawl]
        mean = sum(m["f1"] for m in of_method) / max(1, len(of_method))
        cells.append(cell(mean, sum(m["lost"] for m in of_method)) if len(of_method) == len(names) else "")
    clusters = sum(crawls[name]["test_clusters"] for name in names)
    row(f"**{name}**", [f"**{text}**" if text else "" for text in cells], "", f"{clusters:,}")


row("crawl", methods, "its interval", "clusters")
row("---", ["---"] * len(methods), "---", "---")
for title, names in groups:
    names = names.split(",")
    for name in names:
        by_name = {m["name"]: m for m in crawls[name]["methods"]}
        cells = [cell(by_name[m]["f1"], by_name[m]["lost"]) if m in by_name else "" for m in methods]
        bounds = by_name["auto"]["intervals"]["f1"] if "auto" in by_name else []
        row(f"`{name}`", cells, "–".join(map(share, bounds)), f"{crawls[name]['test_clusters']:,}")
    summed(title, names)
if len(groups) > 1:
    summed("all", [name for _, names in groups for name in names.split(",")])
