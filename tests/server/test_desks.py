"""The desk over HTTP: an evening with late comers, corrections, two desks, and a server that is killed in between."""

import csv
import io
import random
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError

import pytest
from starlette.testclient import TestClient

from quepu.schema import LONGEST_PERSON
from quepu.server.app import create_app
from quepu.tournament.walls import verify_walls
from tests.server.organiser import WHO, Organiser
from tests.server.serving import Server, unlimited


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desks")
    with TestClient(create_app(unlimited(folder))) as client:
        yield client


@pytest.mark.parametrize(
    ("line", "zh", "en"),
    [
        ("很" * 41, f"名字“{'很' * 41}”有 41 个字符，最多 40 个。", "has 41 characters; the limit is 40."),
        ("甲," + "队" * 41, f"“甲”的队“{'队' * 41}”有 41 个字符，最多 40 个。", "has 41 characters; the limit is 40."),
        ("甲\u0007", "名字“甲\\x07”里有控制字符。", "contains a control character."),
    ],
)
def test_a_name_that_cannot_be_is_named_with_what_is_wrong(client, line, zh, en):
    for lang, words in (("zh", zh), ("en", en)):
        body = {"who": WHO, "title": "周五赛", "players": ["乙", line]}
        answer = client.post("/api/desks", json=body, headers={"accept-language": lang})
        assert answer.status_code == 400
        assert answer.json()["error"].endswith(words)


def test_a_name_of_forty_characters_is_taken_everywhere_and_one_of_forty_one_nowhere(client):
    longest, names = "Maria-Magdalena van den Nieuwendijk-Vries", ["乙", "丙", "丁"]
    assert len(longest) == 41
    for name, status in ((longest[:-1], 201), (longest, 422), ("长" * 40, 201), ("长" * 41, 422)):
        table = {"who": WHO, "rules": "guobiao-mcr", "names": [name, *names]}
        assert client.post("/api/tables", json=table).status_code == status
        room = {"name": name, "rules": "guobiao-mcr", "bots": ["", *["plain"] * 3]}
        assert client.post("/api/rooms", json=room).status_code == (200 if status == 201 else 422)
        desk = client.post("/api/desks", json={"who": WHO, "title": "t", "players": [name, *names]})
        assert desk.status_code == (201 if status == 201 else 400)
        if status == 201:
            path, seen = f"/api/desks/{desk.json()['id']}", desk.json()["length"]
            assert client.get(path).json()["players"][0]["name"] == name
            new = {"do": "rename", "name": name, "to": name[::-1]}
            assert client.post(path, json={"seen": seen, "record": new}).json()["players"][0]["name"] == name[::-1]
            new = {"do": "rename", "name": name[::-1], "to": name + "x"}
            assert client.post(path, json={"seen": seen + 1, "record": new}).status_code == 422


def test_the_pages_let_names_be_as_long_as_the_server_does():
    text = (Path(__file__).parents[2] / "web/src/lib/names.ts").read_text(encoding="utf-8")
    assert f"LONGEST_PERSON = {LONGEST_PERSON};" in text


def test_every_wrong_line_of_a_list_is_named_and_nothing_is_opened(client):
    before = len(client.get("/api/desks", headers={"X-Who": WHO}).json())
    lines = ["甲,红", "乙", " ", "甲,红", "很" * 41, ",红,7", "丙", "乙"]
    answer = client.post("/api/desks", json={"who": WHO, "title": "周五赛", "players": lines})
    assert answer.status_code == 400
    zh = answer.json()["error"].splitlines()
    assert [line.split("：")[0] for line in zh] == ["第 4 行", "第 5 行", "第 6 行", "第 8 行"]
    assert zh[0].startswith("第 4 行：第 1 行已有：名字“甲”写了两次") and zh[2] == "第 6 行：没写名字。"
    answer = client.post("/api/desks", json={"who": WHO, "title": "t", "players": lines}, params={"lang": "en"})
    assert answer.json()["error"].splitlines()[2] == "Line 6: the name is missing."
    answer = client.post("/api/desks", json={"who": WHO, "title": "t", "players": ["很" * 41] * 100})
    assert answer.json()["error"].splitlines()[20:] == ["还有 80 处。"]
    assert len(client.get("/api/desks", headers={"X-Who": WHO}).json()) == before


