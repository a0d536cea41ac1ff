"""The settings of one corpus: a frozen tree of small models, with every default."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from tailgate import ids
from tailgate.config.connections import Connect, Connection, from_environment
from tailgate.config.fingerprint import Fingerprint
from tailgate.config.paths import absolute, place

Design = Literal["window", "parent"]
Dated = Literal["none", "modified", "path"]
DATE = "{date}"
Count = Annotated[int, Field(ge=1)]
Place = Annotated[str, AfterValidator(place)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Settings(BaseModel):
    """A frozen part of the tree that refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(Settings):
    """Where the documents are: a folder or an fsspec URL, and which of its files are taken.

    `connection` names the Airflow connection with the credentials. With `dated: path`, `{date}` in `uri`, or in every
    pattern of `include`, stands for a day, written 2026-11-30.
    """

    uri: Place
    include: tuple[str, ...] = ("**/*",)
    exclude: tuple[str, ...] = ()
    dated: Dated = "none"
    connection: str | None = None

    @model_validator(mode="after")
    def _dates_are_where_they_are_read(self) -> Self:
        in_uri, in_include = self.uri.count(DATE), [pattern.count(DATE) for pattern in self.include]
        if self.dated != "path" and (in_uri or any(in_include)):
            raise ValueError(f"{DATE} stands for a day only with `dated: path`")
        if self.dated == "path" and (in_uri, *in_include) not in (
            (1, *(0 for _ in in_include)),
            (0, *(1 for _ in in_include)),
        ):
            raise ValueError(f"`dated: path` needs {DATE} once in `uri`, or once in every pattern of `include`")
        if re.match(rf"^(?!file:)[a-z][a-z0-9+.-]*://[^/]*{re.escape(DATE)}", self.uri):
            raise ValueError(f"{DATE} may stand in a path, not in the name of a bucket or host")
        return self


class Parse(Settings):
    """What one document may cost before it is quarantined: it is read and segmented in a worker process.

    Without `isolate` it is read in the run's own process, where only `max_file_mb` holds. A MB is a million bytes.
    """

    timeout_s: Annotated[float, Field(gt=0)] = 300.0
    max_memory_mb: Annotated[int, Field(ge=128)] = 2048
    max_file_mb: Annotated[float, Field(gt=0)] = 100.0
    isolate: bool = True


class Tokens(Settings):
    """Which encoding counts tokens; a prompt's size means nothing without it."""

    encoding: str = "cl100k_base"


class Segment(Settings):
    """Who finds the ends of sentences, and sizes of the units, in tokens."""

    splitter: Literal["rules", "thai", "sat"] = "rules"
    splitter_model: str | None = None
    splitter_threshold: Annotated[float, Field(gt=0, lt=1)] | None = None
    sentence_max_tokens: Count = 256
    child_tokens: Count = 200
    block_tokens: Count = 600
    parent_max_tokens: Count = 2000
    oversize: Literal["keep", "split", "fail"] = "keep"

    @model_validator(mode="after")
    def _model_where_one_is_read(self) -> Self:
        if self.splitter == "sat" and not self.splitter_model:
            raise ValueError("splitter `sat` needs a splitter_model: a folder, or a hub name such as sat-3l-sm")
        if self.splitter != "sat" and (self.splitter_model or self.splitter_threshold):
            raise ValueError("splitter_model and splitter_threshold belong to splitter `sat`")
        return self


class Window(Settings):
    """The radius of a window, in sentences."""

    before: Annotated[int, Field(ge=0)] = 2
    after: Annotated[int, Field(ge=0)] = 2
    within: Literal["document", "section"] = "document"


class Embed(Settings):
    """Which model embeds (`default`, `hashing`, a hub name or a folder) and what it is shown of a unit."""

    model: str = "default"
    context: Literal["none", "heading_path"] = "none"
    batch_tokens: Count = 1024


class Search(Settings):
    """What a prompt may hold: `k` hits, and a budget in tokens of which a part is reserved for everything else."""

    k: Count = 8
    budget_tokens: Count = 16_000
    reserve_tokens: Annotated[int, Field(ge=0)] = 2_000
    rerank: str | None = None

    @model_validator(mode="after")
    def _reserve_fits(self) -> Self:
        if self.reserve_tokens >= self.budget_tokens:
            raise ValueError("reserve_tokens must be smaller than budget_tokens")
        return self


class Bound(Settings):
    """The largest value that a gate lets pass, and what happens above it."""

    max: Annotated[float, Field(ge=0)]
    action: Literal["fail", "warn"] = "fail"


class Action(Settings):
    """What happens when a gate whose bound is computed from the config is broken."""

    action: Literal["fail", "warn"]


def _bound(most: float, action: Literal["fail", "warn"] = "fail") -> Any:
    return Field(default=Bound(max=most, action=action))


