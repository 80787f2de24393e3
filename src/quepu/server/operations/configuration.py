"""Settings of a server from flags, environment and a TOML file; the first source that sets one wins.

    flag  >  QUEPU_SERVE_…  >  file in /run/secrets  >  configuration file  >  default

A limit is a key of `[limits]` in the file, QUEPU_SERVE_LIMITS__NAME in the environment, `--limit NAME=NUMBER` a flag.
"""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError, create_model
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from quepu.errors import Error, Text, describe_system_refusal
from quepu.folders import data_folder
from quepu.server.limits import Limits
from quepu.server.operations.log_output import Format

if TYPE_CHECKING:
    from quepu.server.app import Settings

PREFIX: Final = "QUEPU_SERVE_"
FILE: Final = f"{PREFIX}CONFIG"
"""The variable that names the configuration file if no flag does."""
_NESTED: Final = "__"
_SECRETS: Final = Path("/run/secrets")
_WRONG: Final = {
    "extra_forbidden": Text("没有这个设置", "there is no such setting"),
    "int_parsing": Text("应是整数", "it must be a whole number"),
    "int_type": Text("应是整数", "it must be a whole number"),
    "int_from_float": Text("应是整数", "it must be a whole number"),
    "float_parsing": Text("应是数", "it must be a number"),
    "float_type": Text("应是数", "it must be a number"),
    "bool_parsing": Text("应是 true 或 false", "it must be true or false"),
    "bool_type": Text("应是 true 或 false", "it must be true or false"),
    "greater_than": Text("应大于 0", "it must be above 0"),
    "finite_number": Text("应是有限的数", "it must be a finite number"),
    "greater_than_equal": Text("太小", "it is too small"),
    "less_than_equal": Text("太大", "it is too large"),
    "literal_error": Text("应是 text 或 json", "it must be text or json"),
}
_NO_NETWORK: Final = Text("应是地址或网段，如 10.0.0.0/8", "it must be addresses or networks, such as 10.0.0.0/8")
_UNFIT: Final = Text("值不合适", "its value is invalid")


class WrongConfiguration(Error):
    """A setting that does not exist, or has an invalid value."""


def _words(given: Any) -> Any:
    return tuple(word.strip() for word in given.split(",") if word.strip()) if isinstance(given, str) else given


def _network(given: str) -> str:
    ipaddress.ip_network(given, strict=False)
    return given


_Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]
_Networks = Annotated[tuple[Annotated[str, AfterValidator(_network)], ...], NoDecode, BeforeValidator(_words)]
_TYPES: Final = {"int": int, "float": float}
_positive: Any = Field(None, gt=0, allow_inf_nan=False)
_Limits: type[BaseModel] = create_model(
    "_Limits",
    __config__={"extra": "forbid"},
    **{one.name: (_TYPES[str(one.type)] | None, _positive) for one in fields(Limits)},
)  # type: ignore[call-overload]  # a field for each limit


