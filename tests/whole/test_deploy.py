"""Files for deployment agree with the program: the lock, the settings, the units."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from quepu.cli import run as quepu
from quepu.server.operations.configuration import PREFIX, Configuration, load

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
EXTRAS = ("postgres", "fast")
LOCK = (DEPLOY / "requirements.lock").read_text(encoding="utf-8")
PINS = dict(re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE))


def wanted() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: list[Requirement] = []
    extras = [*EXTRAS]
    for extra in extras:  # one may stand on others: quepu[server]
        for requirement in map(Requirement, project["optional-dependencies"][extra]):
            if requirement.name == "quepu":
                extras += [other for other in sorted(requirement.extras) if other not in extras]
            else:
                found.append(requirement)
    return found + [Requirement(line) for line in project["dependencies"]]


@pytest.mark.parametrize("requirement", wanted(), ids=lambda requirement: requirement.name)
def test_the_lock_has_what_the_project_needs(requirement: Requirement) -> None:
    """Otherwise: `make lock`."""
    pinned = PINS.get(canonicalize_name(requirement.name))
    assert pinned is not None, requirement
    assert requirement.specifier.contains(pinned), (requirement, pinned)


def test_every_pin_has_digests_and_names_no_host() -> None:
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(entries) == len(PINS) > 30
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in LOCK and "--index" not in LOCK


def test_the_example_file_is_a_configuration() -> None:
    made = load({}, str(DEPLOY / "server.toml"), {}).configuration.settings()
    assert made.public_names and made.proxies and made.metrics_port


@pytest.mark.parametrize("name", ["Containerfile", "compose.yaml", "quepu.service"])
def test_variables_and_flags_are_settings(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    fields = {field.lower() for field in Configuration.model_fields}
    for found in re.findall(rf"{PREFIX}(\w+)|quepu_serve_(\w+)", text):
        assert max(found).lower() in fields, found
    for flag in re.findall(r"quepu serve ([^\n\"]*)", text):
        assert not set(re.findall(r"--[\w-]+", flag)) - {"--check", "--config", "--no-browser"}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd")
def test_systemd_reads_the_units() -> None:
    units = sorted(str(path) for path in DEPLOY.glob("quepu*.*") if path.suffix in (".service", ".timer"))
    done = subprocess.run(
        ["systemd-analyze", "verify", *units], capture_output=True, text=True, timeout=60, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if "quepu" in line and "is not executable" not in line]
    assert not complaints


def test_the_unit_of_backups_elsewhere_has_the_words_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    unit = (DEPLOY / "quepu-offsite.service").read_text(encoding="utf-8")
    (words,) = re.findall(r"^ExecStart=\S+/quepu (.*)$", unit, re.MULTILINE)
    (store,) = re.findall(r"^Environment=.* STORE=(\S+)$", unit, re.MULTILINE)
    assert quepu(words.replace("$STORE", store).split()) == 2
    assert "/etc/quepu/offsite.toml" in capsys.readouterr().err  # there is none here


SERVICE = {
    "build", "cap_drop", "depends_on", "environment", "healthcheck", "image", "networks", "ports", "read_only",
    "restart", "secrets", "security_opt", "stop_grace_period", "tmpfs", "ulimits", "volumes",
}  # fmt: skip
"""Keys of a service by the Compose specification, as far as they are used."""


def test_the_compose_file_holds_together() -> None:
    """Whatever a service names is declared once and there; the proxy is the only one that is open to the network."""
    yaml = pytest.importorskip("yaml")
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    made = yaml.safe_load(text)
    services = made["services"]
    assert set(made) == {"name", "services", "networks", "volumes", "secrets"}
    for kind in ("networks", "secrets"):
        assert {one for service in services.values() for one in service.get(kind, ())} == set(made[kind]), kind
    mounts = [mount.split(":") for service in services.values() for mount in service["volumes"]]
    assert {source for source, *_ in mounts if not source.startswith(".")} == set(made["volumes"])
    assert all((DEPLOY / source).exists() for source, *_ in mounts if source.startswith("."))
    for name, service in services.items():
        assert set(service) <= SERVICE, name
        assert service["restart"] == "unless-stopped"
        assert "build" in service or re.fullmatch(r"[\w./-]+:\d+", service["image"]), name
        assert set(service.get("depends_on", ())) <= set(services)
    for name, where in services["quepu"]["depends_on"].items():
        assert where == {"condition": "service_healthy"} and services[name]["healthcheck"]["test"][0] == "CMD-SHELL"
    quepu, front = services["quepu"], made["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert quepu["environment"]["QUEPU_SERVE_BEHIND_PROXY"] == front
    assert (DEPLOY / quepu["build"]["context"] / quepu["build"]["dockerfile"]).is_file()
    assert [name for name, service in services.items() if "ports" in service] == ["caddy"]
    assert set(re.findall(r"\$\{(\w+)", text)) == {"PUBLIC_NAME"}
    assert set(services["caddy"]["environment"]) == set(
        re.findall(r"\{\$(\w+)", (DEPLOY / "Caddyfile").read_text(encoding="utf-8"))
    )