class Gates(Settings):
    """The bounds of DESIGN section 5; a corpus file that sets another one says why in a comment."""

    sentence_tokens_p95: Bound = _bound(120)
    pseudo_sentence_share: Bound = _bound(0.02)
    unsegmentable_share: Bound = _bound(0.20)
    parent_tokens_p99: Bound = _bound(2000)
    parent_tokens_max: Bound = _bound(6000)
    synthetic_parent_share: Bound = _bound(0.50, "warn")
    truncated_share: Bound = _bound(0.01, "warn")
    quarantined_share: Bound = _bound(0.01, "warn")
    documents_lost_share: Bound = _bound(0.10)
    sentences_lost_share: Bound = _bound(0.10)
    window_ceiling: Action = Action(action="fail")
    parent_ceiling: Action = Action(action="warn")

    @field_validator("*", mode="before")
    @classmethod
    def _keep_the_default_that_is_not_named(cls, value: Any, info: Any) -> Any:
        default = cls.model_fields[info.field_name].default
        if isinstance(value, dict) and isinstance(default, Settings):
            return default.model_dump() | value
        return value


class Smtp(Settings):
    """E-mail through an Airflow connection, which carries host, port and password."""

    to: tuple[str, ...] = Field(min_length=1)
    sender: str = "tailgate@localhost"
    connection: str = "smtp_default"
    timeout_s: Annotated[float, Field(gt=0)] = 10.0


class Webhook(Settings):
    """A JSON POST to the address that an Airflow connection carries."""

    connection: str
    timeout_s: Annotated[float, Field(gt=0)] = 10.0


class Channel(Settings):
    """Exactly one way to send an alert."""

    smtp: Smtp | None = None
    webhook: Webhook | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if (self.smtp is None) == (self.webhook is None):
            raise ValueError("an alert channel is either `smtp` or `webhook`")
        return self


class StorePlace(Settings):
    """The folder or bucket that holds one folder a corpus: LanceDB tables, run folders, `alerts.jsonl`.

    `connection` names the Airflow connection with the credentials for it.
    """

    uri: Place = "data"
    connection: str | None = None


class Retention(Settings):
    """Tables of the newest so many releases are kept, and of every release of the last so many days."""

    releases: Count = 14
    days: Annotated[float, Field(ge=0)] = 14.0


class Run(Settings):
    """How a run is cut into tasks."""

    shards: Annotated[int, Field(ge=1, le=64)] = 2


class Corpus(Settings):
    """Documents with one source, one config, one schedule, one set of tables, one Dag."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$")]
    source: Source
    schedule: str | None = None
    designs: Annotated[tuple[Design, ...], Field(min_length=1)] = ("window", "parent")
    parse: Parse = Parse()
    tokens: Tokens = Tokens()
    segment: Segment = Segment()
    window: Window = Window()
    embed: Embed = Embed()
    search: Search = Search()
    gates: Gates = Gates()
    alerts: tuple[Channel, ...] = ()
    store: StorePlace = StorePlace()
    retention: Retention = Retention()
    run: Run = Run()
    # None, and not the function itself: pydantic would bind a function to the model.
    _connect: Connect | None = PrivateAttr(default=None)

    @field_validator("schedule")
    @classmethod
    def _five_fields(cls, value: str | None) -> str | None:
        if value is not None and len(value.split()) != 5:
            raise ValueError("a schedule is a cron expression of five fields, such as '0 2 * * *'")
        return value

    def __getstate__(self) -> dict[Any, Any]:
        """Another process finds connections in its own environment: the worker that parses needs none."""
        return {**super().__getstate__(), "__pydantic_private__": {"_connect": None}}

    def connected(self, connect: Connect) -> Self:
        """The same corpus, whose connections `connect` gives, and not the environment."""
        bound = self.model_copy()
        bound._connect = connect
        return bound

    @property
    def source_connection(self) -> Connection | None:
        """What the source is opened with; None where the libraries find their credentials themselves."""
        return self._connection(self.source.connection)

    @property
    def store_connection(self) -> Connection | None:
        """The same for the store."""
        return self._connection(self.store.connection)

    def _connection(self, name: str | None) -> Connection | None:
        return (self._connect or from_environment)(name) if name else None

    @property
    def source_uri(self) -> str:
        """The source as an absolute path or a URL."""
        return absolute(self.source.uri)

    @property
    def folder(self) -> str:
        """The corpus's own folder in the store, as an absolute path or a URL, without a slash at its end."""
        return f"{absolute(self.store.uri).rstrip('/')}/{self.name}"

    @property
    def fingerprint(self) -> str:
        """The fingerprints of the stages as they are stored beside every document and release."""
        return str(self.stages)

    @property
    def stages(self) -> Fingerprint:
        """What must be done again changes its part: parsing and segmenting, every vector, or window columns only."""
        return Fingerprint(
            shape=_fingerprint(SHAPE_VERSION, self.tokens, self.segment, self.embed.context, sorted(self.designs)),
            embed=_fingerprint(self.embed.model),
            window=_fingerprint(self.window),
        )


SHAPE_VERSION = 9
"""Goes up when parsing or segmenting gives other units for the same input, so that stored ones are made again."""


def _fingerprint(*parts: Any) -> str:
    return ids.fingerprint("\n".join(p.model_dump_json() if isinstance(p, BaseModel) else str(p) for p in parts))
