"""Source text that numba compiles, cached in the user's cache folder with its machine code. It has no plain twin.

A file is named after a hash of its text, so no cached file is ever out of date. Where the folder cannot be written, the
text is compiled for this process only.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from quepu.folders import cache_folder, write_whole

FLAGS = "_nrt=False, error_model='numpy', no_cpython_wrapper=True, no_cfunc_wrapper=True"
"""Options of functions that only other compiled functions call: they own no memory, and Python cannot call them."""

_OWN = Path(__file__).with_name("machine_code.py").read_text(encoding="utf-8")
HEAD = f"import numba\n{_OWN.partition('from __future__ import annotations')[2]}\n\n"
"""Text before that of all loops: machine instructions, and arrays at addresses."""


def loops_text(
    modules: Sequence[ModuleType], entries: Collection[str], inline: Callable[[str], bool] = lambda _: False,
    known: str = "quepu",
) -> str:  # fmt: skip
    """Write modules as they stand as text for numba, all functions but the entries to be called from these only.

    inline: whether a function becomes a part of those that call it. known: imports from below this are left out, since
    the text has what they name, or a machine instruction of that name.
    """
    imports = re.compile(rf"^from (?:__future__|{known}[\w.]*) import (?:\([^)]*\)|.*)\n", re.MULTILINE)
    text = "\n\n".join(imports.sub("", inspect.getsource(module)) for module in modules)
    own = [
        name
        for module in modules
        for name, what in vars(module).items()
        if inspect.isfunction(what) and what.__module__ == module.__name__ and name not in entries
    ]
    made = (f"{name} = numba.njit({'forceinline=True, ' * inline(name)}{FLAGS})({name})\n" for name in own)
    return f"{text}\n\n{''.join(made)}"


def installed() -> bool:
    """Return whether numba is installed."""
    return importlib.util.find_spec("numba") is not None


class CachedCode:
    """One such text: a module whose functions can be called."""

    def __init__(self, stem: str, text: str) -> None:
        self._stem = stem
        self._text = HEAD + text
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
        """Return whether this function of it was compiled before, in this process or another."""
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


class MachineCode:
    """Functions of such a text as object files, which need llvmlite to be loaded and numba only to be compiled.

    They take words, numbers of 32 bits and addresses, return a word, and own no memory. What is compiled is the text as
    `write` gives it back, behind HEAD.
    """

    def __init__(
        self, stem: str, text: str, signatures: Mapping[str, str], write: Callable[[str], str] | None = None
    ) -> None:
        self._stem = stem
        self._source = text
        self._write = write
        self._signatures = signatures
        self._digest = hashlib.sha256(repr((HEAD, text, sorted(signatures.items()))).encode()).hexdigest()[:16]
        self._addresses: dict[str, int] = {}
        self._held: list[Any] = []  # the owner of the code

    def _file(self, name: str) -> Path:
        return cache_folder() / f"{self._stem}_{self._digest}_{_machine()}.{name}.o"

    @property
    def text(self) -> str:
        """The text that is compiled."""
        return HEAD + (self._source if self._write is None else self._write(self._source))

    @property
    def loaded(self) -> bool:
        """Whether this process has all of it."""
        return len(self._addresses) == len(self._signatures)

    @property
    def there(self) -> bool:
        """Whether it was compiled before, in this process or another."""
        return self.loaded or all(self._file(name).exists() for name in self._signatures)

    def address(self, name: str) -> int:
        """Return the address of a function: compiled on first use, or loaded from the cache."""
        self.load()
        return self._addresses[name]

    def function(self, name: str) -> Callable[..., int]:
        """Return a function for Python; numbers are passed with 32 bits, bytes and `ctypes.c_void_p` as addresses."""
        return ctypes.PYFUNCTYPE(ctypes.c_int64)(self.address(name))

    def load(self) -> None:
        """Compile the text, or load it from the cache."""
        if self.loaded:
            return
        for name in self._signatures:
            with suppress(OSError, ValueError, RuntimeError):  # no file, or one that cannot be read
                symbol, _, code = self._file(name).read_bytes().partition(b"\n")
                engine, address = _load_object(code, symbol.decode())
                self._held.append(engine)
                self._addresses[name] = address
        if not self.loaded:
            self._addresses = {}
            self._compile()

    def _compile(self) -> None:
        import numba

        module = f"{self._stem}_{self._digest}"
        with compiling_as_one(module, self._signatures):
            space: dict[str, Any] = {"__name__": module}
            exec(compile(self.text, f"<{self._stem}>", "exec"), space)  # noqa: S102 - own text
            for name, signature in self._signatures.items():
                made = numba.cfunc(signature, _nrt=False, error_model="numpy")(space[name])
                self._held.append(made)
                self._addresses[name] = made.address
                code = _object_of(made)
                if code is not None:
                    with suppress(OSError):  # then the next process compiles it again
                        whole = made.native_name.encode() + b"\n" + code
                        write_whole(self._file(name), lambda file, whole=whole: file.write(whole))  # type: ignore[misc]


@cache
def _machine() -> str:
    """Return the processor and the compiler that machine code is for, as eight hex digits."""
    import platform
    from importlib.metadata import version

    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").partition("\n\n")[0].splitlines()
        processor = [line for line in lines if line.startswith(("model name", "flags", "CPU part", "Features"))]
    except OSError:
        processor = [platform.processor()]
    parts = (platform.machine(), sys.platform, processor, version("llvmlite"))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:8]


_LIBRARY = frozenset(("memset", "memcpy", "memmove"))
"""Functions that every process has."""
_NEVER_CALLED = (
    "numba_gil_ensure", "numba_gil_release", "numba_unpickle", "numba_runtime_build_excinfo_struct", "numba_do_raise",
)  # fmt: skip
_PYTHON = (
    "PyUnicode_FromString", "PyErr_WriteUnraisable", "Py_DecRef", "PyErr_Clear", "PyErr_SetString", "PyErr_SetNone",
    "PyBytes_FromStringAndSize",
)  # fmt: skip
"""Functions to report an exception, which no loop raises: only numba has the first, this process the others."""
_EXCEPTIONS = ("PyExc_RuntimeError", "PyExc_SystemError", "PyExc_StopIteration")


def _object_of(made: Any) -> bytes | None:
    """Return the object file of a compiled function, or None if it calls anything that only numba has."""
    try:
        library = made._library
        module = library._final_module
        needed = {x.name for x in (*module.functions, *module.global_variables) if x.is_declaration}
        code: bytes = library._get_compiled_object()
    except (AttributeError, RuntimeError):  # another numba
        return None
    known = _LIBRARY.union(_NEVER_CALLED, _PYTHON, _EXCEPTIONS)
    foreign = [name for name in needed if name not in known and not name.startswith("llvm.")]
    # others are declared, and not called
    return None if any(name.encode() in code for name in foreign) else code


def _load_object(code: bytes, symbol: str) -> tuple[Any, int]:
    """Load an object file; return what owns its memory, and the address of a function in it."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    python = {name: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in _PYTHON}
    python |= dict.fromkeys(_NEVER_CALLED, python["PyErr_Clear"])
    python |= {name: ctypes.addressof(ctypes.c_void_p.in_dll(ctypes.pythonapi, name)) for name in _EXCEPTIONS}
    for name, address in python.items():
        if llvm.address_of_symbol(name) is None:
            llvm.add_symbol(name, address)
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine, engine.get_function_address(symbol)


