"""Asking a folder of models."""

import inspect
import pickle
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import undust
from undust import Models
from undust._undust import PackWriter

from conftest import FORM, LOGIN, SAMPLE


def test_a_url_gets_its_form(models: Models) -> None:
    assert models.canonicalize(LOGIN) == FORM
    assert models.canonicalize(FORM) == FORM


def test_what_is_not_changed_is_the_same_object(models: Models) -> None:
    for url in ("http://elsewhere.test/a?b", "no URL", "", "http://wiki.example.test/\0é"):
        assert models.canonicalize(url) is url


def test_many_at_once_in_their_order(models: Models) -> None:
    urls = [LOGIN if n % 3 else f"http://elsewhere.test/{n}" for n in range(5000)]
    assert models.canonicalize_many(urls) == [models.canonicalize(url) for url in urls]
    assert models.canonicalize_many(iter(urls[:3])) == [urls[0], FORM, FORM]
    assert models.canonicalize_many([]) == []
    with pytest.raises(TypeError):
        models.canonicalize_many([b"http://a.test/"])  # type: ignore[list-item]


def test_one_url_is_no_list_of_its_letters(models: Models) -> None:
    with pytest.raises(TypeError, match="urls is one str: pass a list of them"):
        models.canonicalize_many(LOGIN)


def test_the_sites_of_a_folder_and_of_a_pack_are_listed(tmp_path: Path) -> None:
    names = ["a.example.test", "b.example.test"]
    pack = PackWriter(tmp_path / "models.undust")
    for name in names:
        folder = tmp_path / "models" / name
        shutil.copytree(SAMPLE / "wiki.example.test", folder)
        pack.add(name, "host", {file.name: file.read_bytes() for file in folder.iterdir()})
    pack.finish()
    assert Models(tmp_path / "models").sites() == names
    assert Models(tmp_path / "models.undust").sites() == names


def test_whatever_is_public_says_what_it_does() -> None:
    public = [getattr(undust, name) for name in undust.__all__]
    classes = [one for one in public if inspect.isclass(one)]
    functions = [one for one in public if inspect.isroutine(one)]
    members = [one for made in classes for name, one in vars(made).items() if name[0] != "_"]
    assert len(classes) > 10 and len(functions) == 3 and len(members) > 50
    assert [one for one in [*classes, *functions, *members] if not one.__doc__] == []


def test_text_that_is_no_unicode_is_refused_and_nothing_else_happens(models: Models) -> None:
    with pytest.raises(UnicodeEncodeError):
        models.canonicalize("http://wiki.example.test/\ud800")


def test_how_and_why(models: Models) -> None:
    changed = models.translation(LOGIN)
    assert (changed.canonical, changed.changed, changed.reason) == (FORM, True, None)
    assert changed.cause
    unknown = models.translation("http://elsewhere.test/")
    assert (unknown.changed, unknown.how, unknown.reason) == (False, "unchanged", "no model")
    answer = models.ask(LOGIN)
    assert (answer.form, answer.reason) == (FORM, None)
    assert repr(answer) == f"<Answer {FORM}>"
    unchanged = models.ask("http://elsewhere.test/")
    assert (unchanged.form, unchanged.reason) == (None, "no model")
    assert repr(unchanged) == "<Answer unchanged: no model>"
    assert answer == models.ask(LOGIN) != unchanged
    assert models.explain(LOGIN)["canonical"] == FORM
    assert models.explain("x")["reason"] == "not a URL"
    assert "steps" in models.explain(LOGIN)


def test_a_missing_folder_is_an_exception_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(undust.ModelError, match=r"no such folder: undust\.train makes one"):
        Models(tmp_path / "none")
    with pytest.raises(undust.Error, match="has no model"):
        Models(str(tmp_path))
    with pytest.raises(undust.SettingsError, match="from 0 to 1"):
        Models(SAMPLE, min_confidence=2)


def test_a_broken_model_changes_nothing(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE / "wiki.example.test", tmp_path / "wiki.example.test")
    (tmp_path / "wiki.example.test" / "model.json").write_text("{")
    models = Models(tmp_path)
    assert models.canonicalize(LOGIN) is LOGIN
    assert models.translation(LOGIN).reason == "broken model"
    assert "model.json" in models.explain(LOGIN)["error"]


def test_a_replaced_model_is_served_within_a_second(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE / "wiki.example.test", tmp_path / "wiki.example.test")
    models = Models(tmp_path)
    assert models.canonicalize(LOGIN) == FORM
    shutil.rmtree(tmp_path / "wiki.example.test")
    time.sleep(1.1)
    assert models.canonicalize(LOGIN) is LOGIN


def test_little_confidence_keeps_the_url() -> None:
    sure = Models(SAMPLE, min_confidence=1.0)
    assert sure.canonicalize(LOGIN) in (LOGIN, FORM)
    assert sure.canonicalize(LOGIN) == sure.translation(LOGIN).canonical


def test_threads_share_a_registry(models: Models) -> None:
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(models.canonicalize, [LOGIN] * 2000)) == {FORM}


def test_other_processes_get_their_own(models: Models) -> None:
    assert pickle.loads(pickle.dumps(models)).canonicalize(LOGIN) == FORM


def test_a_share_is_fetched_all_the_same(models: Models) -> None:
    exploring = Models(SAMPLE, exploration=1.0)
    assert exploring.canonicalize(LOGIN) is LOGIN
    assert exploring.canonicalize_many([LOGIN, FORM]) == [LOGIN, FORM]
    assert exploring.ask(LOGIN).reason == "explored"
    found = exploring.translation(LOGIN)
    assert (found.canonical, found.changed, found.explored) == (LOGIN, False, FORM)
    assert found.cause == models.translation(LOGIN).cause
    assert models.translation(LOGIN).explored is None
    assert pickle.loads(pickle.dumps(exploring)).canonicalize(LOGIN) == LOGIN
    urls = [f"{LOGIN}{n}" for n in range(3000)]
    drawn = Models(SAMPLE, exploration=0.1)
    assert 200 < sum(drawn.canonicalize(url) == url for url in urls) < 400
    with pytest.raises(undust.SettingsError, match="exploration is 2"):
        Models(SAMPLE, exploration=2)


def test_what_fails_is_switched_off_within_a_second(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE / "wiki.example.test", tmp_path / "wiki.example.test")
    models = Models(tmp_path)
    observed = models.observe(LOGIN, FORM, True)
    assert (observed.counted, observed.conflicts, observed.passed_over) == (1, 0, 0)
    assert repr(observed) == "<Observed 1 counted, 0 conflicts, 0 passed over>"
    assert models.observe("http://elsewhere.test/a", FORM, False).without_model == 1
    observed = models.observe_many([(f"{LOGIN}{n}", FORM, False) for n in range(9)])
    (failed, *_) = observed.operations
    assert (failed.site, failed.status) == ("wiki.example.test", "off")
    assert failed.disagreed >= 1 and failed.operation in repr(failed)
    time.sleep(1.1)
    assert models.canonicalize(LOGIN) != FORM
    assert models.explain(LOGIN)["switched_off"]


def test_nothing_is_kept_of_an_answer(models: Models) -> None:
    url = LOGIN + "&x=1"
    before = sys.getrefcount(url)
    for _ in range(100):
        models.canonicalize_many([url])
    assert sys.getrefcount(url) == before