def test_two_of_one_name_differ_by_team_or_note(client):
    names = ["林清，甲队", "林清,乙队", "周（大）", "周（小）", "周", "吴，甲队"]
    desk = Organiser(client, names)
    assert [(one["name"], one["team"]) for one in desk["players"]] == [
        ("林清（甲队）", "甲队"), ("林清（乙队）", "乙队"), ("周（大）", ""), ("周（小）", ""), ("周", ""),
        ("吴", "甲队"),
    ]  # fmt: skip
    one_with = Organiser(client, ["林清", "林清，乙队"])
    assert [one["name"] for one in one_with["players"]] == ["林清", "林清（乙队）"]
    for twice in (["林清", "林清"], ["林清，甲队", "林清，甲队"], ["林清（甲队）", "林清，甲队", "林清，乙队"]):
        answer = client.post("/api/desks", json={"who": WHO, "title": "周五赛", "players": [*twice, "乙"]})
        assert answer.status_code == 400
        assert "写了两次" in answer.json()["error"] and "备注" in answer.json()["error"]


def test_players_are_read_as_spreadsheets_write_them(client):
    """Much of Europe's spreadsheets put semicolons between cells, and all quote a cell that holds the separator."""
    desk = Organiser(client, ["Anna Berg;Rot;04010001", '"Berg, Jan",Rot,', "Li“小虎”\tBlau\t", '丁；Blau；"7"'])
    assert [(one["name"], one["team"], one["number"]) for one in desk["players"]] == [
        ("Anna Berg", "Rot", "04010001"), ("Berg, Jan", "Rot", ""), ("Li“小虎”", "Blau", ""), ("丁", "Blau", "7"),
    ]  # fmt: skip


def test_a_late_comer_of_a_name_that_is_here_is_not_taken_for_that_player(client):
    desk = Organiser(client, ["林清，甲队", "乙"])
    for team in ("", "甲队"):
        assert "林清（小）" in desk.do(status=400, do="enter", name="林清", team=team)["error"]
    desk.do(do="enter", name="林清（小）", team="甲队")
    desk.do(do="enter", name="林清", team="丙队")  # the team was wrong
    assert {one["name"]: one["team"] for one in desk["players"]} == {"林清": "丙队", "乙": "", "林清（小）": "甲队"}
    desk.do(do="leave", name="林清")
    desk.do(do="enter", name="林清", team="丙队")  # and is back
    assert all(one["here"] for one in desk["players"])


def test_points_of_a_table_sum_to_nothing_or_less_where_the_book_has_it_so(client):
    for rules, refused in (("guobiao", True), ("yuque-54", False)):
        desk = Organiser(client, list("甲乙丙丁"), rules=rules)
        assert desk["zero_sum"] == refused
        desk.do(do="draw", rounds=1, by="schedule")
        desk.do(do="begin")
        more = {"do": "slip", "round": 1, "table": 1, "points": [30, 10, -20, -10]}
        answer = desk.do(status=400 if refused else 200, **more)
        assert not refused or "+10" in answer["error"]
        desk.do(**{**more, "points": [30, -10, -20, -10]})  # penalties that go to nobody


def test_the_same_walls_at_all_tables_are_committed_to_before_and_shown_after(client):
    desk = Organiser(client, [f"选手{i}" for i in range(1, 9)], hands=3)
    desk.do(do="draw", rounds=1)
    desk.do(do="begin", same_walls=True)
    promised = desk["rounds"][0]["commitment"]
    assert len(promised) == 64
    assert "secret" not in str(desk.view)
    reader = client.post(f"/api/desks/{desk['id']}/reader", json={}).json()["reader"]
    early = client.get(f"/api/desks/{reader}/walls/1")
    assert early.status_code == 400
    assert "打完才揭示" in early.json()["error"]
    own = client.get(f"/api/desks/{desk['id']}/walls/1").json()  # the referee builds them
    for table in (1, 2):
        desk.do(do="slip", round=1, table=table, points=[24, -8, -8, -8])
    shown = client.get(f"/api/desks/{reader}/walls/1").json()
    assert shown == own
    assert shown["commitment"] == promised
    assert verify_walls(shown) == 3
    assert client.get(f"/api/desks/{desk['id']}/walls/2").status_code == 400
    desk.do(do="undo_round")
    desk.do(do="begin", same_walls=True)
    assert desk["rounds"][0]["commitment"] not in ("", promised)  # those walls were seen


