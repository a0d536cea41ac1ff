"""Charts as inline SVG: colours come from the page's style sheet, so they follow its light and dark."""

from collections.abc import Iterator, Sequence

from tailgate.advise import Cost, ShapeAdvice
from tailgate.report.markup import Safe, inside, tag
from tailgate.survey import Spread
from tailgate.wording import per_cent

WIDTH = 720
HALF, HEIGHT = 450, 190
"""Of a distribution: two stand side by side, and letters keep their size."""
LEFT, TOP, FOOT = 8, 38, 30
ROW = 44
NARROW = 0.09
"""The share of a bar below which its name does not fit into it."""


def distribution(spread: Spread, *, bound: float | None, marks: Sequence[tuple[str, int]]) -> Safe:
    """Counts in bins of growing width; the bound and the marked sizes stand where they fall into a bin."""
    bins = spread.bins
    step = (HALF - 2 * LEFT) / max(1, len(bins))
    drawn = [piece for number in range(len(bins)) for piece in _bar(spread, number, step, bound)]
    drawn += [_text(HALF - LEFT, HEIGHT - 3, "tokens, up to", "tick", "end")]
    lines = [("bound", int(bound), "boundline")] if bound is not None and bins and bound <= bins[-1].high else []
    lines += [(name, value, "markline") for name, value in marks]
    for level, (name, value, style) in enumerate(lines):
        drawn.append(_mark(_at(spread, value, step), 10 + 12 * level, f"{name} {value:,}", style))
    return _svg(HALF, HEIGHT, f"distribution of {spread.count:,} sizes, largest {spread.max:,} tokens", drawn)


def _bar(spread: Spread, number: int, step: float, bound: float | None) -> Iterator[Safe]:
    bin, room, x = spread.bins[number], HEIGHT - TOP - FOOT, LEFT + number * step
    height = max(2.0, bin.count / max(each.count for each in spread.bins) * room) if bin.count else 0.0
    title = tag("title", f"{bin.low:,} to {bin.high:,} tokens: {bin.count:,} ({per_cent(bin.count / spread.count)})")
    style = "over" if bound is not None and bin.low > bound else "bar"
    yield _rect(x + 1, HEIGHT - FOOT - height, step - 2, height, style, title)
    if str(bin.high)[0] in "125":
        yield _text(x + step / 2, HEIGHT - FOOT + 14, _short(bin.high), "tick", "middle")
    if bin.count:
        yield _text(x + step / 2, HEIGHT - FOOT - height - 4, _short(bin.count), "count", "middle")


def shares(shapes: Sequence[ShapeAdvice]) -> Safe:
    """One bar of all text, cut by shape, coloured by what fits."""
    drawn, x = list[Safe](), float(LEFT)
    for advice in shapes:
        width = advice.token_share * (WIDTH - 2 * LEFT)
        named = f"{advice.shape}: {per_cent(advice.token_share)} of the text, {advice.choice}"
        drawn.append(_rect(x, 6, max(1.0, width - 1), 34, advice.choice, tag("title", named)))
        if advice.token_share > NARROW:
            drawn.append(_text(x + 8, 20, advice.shape, "inbar"))
            drawn.append(_text(x + 8, 34, per_cent(advice.token_share), "inbar"))
        x += width
    return _svg(WIDTH, 46, "text by shape", drawn)


def prompts(costs: Sequence[Cost]) -> Safe:
    """For each design the typical prompt and the ceiling, beside the budget."""
    longest = max((max(cost.prompt_ceiling, cost.budget) for cost in costs), default=1)
    scale, drawn = (WIDTH - 2 * LEFT - 70) / longest, list[Safe]()
    for number, cost in enumerate(costs):
        y, style = 22 + number * ROW, "ceiling" if cost.guaranteed else "ceilingover"
        drawn += [_text(LEFT, y + 18, cost.design, "label")]
        ceiling, typical = tag("title", f"ceiling {cost.prompt_ceiling:,}"), tag("title", f"~ {cost.prompt_typical:,}")
        drawn.append(_rect(LEFT + 70, y, cost.prompt_ceiling * scale, 28, style, ceiling))
        drawn.append(_rect(LEFT + 70, y + 7, cost.prompt_typical * scale, 14, cost.design, typical))
    if costs:
        x, bottom = LEFT + 70 + costs[0].budget * scale, 22 + len(costs) * ROW
        drawn.append(tag("line", x1=f"{x:.1f}", x2=f"{x:.1f}", y1=14, y2=bottom - 8, cls="boundline"))
        side = "end" if x > WIDTH / 2 else "start"
        drawn.append(_text(x - 4 if side == "end" else x + 4, 12, f"budget {costs[0].budget:,}", "boundtext", side))
    return _svg(WIDTH, 22 + max(1, len(costs)) * ROW, "prompt sizes", drawn)


def gauge(value: float, bound: float) -> Safe:
    """How much of a bound is used; full, and marked, above it."""
    part = min(1.0, value / bound) if bound else float(value > 0)
    drawn = [_rect(0, 3, 90, 8, "track"), _rect(0, 3, 90 * part, 8, "over" if value > bound else "bar")]
    return tag("svg", *drawn, viewBox="0 0 90 14", width=90, height=14, aria_hidden="true", cls="gauge")


def _at(spread: Spread, value: float, step: float) -> float:
    """Where a size stands: in its bin, as far from the bin's left edge as it is above the bin's smallest size."""
    for number, bin in enumerate(spread.bins):
        if value <= bin.high:
            within = (value - bin.low + 1) / (bin.high - bin.low + 1)
            return LEFT + (number + min(1.0, max(0.0, within))) * step
    return float(HALF - LEFT)


def _mark(x: float, y: float, words: str, style: str) -> Safe:
    side = "end" if x > HALF * 0.6 else "start"
    line = tag("line", x1=f"{x:.1f}", x2=f"{x:.1f}", y1=y - 6, y2=HEIGHT - FOOT, cls=style)
    text = style.replace("line", "text")
    return inside(line, _text(x - 4 if side == "end" else x + 4, y, words, text, side))


def _rect(x: float, y: float, width: float, height: float, style: str, *children: Safe) -> Safe:
    sides = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{max(0.0, width):.1f}", "height": f"{height:.1f}"}
    return tag("rect", *children, **sides, rx=2, cls=style)


def _text(x: float, y: float, words: str, style: str, anchor: str = "start") -> Safe:
    return tag("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, cls=style)


def _svg(width: int, height: float, label: str, drawn: Sequence[Safe] | Iterator[Safe]) -> Safe:
    return tag("svg", *drawn, viewBox=f"0 0 {width} {height:.0f}", role="img", aria_label=label)


def _short(count: int) -> str:
    """`999`, `1.2k`, `12k`, `3.4M`: short enough to stand above a bar."""
    for size, letter in ((1_000_000, "M"), (1000, "k")):
        if count >= size:
            return f"{count / size:.2g}{letter}" if count < 10 * size else f"{count / size:.0f}{letter}"
    return str(count)