class Configuration(BaseSettings):
    """All settings."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_nested_delimiter=_NESTED, extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(8000, ge=0, le=65535)
    data: Path = Field(default_factory=data_folder)
    database: str = ""
    sync: bool = False
    prepare: bool = True
    workers: int = Field(1, ge=1, le=256)
    guests: dict[str, str] = Field(default_factory=dict)
    explorer: Path | None = None
    public_names: _Words = ()
    behind_proxy: _Networks = ()
    metrics_host: str = "127.0.0.1"
    metrics_port: int = Field(0, ge=0, le=65535)
    metrics_token: str = ""
    log: Format = "text"
    limits: _Limits = Field(default_factory=_Limits)  # type: ignore[valid-type]

    def settings(self) -> Settings:
        """Return the settings of an application."""
        from quepu.server.app import Settings

        return Settings(
            **self.limits.model_dump(exclude_none=True),  # type: ignore[attr-defined]
            data=self.data.expanduser(),
            database=self.database or None,
            sync=self.sync,
            prepare=self.prepare,
            workers=self.workers,
            guests=self.guests,
            explorer=self.explorer and self.explorer.expanduser(),
            public_names=self.public_names,
            proxies=self.behind_proxy,
            metrics_host=self.metrics_host,
            metrics_port=self.metrics_port,
            metrics_token=self.metrics_token,
            log_format=self.log,
        )


class Loaded(NamedTuple):
    """A configuration, and the source of every non-default (`limits.rate`: flag, environment, a file)."""

    configuration: Configuration
    origins: dict[str, str]


def load(flags: Mapping[str, Any], file: str = "", environment: Mapping[str, str] | None = None) -> Loaded:
    """Load the configuration of a server. `flags` are those that were given.

    Raises:
        WrongConfiguration: a setting is unknown, or has an invalid value.
        Error: the file cannot be read.
    """
    environment = os.environ if environment is None else environment
    of_environment = _of_environment(environment)
    file = file or environment.get(FILE, "")
    of_file = _of_file(Path(file).expanduser()) if file else {}
    found: list[tuple[str, dict[str, Any]]] = [("flag", dict(flags))]

    class Here(Configuration):
        """The configuration with these sources."""

        @classmethod
        def settings_customise_sources(  # type: ignore[override]  # the sources that pydantic offers are not used
            cls, settings_cls: type[BaseSettings], **_: PydanticBaseSettingsSource
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            variables = EnvSettingsSource(settings_cls)
            variables.env_vars = of_environment
            found.append(("environment", variables()))
            if _SECRETS.is_dir():
                found.append((str(_SECRETS), SecretsSettingsSource(settings_cls, _SECRETS)()))
            found.append((file, of_file))
            return tuple(_Given(settings_cls, given) for _, given in found)

    try:
        made = Here(**flags)
    except ValidationError as error:
        raise _wrong(error, found) from None
    except SettingsError:  # the only settings written as JSON; the file holds a secret
        raise WrongConfiguration(
            f"{PREFIX}GUESTS，或 {_SECRETS} 里的 limits，不是正确的 JSON。",
            f"{PREFIX}GUESTS, or limits in {_SECRETS}, is not valid JSON.",
        ) from None
    origins: dict[str, str] = {}
    for origin, given in found:
        for name in _names(given):
            origins.setdefault(name, origin)
    return Loaded(made, origins)


class _Given(PydanticBaseSettingsSource):
    """A source that has already been read."""

    def __init__(self, settings_cls: type[BaseSettings], given: dict[str, Any]) -> None:
        super().__init__(settings_cls)
        self.given = given

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        return self.given.get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        return self.given


def _names(given: Mapping[str, Any]) -> list[str]:
    limits = given.get("limits")
    inner = [f"limits.{name}" for name in limits] if isinstance(limits, Mapping) else []
    return [*(name for name in given if name != "limits"), *inner]


def _of_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are settings.

    Raises:
        WrongConfiguration: a variable looks like a setting but is not one.
    """
    variables = {f"{PREFIX}{name}".upper() for name in Configuration.model_fields if name != "limits"}
    variables |= {f"{PREFIX}LIMITS{_NESTED}{one.name}".upper() for one in fields(Limits)}
    ours = {name: value for name, value in environment.items() if name.startswith(PREFIX) and name != FILE}
    for name in ours:
        if name not in variables:
            raise WrongConfiguration(f"不认识环境变量 {name}。", f"the environment variable {name} is not a setting.")
    return {name.lower(): value for name, value in ours.items()}


def _of_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise describe_system_refusal(error) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WrongConfiguration(f"{path} 不是正确的 TOML：{error}。", f"{path} is not valid TOML: {error}.") from None


def _wrong(error: ValidationError, found: list[tuple[str, dict[str, Any]]]) -> WrongConfiguration:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"][:2]) if first["loc"][0] == "limits" else str(first["loc"][0])
    origin = next((origin for origin, given in found if name in _names(given)), "")
    why = _NO_NETWORK if name == "behind_proxy" else _WRONG.get(first["type"], _UNFIT)
    origin = origin or "?"
    return WrongConfiguration(f"设置 {name}（{origin}）：{why.zh}。", f"the setting {name} ({origin}): {why.en}.")
