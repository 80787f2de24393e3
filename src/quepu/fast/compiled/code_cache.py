"""Source text that numba compiles, cached in the user's cache folder with its machine code. It has no plain twin.

A file is named after a hash of its text, so no cached file is ever out of date. Where the folder cannot be written, the
text is compiled for this process only.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from quepu.folders import cache_folder, write_whole


def installed() -> bool:
    """Whether numba is installed."""
    return importlib.util.find_spec("numba") is not None


class CachedCode:
    """One such text: a module whose functions can be called."""

    def __init__(self, stem: str, text: str) -> None:
        self._stem = stem
        self._text = text
        self._found: Any = None

    @property
    def _file(self) -> Path:
        name = hashlib.sha256(self._text.encode()).hexdigest()[:16]
        return cache_folder() / f"{self._stem}_{name}.py"

    @property
    def module(self) -> str:
        """The name of its module in `sys.modules`, once it is loaded."""
        return self._file.stem

    @property
    def loaded(self) -> bool:
        """Whether this process has it."""
        return self._found is not None

    @property
    def there(self) -> bool:
        """Whether it was compiled before, in this process or another."""
        return self._found is not None or any(self._file.parent.glob(f"__pycache__/{self._file.stem}.*.nbi"))

    def compiled(self, name: str) -> bool:
        """Whether this function of it was compiled before, in this process or another."""
        here = self._found is not None and getattr(self._found, name).signatures
        return bool(here) or any(self._file.parent.glob(f"__pycache__/{self._file.stem}.{name}-*.nbi"))

    @property
    def functions(self) -> Any:
        """Its functions, as attributes: compiled when first called, or loaded from the cache."""
        if self._found is None:
            self._found = self._load()
        return self._found

    def compile(self, name: str, *arguments: Any) -> None:
        """Compile a function for arguments of these types, or load it from the cache; do not call it."""
        from numba import typeof

        getattr(self.functions, name).compile(tuple(map(typeof, arguments)))

    def _load(self) -> Any:
        file = self._file
        try:
            if not file.exists() or file.read_text(encoding="utf-8") != self._text:
                write_whole(file, lambda whole: whole.write(self._text.encode()))
        except OSError:  # no folder to cache it in
            text = self._text.replace("cache=True", "")
            space = sys.modules[file.stem] = ModuleType(file.stem)
            exec(compile(text, f"<{self._stem}>", "exec"), space.__dict__)  # noqa: S102 - own text
            return space
        spec = importlib.util.spec_from_file_location(file.stem, file)
        if not isinstance(spec, ModuleSpec) or spec.loader is None:
            raise ImportError(str(file))
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module  # numba looks the function's module up by name
        spec.loader.exec_module(module)
        return module
