"""The built client as files, on a host that has nothing else."""

import contextlib
import functools
import http.server
import shutil
import threading
from pathlib import Path

import pytest

from quepu.server.http.pages import STATIC

LEFT_OUT = "built without what answers in the browser (the package index was out of reach)"
ON_DEVICE = pytest.mark.skipif(not (STATIC / "device" / "bundle.json").is_file(), reason=LEFT_OUT)
"""Of tests that this device answers without the folder of `serving`."""


class Files(http.server.SimpleHTTPRequestHandler):
    """A host that has files and knows nothing else."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, *_):
        """Nothing."""

    def send_error(self, code, *_):
        """The page for addresses that it does not know, as hosts of files have one."""
        content = Path(self.directory, "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def refuse(self):
        """Nothing is taken in."""
        self.close_connection = True
        self.send_error(405)

    do_POST = do_PUT = do_DELETE = refuse  # noqa: N815


class Host(http.server.ThreadingHTTPServer):
    """The same for several at once."""

    def handle_error(self, *_):
        """A page that went on has closed its lines."""


@contextlib.contextmanager
def serving(folder):
    """The address of the folder that `make app` makes, copied to this one, and what closes it."""
    if not (STATIC / "device" / "bundle.json").is_file():
        pytest.skip(LEFT_OUT)
    shutil.copytree(STATIC, folder)
    server = Host(("127.0.0.1", 0), functools.partial(Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", server.shutdown
    server.shutdown()
    server.server_close()
