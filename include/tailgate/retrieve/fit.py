"""Passages → those that fit the budget, and those that do not, each with its reason."""

from collections.abc import Sequence

from tailgate.models import LeftOut, Passage


def fit(
    passages: Sequence[Passage], budget_tokens: int, reserve_tokens: int
) -> tuple[tuple[Passage, ...], tuple[LeftOut, ...]]:
    """What is kept and what is left out; the kept tokens and the reserve together never exceed the budget.

    Passages are taken in their order, best hit first. One that does not fit is left out whole, and a smaller one after
    it may still be taken. What a prompt puts between passages belongs to the reserve, as the template does.
    """
    kept, left_out = list[Passage](), list[LeftOut]()
    left = budget_tokens - reserve_tokens
    for passage in passages:
        if passage.tokens <= left:
            kept.append(passage)
            left -= passage.tokens
        else:
            reason = f"{passage.tokens:,} tokens do not fit in the {left:,} left of the budget"
            left_out.append(LeftOut(passage, reason))
    return tuple(kept), tuple(left_out)
