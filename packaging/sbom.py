"""Keeps of an SBOM the crates that `cargo tree` lists: python3 sbom.py SBOM <TREE >KEPT"""

import json
import sys


def main(path: str) -> None:
    listed = {tuple(line.split()[:2]) for line in sys.stdin if line.strip()}
    with open(path, encoding="utf-8") as file:
        sbom = json.load(file)
    root = sbom["metadata"]["component"]

    def is_listed(component: dict) -> bool:
        return (component["name"], f"v{component['version']}") in listed

    sbom["components"] = [one for one in sbom["components"] if is_listed(one)]
    found = {(one["name"], f"v{one['version']}") for one in [root, *sbom["components"]]}
    if missing := sorted(listed - found):
        sys.exit(f"the SBOM lacks {', '.join(' '.join(one) for one in missing)}")
    # References to crates of the workspace hold paths of the machine.
    refs = {}
    for one in [root, *sbom["components"]]:
        refs[one["bom-ref"]] = purl = one["purl"].partition("?")[0]
        one["bom-ref"] = one["purl"] = purl
    root.pop("components", None)
    sbom["dependencies"] = [
        {"ref": refs[one["ref"]], "dependsOn": [refs[to] for to in one.get("dependsOn", []) if to in refs]}
        for one in sbom["dependencies"]
        if one["ref"] in refs
    ]
    json.dump(sbom, sys.stdout, indent=1)
    print()


main(sys.argv[1])
