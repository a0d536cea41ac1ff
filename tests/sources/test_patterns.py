import pytest

from tailgate.sources.patterns import matches, taken


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("a.txt", "**/*.txt", True),
        ("b/c/a.txt", "**/*.txt", True),
        ("a.md", "**/*.txt", False),
        ("a.txt", "*.txt", True),
        ("b/a.txt", "*.txt", False),
        ("b/a.txt", "./b/*", True),
        ("b/c/a.txt", "b/**", True),
        ("b/c/d/a.txt", "b/**/a.txt", True),
        ("b/a.txt", "b/**/a.txt", True),
        ("bb/a.txt", "b/**", False),
        ("b/x/c/y/a.txt", "**/b/**/**/c/**/*.txt", True),
        ("b/a1.txt", "b/a[0-9].txt", True),
        ("b/A.txt", "b/a.txt", False),
        ("b/a.txt", "b/?.txt", True),
    ],
)
def test_a_glob_fits_the_whole_relative_path(path: str, pattern: str, expected: bool) -> None:
    assert matches(path, pattern) is expected


def test_exclude_wins_and_takes_whole_folders() -> None:
    assert taken("a.txt", ["**/*"], ["drafts"])
    assert not taken("drafts/deep/a.txt", ["**/*"], ["drafts"])
    assert not taken("x/drafts/a.txt", ["**/*"], ["**/drafts"])
    assert not taken("a.txt", ["**/*.md"], [])


def test_many_double_stars_stay_quick() -> None:
    assert not matches("/".join("a" * 200), "**/a/" * 60 + "b")
