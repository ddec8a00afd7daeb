"""Many URLs at once as a column of another library."""

from collections.abc import Callable
from typing import Any

import numpy
import pandas
import pyarrow
import pytest

from undust import Forms, Models
from undust._undust import SitePages

from conftest import FORM, LOGIN

OTHER = "http://elsewhere.test/é"
TYPES = [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()]


class Lent:
    """What lends an array and is of no known library."""

    def __init__(self, lend: Callable[[], Any]) -> None:
        self.lend = lend

    def __arrow_c_array__(self) -> Any:
        return self.lend()


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_an_arrow_array_is_answered_with_one_of_its_type(models: Models, kind: Any) -> None:
    urls = [LOGIN, None, OTHER, "", "no URL"] * 500
    forms = models.canonicalize_many(pyarrow.array(urls, kind))
    forms.validate(full=True)
    assert isinstance(forms, pyarrow.Array) and forms.type == kind
    assert forms.to_pylist() == [FORM, None, OTHER, "", "no URL"] * 500


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_a_slice_is_read_from_its_offset(models: Models, kind: Any) -> None:
    array = pyarrow.array([None, OTHER, LOGIN, None, FORM, LOGIN], kind)
    assert models.canonicalize_many(array[1:5]).to_pylist() == [OTHER, FORM, None, FORM]
    assert models.canonicalize_many(array[2:2]).to_pylist() == []


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_what_is_empty_stays_empty(models: Models, kind: Any) -> None:
    empty = models.canonicalize_many(pyarrow.array([], kind))
    assert (empty.type, len(empty)) == (kind, 0)
    gaps = models.canonicalize_many(pyarrow.array([None, None], kind))
    assert (gaps.type, gaps.null_count) == (kind, 2)
    chunks = models.canonicalize_many(pyarrow.chunked_array([], kind))
    assert (chunks.type, chunks.num_chunks) == (kind, 0)


def test_nulls_without_a_type_come_back(models: Models) -> None:
    for urls in ([], [None, None]):
        assert models.canonicalize_many(pyarrow.array(urls)).to_pylist() == urls


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_chunks_stay_chunks(models: Models, kind: Any) -> None:
    chunks = [[LOGIN, None], [], [OTHER] * 600, [FORM, LOGIN]]
    forms = models.canonicalize_many(pyarrow.chunked_array(chunks, kind))
    forms.validate(full=True)
    assert isinstance(forms, pyarrow.ChunkedArray) and forms.type == kind
    assert [chunk.to_pylist() for chunk in forms.chunks] == [
        [FORM, None],
        [],
        [OTHER] * 600,
        [FORM, FORM],
    ]


def test_a_column_of_a_table_is_one(models: Models) -> None:
    table = pyarrow.table({"url": [LOGIN, OTHER], "n": [1, 2]})
    assert models.canonicalize_many(table["url"]).to_pylist() == [FORM, OTHER]
    for whole in (table, table.to_batches()[0], table.to_reader()):
        with pytest.raises(TypeError, match="this is a table: pass its column of URLs"):
            models.canonicalize_many(whole)


def test_an_array_of_another_type_is_refused(models: Models) -> None:
    urls = pyarrow.array([LOGIN])
    for array in (
        pyarrow.array([1, 2]),
        pyarrow.chunked_array([[1], [2]]),
        urls.cast(pyarrow.binary()),
        urls.dictionary_encode(),
        pyarrow.array([[LOGIN]]),
    ):
        with pytest.raises(TypeError, match="does not hold URLs: cast it to string"):
            models.canonicalize_many(array)


@pytest.mark.parametrize("kind", TYPES[:2], ids=str)
def test_a_broken_array_is_refused(models: Models, kind: Any) -> None:
    no_text = pyarrow.array([b"http://a.test/\xff"], str(kind).replace("string", "binary"))
    no_text = pyarrow.Array.from_buffers(kind, 1, no_text.buffers())
    with pytest.raises(ValueError, match="the Arrow array is invalid: .*UTF"):
        models.canonicalize_many(no_text)
    with pytest.raises(ValueError, match="the Arrow array is invalid: .*UTF"):
        models.canonicalize_many(pyarrow.chunked_array([no_text]))
    offsets = pyarrow.array([0, 9, 4], pyarrow.int32() if kind == TYPES[0] else pyarrow.int64())
    buffers = [None, offsets.buffers()[1], pyarrow.py_buffer(b"http")]
    with pytest.raises(ValueError, match="the Arrow array is invalid"):
        models.canonicalize_many(pyarrow.Array.from_buffers(kind, 2, buffers))


