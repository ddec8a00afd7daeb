"""What a page says."""

import undust

PAGE = "<title>A page</title><link rel=canonical href=/a><p>Größe one two three</p><script>no</script>"


def test_the_text_decides_and_nothing_else() -> None:
    plain = undust.simhash("größe ONE two three")
    assert plain == undust.simhash(PAGE) == undust.simhash(PAGE.encode())
    assert plain == undust.simhash(PAGE.encode("latin-1"), "text/html; charset=latin-1")
    assert plain == undust.simhash("<meta charset=latin-1>" + PAGE)
    assert plain is not None and len(plain) == 16
    assert undust.simhash("") is None and undust.simhash(b"\0") is None


def test_a_row_of_a_manifest() -> None:
    row = undust.page("http://a.test/x#part", PAGE.encode(), "text/html")
    assert row is not None
    assert (row["url"], row["status"], row["title"]) == ("http://a.test/x", 200, "A page")
    assert (row["canonical"], row["words"]) == ("http://a.test/a", 4)
    assert row["simhash"] == undust.simhash(PAGE)
    other = undust.page("http://a.test/y", PAGE.replace("three", "4").encode(), "text/html")
    again = undust.page("http://a.test/z", PAGE.replace("three", "500").encode(), "text/html")
    assert other is not None and again is not None
    assert row["text_hash"] != other["text_hash"] == again["text_hash"]
    assert undust.page("http://a.test/x", b"%PDF", "application/pdf") is None


def test_large_and_odd_pages() -> None:
    assert undust.simhash(b"\xff\xfe" + b"word " * 2_000_000)
    assert undust.simhash("<p " * 100_000) is None
