"""The shape of the code, as `make numbers` measures it: what has been reached stays."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def size():
    spec = importlib.util.spec_from_file_location("code_size", ROOT / ".ci" / "code_size.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tree(size):
    return size.Tree(ROOT, [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*.py")])


def test_no_modules_import_one_another_in_a_circle(size, tree):
    assert size.circles(tree) == []


def test_a_circle_is_found_whatever_folders_it_crosses(size, tmp_path):
    for name, text in {"a": "import src.b.c", "b/c": "from src import d", "d": "def f():\n    import src.a"}.items():
        path = tmp_path / "src" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    tree = size.Tree(tmp_path, ["src/a.py", "src/b/c.py", "src/d.py"])
    assert size.circles(tree) == []  # modules are named from src/ on
    for path in tmp_path.rglob("*.py"):
        path.write_text(path.read_text().replace("src.", "").replace("from src import", "import"))
    assert size.circles(size.Tree(tmp_path, ["src/a.py", "src/b/c.py", "src/d.py"])) == [["a", "b.c", "d"]]


def test_functions_take_eight_parameters_at_most(size, tree):
    more = {one.name for one in tree.functions() if size.parameters(one) > size.PARAMETERS}
    assert more <= {"__init__", "write_bots"}  # those that are left
