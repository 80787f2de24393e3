"""Settings of a server: which of several sources decides, and what is refused with a sentence."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from quepu.server.app import Settings
from quepu.server.limits import Limits
from quepu.server.operations import configuration
from quepu.server.operations.configuration import PREFIX, Configuration, WrongConfiguration, load

FLAG: dict[str, Any] = {"port": 1, "public_names": ("flag.example",), "limits": {"rate": 1.5}}
ENVIRONMENT = {
    f"{PREFIX}PORT": "2",
    f"{PREFIX}PUBLIC_NAMES": "one.example, two.example",
    f"{PREFIX}LIMITS__RATE": "2.5",
    f"{PREFIX}LIMITS__BURST": "20",
    f"{PREFIX}SYNC": "true",
    "QUEPU_LANG": "en",
}
TEXT = """
port = 3
host = "::1"
public_names = ["file.example"]
sync = false
[limits]
rate = 3.5
burst = 30
body = 300
"""


def test_the_first_source_that_names_a_setting_decides(tmp_path: Path) -> None:
    """flag > environment > file > default, for each setting and each limit alone."""
    file = tmp_path / "quepu.toml"
    file.write_text(TEXT, encoding="utf-8")
    found = load(FLAG, str(file), ENVIRONMENT)
    made = found.configuration.settings()
    assert (found.configuration.port, found.configuration.host, made.sync) == (1, "::1", True)
    assert (made.rate, made.burst, made.body, made.log) == (1.5, 20, 300, Limits().log)
    assert made.public_names == ("flag.example",)
    assert found.origins == {
        "port": "flag", "public_names": "flag", "limits.rate": "flag",
        "sync": "environment", "limits.burst": "environment",
        "host": str(file), "limits.body": str(file),
    }  # fmt: skip
    later = load({}, "", {**ENVIRONMENT, configuration.FILE: str(file)}).configuration
    assert (later.port, later.host, later.public_names) == (2, "::1", ("one.example", "two.example"))
    assert load({}, str(file), {}).configuration.port == 3


def test_a_table_of_limits_without_any_changes_none(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("[limits] # docs/reference/limits.md\n# rate = 50\n", encoding="utf-8")
    assert load({}, str(file), {}).origins == {}


def test_nothing_given_is_the_default() -> None:
    assert load({}, "", {}).configuration.settings() == Settings()


def test_secrets_of_a_container_stand_between_environment_and_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quepu_serve_database").write_text("postgresql://secret/x\n")
    (tmp_path / "quepu_serve_metrics_token").write_text("from the secret")
    monkeypatch.setattr(configuration, "_SECRETS", tmp_path)
    file = tmp_path / "quepu.toml"
    file.write_text('database = "postgresql://file/x"', encoding="utf-8")
    found = load({}, str(file), {f"{PREFIX}METRICS_TOKEN": "from the environment"}).configuration
    assert (found.database, found.metrics_token) == ("postgresql://secret/x", "from the environment")


def test_a_secret_that_is_no_json_is_a_sentence_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "quepu_serve_limits").write_text("{hidden")
    monkeypatch.setattr(configuration, "_SECRETS", tmp_path)
    with pytest.raises(WrongConfiguration, match="limits") as refused:
        load({}, "", {})
    assert "hidden" not in str(refused.value)


@pytest.mark.parametrize("name", [one.name for one in fields(Limits)])
def test_every_limit_may_be_set_in_the_file(tmp_path: Path, name: str) -> None:
    file = tmp_path / "quepu.toml"
    file.write_text(f"[limits]\n{name} = 7", encoding="utf-8")
    assert getattr(load({}, str(file), {}).configuration.settings(), name) == 7


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("prot = 1", "prot"),
        ("[limits]\nfoo = 1", "limits.foo"),
        ("[limits]\nrate = -1", "limits.rate"),
        ("[limits]\nrate = inf", "limits.rate"),
        ("[limits]\nburst = 1.5", "limits.burst"),
        ("limits = 3", "limits"),
        ("port = 99999", "port"),
        ('port = "x"', "port"),
        ('log = "xml"', "log"),
        ('behind_proxy = ["nginx"]', "behind_proxy"),
        ("port =", "TOML"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(tmp_path: Path, text: str, word: str) -> None:
    file = tmp_path / "quepu.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(WrongConfiguration) as refused:
        load({}, str(file), {})
    assert word in refused.value.text.zh and word in refused.value.text.en
    assert refused.value.text.zh.endswith("。")


@pytest.mark.parametrize("name", ["PROT", "LIMITS__FOO", "LIMITS", "PORT__X"])
def test_a_variable_that_is_no_setting_is_refused(name: str) -> None:
    with pytest.raises(WrongConfiguration, match=name):
        load({}, "", {PREFIX + name: "1"})


def test_every_setting_stands_in_the_operators_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guide" / "operators.md").read_text(encoding="utf-8")
    for name in Configuration.model_fields:
        assert f"`{name}`" in page, name
