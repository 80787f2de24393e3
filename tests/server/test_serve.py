"""`quepu serve` as a process: it says where it is, answers there, and stops when told."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest


@contextmanager
def served(data, *more):
    command = [sys.executable, "-c", "from quepu.cli import main; main()", "serve", "--port", "0", "--no-browser"]
    process = subprocess.Popen([*command, "--data", str(data), *more], stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        yield re.search(r"http://\S+/", line)[0], process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_serve_says_where_answers_and_stops(tmp_path):
    with served(tmp_path / "data") as (address, process):
        request = urllib.request.Request(
            address + "api/score",
            json.dumps({"rules": "guobiao", "hand": "123m456p789s(EEE)C+C"}).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["valid"] is True
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) in (0, 130)


def test_one_folder_is_one_servers_until_it_ends_however_it_ends(tmp_path, capsys):
    from quepu.cli import run

    data = str(tmp_path / "data")
    another = ["serve", "--port", "0", "--no-browser", "--data", data]
    assert run([*another, "--check"]) == 0
    assert not (tmp_path / "data").exists(), "a check leaves nothing behind"
    with served(data) as (address, process):
        capsys.readouterr()
        assert run(another) == 2
        refused = capsys.readouterr()
        assert f"进程 {process.pid}" in refused.err and data in refused.err and "--data" in refused.err
        assert "http" not in refused.out and "Traceback" not in refused.err
        assert run([*another, "--check"]) == 1
        assert f"进程 {process.pid}" in capsys.readouterr().out
        assert run(["admin", "rooms", "--data", data]) == 0, "an operator's commands go on beside a server"
        with urllib.request.urlopen(address + "healthz", timeout=60) as answer:
            assert answer.status == 200
        process.kill()  # it cannot tidy up
        process.wait()
        assert run([*another, "--check"]) == 0
        with served(data) as (again, _), urllib.request.urlopen(again + "healthz", timeout=60) as answer:
            assert answer.status == 200


def test_a_taken_port_is_a_sentence(capsys, tmp_path):
    from quepu.cli import run

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run(["serve", "--port", port, "--no-browser", "--data", str(tmp_path)]) == 2
    printed = capsys.readouterr().err
    assert port in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize("wrong", [["--port", "99999"], ["--port", "x"], ["--host", "no such host"]])
def test_a_wrong_address_is_a_sentence(wrong, capsys, tmp_path):
    from quepu.cli import run

    assert run(["serve", "--no-browser", "--port", "0", "--data", str(tmp_path), *wrong]) == 2
    assert "Traceback" not in capsys.readouterr().err
