"""What a person can do about each gate."""

from collections.abc import Sequence

from tailgate.wording import base_name

NO_SENTENCES = (
    "Look at the documents above: text without sentence ends (logs, dumps, speech without punctuation) does not belong "
    "in this index. Leave the files out with `source.exclude`, or have them cleaned where they come from. Thai and "
    "other writing without full stops is split with `segment.splitter` set to `thai` or `sat`."
)
TOO_LARGE = (
    "Give the sections above more headings where they are written, leave their documents out with `source.exclude`, or "
    "raise the bound in the corpus file and say there why."
)
LOST = (
    "Check that the source is complete: a folder that is not mounted looks like this. If the documents were meant to "
    "go, raise the bound in the corpus file for one run."
)
TOO_WIDE = (
    "Lower `search.k`, `window.before` or `window.after`, shorten the sentences above, or raise `search.budget_tokens` "
    "if the model that answers has room for it."
)
UNSOUND = (
    "No document is at fault: the run wrote tables that are not sound. Run the Dag again from `plan`; if it fails in "
    "the same way, keep the run's folder and report it as a fault of Tailgate."
)
ADVICE = {
    "sentence_tokens_p95": NO_SENTENCES,
    "pseudo_sentence_share": NO_SENTENCES,
    "unsegmentable_share": NO_SENTENCES,
    "parent_tokens_p99": TOO_LARGE,
    "parent_tokens_max": TOO_LARGE,
    "parent_tokens_oversize": TOO_LARGE,
    "synthetic_parent_share": "Most sections are invented: build windows instead (`designs: [window]`).",
    "window_ceiling": TOO_WIDE,
    "parent_ceiling": "Lower `search.k`, or raise `search.budget_tokens` if the model that answers has room for it.",
    "quarantined_share": "`tailgate releases {corpus}` lists the files that could not be indexed, and why.",
    "documents_lost_share": LOST,
    "sentences_lost_share": LOST,
    "truncated_share": "Set smaller units (`segment.child_tokens`), or a model that reads longer texts.",
}
MEND = "Mend what the message above names."
AGAIN = "Then trigger the Dag again, or run `tailgate build {corpus}`. Until then readers keep what they have."


def what_to_do(corpus: str, gates: Sequence[str]) -> tuple[str, ...]:
    """The steps for the gates that failed, each once; the last is always to run again."""
    steps = dict.fromkeys(ADVICE.get(base_name(gate), UNSOUND) for gate in gates) or {MEND: None}
    return tuple(step.replace("{corpus}", corpus) for step in (*steps, AGAIN))