def test_from_nothing_to_round_one_for_thirteen_players(client):
    desk = Organiser(client, [f"选手{i}" for i in range(1, 14)])
    desk.do(do="draw", rounds=4)
    assert [len(one["tables"]) for one in desk["rounds"]] == [3] * 4
    assert [len(one["resting"]) for one in desk["rounds"]] == [1] * 4
    assert len({name for one in desk["rounds"] for name in one["resting"]}) == 4
    assert desk["evenness"]["unavoidable"] == 6  # any later round has two pairs of the first
    assert desk["evenness"]["repeats"] <= 12  # any two rounds have two pairs in common: the least there can be
    desk.do(do="begin")
    assert desk["number"] == 1
    assert desk["clock"]["running"]
    assert desk["clock"]["left"] == 90 * 60


def test_names_that_cannot_be_are_refused_with_a_sentence(client):
    for players, why in ((["x" * 41], "最多 40 个"), (["甲", "甲"], "写了两次"), (["甲," + "x" * 60], "最多 40 个")):
        answer = client.post("/api/desks", json={"who": WHO, "title": "t", "players": players})
        assert answer.status_code == 400
        assert why in answer.json()["error"]


def test_guards_readers_and_a_spreadsheet(client):
    desk = Organiser(client, ["甲,红", "乙,红", "丙，黑", "=丁,黑"], order=["standard", "total"])
    assert desk.do(400, do="begin")["error"].startswith("没有排好的轮")
    desk.do(do="draw", rounds=1)
    desk.do(do="begin")
    sat = desk["rounds"][0]["tables"][0]["names"]
    desk.do(do="slip", round=1, table=1, points=[30, 10, -10, -30])
    desk.do(do="slip", round=1, table=1, points=[30, 12, -12, -30], note="抄错")
    assert [one["points"] for one in desk["rounds"][0]["tables"][0]["results"]] == [
        [30, 10, -10, -30],
        [30, 12, -12, -30],
    ]
    assert [line["name"] for line in desk["standings"]] == sat
    assert [line["standard"] for line in desk["standings"]] == [4, 2, 1, 0]
    assert {line["team"] for line in desk["teams"]} == {"红", "黑"}
    reader = client.post(f"/api/desks/{desk['id']}/reader").json()["reader"]
    seen = client.get(f"/api/desks/{reader}").json()
    assert seen["readonly"]
    assert seen["standings"] == desk["standings"]
    refused = client.post(f"/api/desks/{reader}", json={"seen": seen["length"], "record": {"do": "undo_round"}})
    assert refused.status_code == 403
    text = client.get(f"/api/desks/{reader}/export").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0][:3] == ["名次", "姓名", "队"]
    assert "'=丁" in [row[1] for row in rows[1:5]]
    assert client.post(f"/api/desks/{desk['id']}", json={"seen": 1, "record": {"do": "undo_round"}}).status_code == 409
    assert [one["id"] for one in client.get("/api/desks", headers={"X-Who": WHO}).json()].count(desk["id"]) == 1


