"""Words to fill a site with: what Python's standard library says of itself.

Real prose of known origin that every machine with Python 3.11 has, so that a site is made
again with the same texts. `articles()` gives (module, name, paragraphs); `Writer` writes posts
and descriptions out of their sentences, the same ones for the same seed.
"""

import importlib
import inspect
import random
import re
import warnings

MODULES = """argparse ast asyncio base64 bisect calendar cmd code codecs collections concurrent.futures
    configparser contextlib copy csv ctypes curses.ascii dataclasses datetime decimal difflib dis doctest
    email.message email.policy enum fileinput fnmatch fractions ftplib functools gettext glob
    graphlib gzip hashlib heapq hmac html.parser http.client http.cookies http.server imaplib
    importlib.abc inspect io ipaddress itertools json locale logging lzma mailbox mimetypes
    multiprocessing.pool netrc numbers operator optparse os os.path pathlib pickle pkgutil platform plistlib
    poplib pprint queue random re sched secrets selectors shelve shlex shutil smtplib socket
    socketserver sqlite3 ssl statistics string struct subprocess symtable tarfile tempfile textwrap
    threading timeit tokenize traceback turtle types typing unittest unittest.mock urllib.parse
    urllib.request urllib.robotparser uuid warnings wave weakref xml.dom.minidom xml.sax.handler
    xmlrpc.client zipapp zipfile zoneinfo""".split()


def paragraphs(text):
    """The prose of a docstring: no examples, no indented blocks."""
    text = inspect.cleandoc(text) if isinstance(text, str) else ""
    for part in re.split(r"\n\s*\n", text):
        if ">>>" in part or part.startswith((" ", "-", "*", "|")):
            continue
        part = re.sub(r"[^ -~]", "", re.sub(r"\s+", " ", part)).strip()
        if len(part.split()) >= 6:
            yield part


def articles():
    """(module, name, paragraphs) of every module, class and function with something to say."""
    warnings.simplefilter("ignore")
    seen = set()
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        yield module_name, module_name, list(paragraphs(module.__doc__)) or [module_name]
        for name, thing in sorted(vars(module).items()):
            if name.startswith("_") or not (inspect.isclass(thing) or inspect.isroutine(thing)):
                continue
            text = list(paragraphs(getattr(thing, "__doc__", None)))
            if text and text[0] not in seen:
                seen.add(text[0])
                yield module_name, name, text


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sentences = sorted({
            sentence.strip()
            for _, _, text in articles() for part in text
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", part)
            if 5 <= len(sentence.split()) <= 30 and sentence[0].isupper()
        })

    def text(self, low, high):
        """Some paragraphs of low to high sentences in all."""
        count = self.random.randint(low, high)
        chosen = self.random.sample(self.sentences, count)
        return [" ".join(chosen[at:at + 4]) for at in range(0, count, 4)]

    def heading(self, low=3, high=7):
        """The first words of a sentence, as people write subjects."""
        words = self.random.choice(self.sentences).rstrip(".:").split()
        return " ".join(words[:self.random.randint(low, high)]).rstrip(",.;:")
