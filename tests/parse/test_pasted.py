import pytest

from tailgate.models import Kind

PYTHON = """\
import kettle

# Boil the water
pot = kettle.Pot(litres=2)

def boil(pot):
    for second in range(90):
        pot.heat()

    return pot

print(boil(pot))"""
SHELL = """\
curl https://api.example.com/v1/pots \\
     --header "x-api-key: $KEY" \\
     --data '{
    "litres": 2
}'"""
OBJECT = '{\n  "name": "kettle",\n  "litres": 2,\n  "parts": [\n    "lid",\n    "spout"\n  ]\n}'
FLAT = (
    'pots = [ { "name" : "small" , "litres" : 1 } , { "name" : "large" , "litres" : 3 } ] '
    "for pot in pots : print ( pot [ 'name' ] ) # done"
)


@pytest.mark.parametrize("name", ["a.md", "a.txt"])
@pytest.mark.parametrize(
    ("code", "kind"), [(PYTHON, Kind.CODE), (SHELL, Kind.CODE), (OBJECT, Kind.JSON), (FLAT, Kind.CODE)]
)
def test_code_without_a_fence_is_one_element(parsed, outline, name, code, kind):
    content = f"Use it like this:\n{code}\nThat is all there is to it.\n\nNext paragraph."
    assert outline(parsed(name, content)) == [
        (Kind.PROSE, "Use it like this:"),
        (kind, code),
        (Kind.PROSE, "That is all there is to it."),
        (Kind.PROSE, "Next paragraph."),
    ]


def test_paragraphs_of_code_in_html_are_one_element(parsed, outline):
    lines = ["import kettle", "pot = kettle.Pot(litres=2)", "pot.boil()"]
    page = "<p>Use it so.</p>" + "".join(f"<p>{line}</p>" for line in lines) + "<p>Done.</p>"
    assert outline(parsed("a.html", page)) == [
        (Kind.PROSE, "Use it so."),
        (Kind.CODE, "\n".join(lines)),
        (Kind.PROSE, "Done."),
    ]


def test_a_comment_in_pasted_code_is_no_heading_and_a_heading_stays_one(parsed):
    document = parsed("a.md", f"# Kettles\n\nText.\n\n{PYTHON}\n\n## Lids\n\nMore.")
    assert [element.level for element in document.elements if element.level] == [1, 2]


def test_what_lies_in_fences_comments_and_raw_html_is_left_alone(parsed, outline):
    code = "x = f(1)\ny = g(2)\nz = h(3)"
    indented = code.replace("\n", "\n  ")
    assert outline(parsed("a.md", f"- item\n\n  ~~~\n  {indented}\n  ~~~\n\n<!--\n{code}\n-->\n\nEnd.")) == [
        (Kind.LIST_ITEM, "item"),
        (Kind.CODE, code),
        (Kind.PROSE, "End."),
    ]
    assert parsed("a.md", f"<script>\n{code}\n</script>\n\nEnd.").text == "End."


def test_code_that_holds_fences_of_backticks_is_kept_whole(parsed, outline):
    code = 'a = "```"\nb = f(a)\nc = g(b)'
    assert outline(parsed("a.md", f"Text.\n\n{code}\n\nText.")) == [
        (Kind.PROSE, "Text."),
        (Kind.CODE, code),
        (Kind.PROSE, "Text."),
    ]


def test_fenced_json_is_json(parsed, outline):
    assert outline(parsed("a.md", f"```json\n{OBJECT}\n```")) == [(Kind.JSON, OBJECT)]


@pytest.mark.parametrize(
    "content",
    [
        "(a) are part of the public domain;\n\n(b) are not acquired from the party;\n\n(c) are disclosed by law;",
        "a form of [***] where [***] within a [***] has (and [***]) been [***] given to ( [***] ) by [***] or [***].",
        "STATE OF X )\n              )  ss.\nCOUNTY OF Y )",
        "For example:\nif you ask (politely), we answer:\nwhile you wait, we boil.",
        "From the start the party(ies)\nagree to import duties\nand to return goods.",
        "Dear Ann;\nthank you for the kettle;\nit boils.",
        "@ann\n@bob\n@eve",
        "x is 5.\n\nTotal = sum of all parts.\n\nSee below.",
    ],
)
@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_prose_contracts_and_lists_are_no_code(parsed, name, content):
    assert Kind.CODE not in {element.kind for element in parsed(name, content).elements}
