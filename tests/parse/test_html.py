from tailgate.models import Kind

PAGE = """<!DOCTYPE html>
<html lang="de-CH"><head><title>Tab</title><style>p {color: red}</style></head>
<body>
<nav><a href="/">Home</a> <a href="/b">Prices</a></nav>
<h1>Guide <a class="headerlink" href="#g">¶</a></h1>
<p>First <b>bold</b>move.<br>Next line.</p>
<script>var hidden = 1;</script><div hidden>Not shown.</div><div style="display: none">Nor this.</div>
<figure><img src="a.png" alt="A kettle"><figcaption>Figure 1: a kettle</figcaption></figure>
<ol start="3"><li><p>Open it.</p><pre><div>line 1</div><div>  line 2</div></pre></li><li>Close it.</li></ol>
<table><caption>Prices</caption>
<thead><tr><th>Model</th><th>Price</th></tr></thead>
<tr><td rowspan="2">K1</td><td>1 <code>CHF</code>.</td></tr><tr><td>2</td></tr>
<tr><td colspan="2"><p>Both</p><p>are</p></td></tr><tr><td></td><td></td></tr>
</table>
<form><label>Your name</label></form>
<h4>Deep</h4>
<p class="h1">Looks Like A Title</p>
</body></html>"""


def test_everything_that_a_reader_sees_is_there_in_order(parsed, outline):
    assert outline(parsed("a.html", PAGE)) == [
        (Kind.HEADING, "Guide"),
        (Kind.PROSE, "First boldmove. Next line."),
        (Kind.PROSE, "A kettle"),
        (Kind.PROSE, "Figure 1: a kettle"),
        (Kind.LIST_ITEM, "3. Open it."),
        (Kind.CODE, "line 1\n  line 2"),
        (Kind.LIST_ITEM, "4. Close it."),
        (Kind.PROSE, "Prices"),
        (Kind.TABLE, "Model | Price\nK1 | 1 CHF.\nK1 | 2\nBoth are |"),
        (Kind.PROSE, "Your name"),
        (Kind.HEADING, "Deep"),
        (Kind.PROSE, "Looks Like A Title"),
    ]


def test_only_heading_tags_have_a_level(parsed):
    document = parsed("a.html", PAGE)
    assert [element.level for element in document.elements if element.level] == [1, 4]


def test_what_is_left_out_is_counted(parsed):
    assert parsed("a.html", PAGE).warnings == (
        f"left out: letters of navigation, forms and other parts around the text ({len('HomePrices')})",
    )


def test_the_language_is_the_stated_one(parsed):
    assert parsed("a.html", PAGE).language == "de"
    assert parsed("a.htm", "<p>これは日本語です。</p>").language == "ja"


def test_the_stated_charset_is_used(parsed):
    page = '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis"><p>これは日本語です。</p>'
    assert parsed("a.html", page.encode("shift_jis")).text == "これは日本語です。"


def test_a_table_of_th_rows_has_a_header_and_one_of_td_has_none(parsed):
    rows = "<tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr>"
    assert parsed("a.html", f"<table>{rows}</table>").elements[0].header_rows == 1
    assert parsed("a.html", f"<table>{rows.replace('th', 'td')}</table>").elements[0].header_rows == 0


def test_only_the_main_part_is_taken_and_the_rest_counted(parsed):
    document = parsed("a.html", "<body><p>Around</p><main><p>Within</p></main></body>")
    assert document.text == "Within"
    assert "(6)" in document.warnings[0]


def test_a_page_of_bare_text_is_read(parsed):
    assert parsed("a.html", "Just words, <i>no</i> tags").text == "Just words, no tags"


def test_text_called_latin_1_may_be_utf_8_or_windows_1252(parsed):
    page = '<meta charset="iso-8859-1"><p>It’s a café</p>'
    for encoding in ("utf-8", "cp1252"):
        document = parsed("a.html", page.encode(encoding))
        assert (document.text, document.warnings) == ("It’s a café", ())