@contextmanager
def compiling_as_one(module: str, entries: Collection[str]) -> Iterator[None]:
    """Have numba compile each function of a module once, and make machine code of these only.

    Else it compiles a function once more for each number that a call names and each size of numbers, and links,
    optimises and emits it with all that it calls at every level of calls. All numbers are passed as words. Passes for
    closures, `with`, raised errors and calls inlined in Python are left out, since no loop has any, and the type of a
    call is resolved once for the same arguments.
    """
    try:
        from numba import types
        from numba.core import codegen, compiler, cpu, dispatcher
        from numba.core import typed_passes as typed
        from numba.core import untyped_passes as untyped
        from numba.core.compiler_lock import global_compiler_lock

        libraries: Any = codegen.CPUCodeLibrary
        contexts: Any = cpu.CPUContext
        dispatchers: Any = dispatcher.Dispatcher
        builders: Any = compiler.DefaultPassBuilder
        callables: Any = types.BaseFunction
        make_function: Any = cpu._dynfunc.make_function
        finalize, executable = libraries.finalize, contexts.get_executable
        called, resolve = dispatchers.get_call_template, callables.get_call_type
        pipeline = builders.define_nopython_pipeline
        passes = (
            untyped.TranslateByteCode, untyped.FixupArgs, untyped.IRProcessing, untyped.GenericRewrites,
            untyped.ReconstructSSA, typed.NopythonTypeInference, typed.PreLowerStripPhis, typed.NopythonRewrites,
            typed.IRLegalization, typed.AnnotateTypes, typed.NativeLowering, typed.NoPythonBackend,
        )  # fmt: skip
    except (ImportError, AttributeError):  # another version of numba: it only takes longer
        yield
        return

    own, inside, resolved = f"{len(module)}{module}", set[Any](), dict[Any, Any]()

    def link(library: Any) -> None:
        if library.name not in entries and any(own in x.name for x in library._final_module.functions):
            library._finalized = True
            inside.add(library)
            return
        every, ahead = list[Any](), list(library._linking_libraries)
        while ahead:
            one = ahead.pop()
            if one not in every:
                every.append(one)
                ahead += one._linking_libraries if one in inside else []
        library._linking_libraries = every
        finalize(library)

    def stand_for(context: Any, library: Any, fndesc: Any, env: Any) -> Any:
        if fndesc.modname != module or fndesc.qualname in entries:
            return executable(context, library, fndesc, env)
        return make_function(fndesc.lookup_module(), fndesc.qualname, "", 0, env, (library,))

    def of_words(dispatcher: Any, arguments: Any, keywords: Any) -> Any:
        if dispatcher.py_func.__module__ == module:
            number = types.Integer, types.Boolean
            arguments = tuple(types.int64 if isinstance(x, number) else types.unliteral(x) for x in arguments)
        return called(dispatcher, arguments, keywords)

    def resolve_once(function: Any, context: Any, arguments: Any, keywords: Any) -> Any:
        asked = function, tuple(arguments), tuple(keywords.items())
        if asked not in resolved:
            resolved[asked] = resolve(function, context, arguments, keywords)
        return resolved[asked]

    def leave_out(state: Any, name: str = "nopython") -> Any:
        if state.func_id.func.__module__ != module:
            return pipeline(state, name)
        manager: Any = compiler.PassManager(name)
        for one in passes:
            manager.add_pass(one)
        manager.finalize()
        return manager

    with global_compiler_lock:  # no other thread compiles meanwhile
        libraries.finalize, contexts.get_executable, dispatchers.get_call_template = link, stand_for, of_words
        callables.get_call_type, builders.define_nopython_pipeline = resolve_once, staticmethod(leave_out)
        try:
            yield
        finally:
            libraries.finalize, contexts.get_executable, dispatchers.get_call_template = finalize, executable, called
            callables.get_call_type, builders.define_nopython_pipeline = resolve, staticmethod(pipeline)