def test_what_breaks_the_interface_is_an_exception(models: Models) -> None:
    array = pyarrow.array([LOGIN])
    schema, data = array.__arrow_c_array__()
    with pytest.raises(ValueError, match="incorrect name"):
        models.canonicalize_many(Lent(lambda: (data, schema)))
    for lent in (None, (schema,), (1, 2), [schema, data]):
        with pytest.raises((TypeError, ValueError)):
            models.canonicalize_many(Lent(lambda lent=lent: lent))  # type: ignore[misc]
    models.canonicalize_many(Lent(lambda: (schema, data)))
    with pytest.raises(ValueError, match="already handed over"):
        models.canonicalize_many(Lent(lambda: (schema, data)))
    with pytest.raises(ZeroDivisionError):
        models.canonicalize_many(Lent(lambda: 1 / 0))


def test_whatever_lends_arrow_gets_what_arrow_libraries_take(models: Models) -> None:
    array = pyarrow.array([LOGIN, None, OTHER])
    forms = models.canonicalize_many(Lent(array.__arrow_c_array__))
    assert isinstance(forms, Forms) and len(forms) == 3
    for _ in range(2):
        assert pyarrow.array(forms).to_pylist() == [FORM, None, OTHER]
    assert models.canonicalize_many(forms).__arrow_c_schema__()
    assert repr(forms) == "<Forms of 3 URLs>"


def test_forms_outlive_what_they_are_of(models: Models) -> None:
    forms = models.canonicalize_many(pyarrow.array([OTHER * 1000] * 1000))
    assert set(forms.to_pylist()) == {OTHER * 1000}


def test_polars(models: Models) -> None:
    polars = pytest.importorskip("polars")  # which has no wheel for every machine
    series = polars.Series("url", [LOGIN, None, OTHER] * 400)
    forms = models.canonicalize_many(series)
    expected = polars.Series("url", [FORM, None, OTHER] * 400)
    assert forms.equals(expected, check_names=True, check_dtypes=True)
    both = polars.concat([series, series[1:2]], rechunk=False)
    assert models.canonicalize_many(both).to_list() == [*expected.to_list(), None]
    assert models.canonicalize_many(series[:0]).to_list() == []
    with pytest.raises(TypeError, match="does not hold URLs"):
        models.canonicalize_many(polars.Series([1]))


def test_numpy_and_pandas_are_lists_of_strings(models: Models) -> None:
    urls, forms = [LOGIN, OTHER], [FORM, OTHER]
    objects = numpy.array(urls, dtype=object)
    for given in (objects, numpy.array(urls), numpy.array(urls, dtype="T"), pandas.Series(urls)):
        assert models.canonicalize_many(given) == forms
    assert models.canonicalize_many(objects)[1] is objects[1]
    for no_text in (numpy.array([1]), numpy.array([b"http://a.test/"])):
        with pytest.raises(TypeError):
            models.canonicalize_many(no_text)


@pytest.mark.parametrize("column", ["simhash", "text_hash"])
def test_a_broken_hash_is_a_bad_row(column: str) -> None:
    """Without it the page would be compared by less than the others. An empty cell is none."""
    hashes = ["62c4e7ab77724639", "", None, "62c4e7ab7772463", "+2c4e7ab77724639"]
    urls = [f"http://a.test/{number}" for number in range(len(hashes))]
    rows = {"url": urls, "status": [200] * len(urls), "digest": urls, column: hashes}
    pages = SitePages("a.test")
    pages.push(pyarrow.record_batch(rows))
    assert (pages.bad_rows, len(pages.clusters())) == (2, 3)