def test_score_tables_of_a_round_count_when_they_are_over(client):
    desk = Organiser(client, ["甲", "乙", "丙", "丁", "戊"], rules="guobiao", length=1)
    desk.do(do="draw", rounds=1)
    desk.do(do="begin", open_tables=True)
    table = desk["rounds"][0]["tables"][0]
    opened_table = client.get(f"/api/tables/{table['opened']}").json()
    assert opened_table["names"] == table["names"]
    for i in range(4):
        assert not client.get(f"/api/desks/{desk['id']}").json()["rounds"][0]["over"]
        record = {"kind": "hand", "winner": i, "points": 8 + i, "self_draw": True}
        body = {"seen": opened_table["length"], "do": "add", "record": record}
        opened_table = client.post(f"/api/tables/{table['opened']}", json=body).json()
    assert opened_table["over"]
    view = client.get(f"/api/desks/{desk['id']}").json()
    assert view["rounds"][0]["over"]
    assert {line["name"]: line["total"] for line in view["standings"]} == dict(
        zip(opened_table["names"], opened_table["totals"], strict=True)
    ) | {view["rounds"][0]["resting"][0]: 0}


@pytest.mark.slow
def test_an_evening_of_forty_with_a_killed_server_and_two_desks(tmp_path):
    """Forty players, eight rounds, three absent, two late, a twentieth corrected: standings are a recomputation."""
    rng = random.Random(16)
    server = Server(tmp_path / "data")
    try:
        names = [f"选手{i:02}" for i in range(1, 41)]
        view = server.fetch(
            "api/desks", {"who": WHO, "title": "四十人", "players": names[:38], "order": ["standard", "total"]}
        )
        id, written, corrections = view["id"], {}, 0

        def do(record, tries=60):
            """What one of the two desks does: look, write, and look again where the other was faster."""
            for _ in range(tries):
                now = server.fetch(f"api/desks/{id}")
                try:
                    return server.fetch(f"api/desks/{id}", {"seen": now["length"], "record": record})
                except HTTPError as error:
                    if error.code != 409:
                        raise AssertionError(error.read().decode()) from error
            raise AssertionError("never came to it")

        for number in range(1, 9):
            if number == 2:
                for name in names[38:]:
                    do({"do": "enter", "name": name})
            if number == 4:
                for name in names[:3]:
                    do({"do": "leave", "name": name})
            if number == 6:
                do({"do": "leave", "name": names[0], "back": True})
            view = do({"do": "draw", "rounds": 9 - number})
            view = do({"do": "begin"})
            tables = view["rounds"][number - 1]["tables"]
            slips = []
            for table in tables:
                points = [rng.randrange(-200, 200) for _ in range(3)]
                points.append(-sum(points))
                slips.append({"do": "slip", "round": number, "table": table["number"], "points": points})
                written[number, table["number"]] = dict(zip(table["names"], points, strict=True))
            with ThreadPoolExecutor(2) as both:
                list(both.map(do, slips))
            for slip in slips:
                if rng.random() < 0.05 or (number == 8 and corrections == 0):
                    right = [slip["points"][1], slip["points"][0], *slip["points"][2:]]
                    do(slip | {"points": right, "note": "抄错"})
                    at = number, slip["table"]
                    written[at] = dict(zip(written[at], right, strict=True))
                    corrections += 1
            if number == 3:
                do({"do": "fine", "name": names[5], "points": 20, "standard": 1, "note": "迟到"})
            if number == 5:
                server.kill()
                server = Server(tmp_path / "data")
        assert corrections
        view = server.fetch(f"api/desks/{id}")
        total, standard = defaultdict(int), defaultdict(float)
        for sat in written.values():
            for name, points in sat.items():
                total[name] += points
                shares = [
                    p
                    for p, value in zip((4, 2, 1, 0), sorted(sat.values(), reverse=True), strict=True)
                    if value == points
                ]
                standard[name] += sum(shares) / len(shares)
        total[names[5]] -= 20
        standard[names[5]] -= 1
        assert {line["name"]: line["total"] for line in view["standings"]} == {name: total[name] for name in names}
        for line in view["standings"]:
            assert line["standard"] == pytest.approx(standard[line["name"]])
        keys = [(line["standard"], line["total"]) for line in view["standings"]]
        assert keys == sorted(keys, reverse=True)
        assert sum(len(t["results"]) - 1 for one in view["rounds"] for t in one["tables"]) == corrections
        assert view["evenness"]["repeats"] == 0  # drawn anew before each round, as people came and went
        assert view["evenness"]["seats"] <= 2
    finally:
        server.kill()
