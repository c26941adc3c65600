"""Documents, the page's sentences and Python's texts avoid phrases that a native reader stumbles over.

Not read: docstrings and comments, and documents generated from elsewhere: the tables of fields in
docs/http.md, whose text stands below the fields of `api/models`, and docs/validation.md.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BETTER = {
    r"(?:is|are|was|were|be|been|being) told\b": "reports, shows, sends",
    r"(?:tells?|told) of\b": "reports, reported",
    r"(?:looks|looked) (?:at|into)\b": "searches, checks, examines",
    r"looks? (?:at (?:a|an|all|each|every|it|them)|around fleets)\b": "search, check, examine",
    r"(?:is|are|was|were) looked for\b": "is searched for",
    r"so many (?:\w+)(?= (?:too|at|in)\b)": "this many",
    r"(?:nobody|whoever|somebody)\b": "no one, anyone who, someone; or name the person",
    r"as far as the (?:run|window|store)\b": "to the end of, if",
    r"as many as (?:it|they|there)\b": "its limit",
    r"(?<!there )(?:is|are) no (?!longer\b|more\b|other\b|newer\b)[a-z]": "is not a",
    r"hand(?:ed|ing|s)? (?:(?:it|them|these|this) )?on\b": "share",
    r"pass(?:ed|ing) (?:(?:it|them|these|this) )?on\b": "share",
    r"only (?:\w+ )?messages? tells?\b": "known only from messages",
    r"by an earlier release\b(?<!written by an earlier release)": "from an earlier release",
    r"whatever (?:its|their) case\b": "in any case",
    r"for want of\b": "for lack of, because ... is missing",
    r"all the same(?=[.,:;])": "anyway",
    r"(?:goes|go|went) by (?:it|them|the (?:level|radius|probability))\b": "uses",
    r"what (?:is|are) (?:given|made|changed|found|known|left|told)\b": "a noun, such as the changes",
    r"(?:small|large) against\b": "small compared with",
    r"the worse of both\b": "the worse of the two",
    r"the mode (?:full|quick)\b": "mode `full`",
    r"[Uu]se the mode\b": "use mode `full`",
    r"and else\b": "otherwise, the default is",
    r"not beside the other\b": "cannot be combined with the other",
    r"as for the event\b(?<!as it does for the event)": "works as it does for the event",
    r"the letter\b(?! of\b)": "the e-mail",
    r"a letter in plain\b": "an e-mail in plain language",
    r"leads? with (?:its|the) level\b": "shows its level first",
    r"another (?:instant|time|place|object|source) than\b": "other than",
    r"right in sum\b": "correct in total",
    r"as (?:the |its )?(?:[A-Z]\w+ ?)+ has it\b": "as defined in",
    r"that makes (?=\d|{)": "which makes",
    r"that counts?(?= |,|:|;)(?! as\b| for\b)(?<=probability that counts)": "the deciding probability",
    r"(?:is|are) (?:4\d\d|5\d\d)(?= with\b|,? and so is\b|, with the reason)": "returns, gets",
    r"(?:more|what waits) (?:is|are) (?:503|cancelled)\b": "further ones get, pending messages are",
    r"looked for (?:any more|the first time)\b": "searched for",
    r"not tell of\b": "not report",
}
PHRASES = {re.compile(rf"\b(?:{phrase})", re.IGNORECASE): better for phrase, better in BETTER.items()}
GENERATED = re.compile(r"<!-- (?:generated|measured): .*?<!-- end -->", re.DOTALL)
CODE = re.compile(r"^```.*?^```|^    .*?$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')
COMMENT = re.compile(r"^\s*(?://|/\*|\*).*$", re.MULTILINE)


def _files(*patterns: str) -> list[Path]:
    found = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return sorted(path for path in found if "api/models" not in path.as_posix())


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """Empty what matches, but for its ends of lines, so that lines keep their numbers."""
    return pattern.sub(lambda match: "\n" * match[0].count("\n"), text)


def _document(text: str) -> Iterator[tuple[int, str]]:
    yield 1, _blank(CODE, _blank(GENERATED, text))


def _page(text: str) -> Iterator[tuple[int, str]]:
    text = _blank(COMMENT, text)
    for match in QUOTED.finditer(text):
        if " " in match[0]:
            yield 1 + text.count("\n", 0, match.start()), match[0]


def _python(text: str) -> Iterator[tuple[int, str]]:
    tree = ast.parse(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if id(node) not in docstrings and " " in node.value:  # else it is a word of a vocabulary
            yield node.lineno, node.value


def _faults(texts: Iterator[tuple[int, str]], name: str) -> Iterator[str]:
    for line, text in texts:
        for phrase, better in PHRASES.items():
            for match in phrase.finditer(text):
                at = line + text.count("\n", 0, match.start())
                yield f"{name}:{at}: '{' '.join(match[0].split())}': better {better}"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("read", "patterns"),
    [
        (_document, ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/[!v]*.md", "deploy/**/*.md"]),
        (_page, ["api/web/src/**/*.ts"]),
        (_python, [f"{room}/**/*.py" for room in ("screening", "storage", "flows", "api", "skysieve")]),
    ],
    ids=["documents", "page", "python"],
)
def test_plain_english(read, patterns: list[str]) -> None:  # type: ignore[no-untyped-def]
    files = _files(*patterns)
    assert len(files) > 10
    named = ((path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in files)
    faults = [fault for name, text in named for fault in _faults(read(text), name)]
    assert not faults, "\n" + "\n".join(faults)


def test_a_phrase_is_named_with_its_line_and_a_better_one() -> None:
    text = "A run is made.\n\nUsers are told.\n\n```\nis told\n```\n"
    assert list(_faults(_document(text), "x.md")) == ["x.md:3: 'are told': better reports, shows, sends"]
    code = '"""Is told."""\n\nTEXT = "its reader is told"\n'
    assert list(_faults(_python(code), "x.py")) == ["x.py:3: 'is told': better reports, shows, sends"]
    script = '// is told\nconst text = "is told";\n'
    assert list(_faults(_page(script), "x.ts")) == ["x.ts:2: 'is told': better reports, shows, sends"]
