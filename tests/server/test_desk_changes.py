"""Changes at the desk over HTTP: corrections, settings, seating brought along, check-in, files, cuts, photos."""

import base64
import csv
import io

import pytest
from starlette.testclient import TestClient

from quepu.server.app import create_app
from quepu.tournament.ema_results import HEAD
from tests.server.organiser import WHO, Organiser
from tests.server.serving import unlimited
from tests.workbooks import read_workbook


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desks")
    with TestClient(create_app(unlimited(folder))) as client:
        yield client


def test_a_slip_a_penalty_and_a_name_are_taken_back_as_at_the_scorekeeper(client):
    desk = Organiser(client, ["甲,红", "乙,红", "丙,黑", "丁,黑"], order=["standard", "total"])
    desk.do(do="draw", rounds=1)
    desk.do(do="begin")
    sat = desk["rounds"][0]["tables"][0]["names"]
    desk.do(do="slip", round=1, table=1, points=[30, 10, -10, -30], standard=[None, None, 0.5, None])
    assert {line["name"]: line["standard"] for line in desk["standings"]}[sat[2]] == 0.5
    desk.do(do="fine", name=sat[0], points=50, standard=1, note="迟到")
    [fine] = desk["fines"]
    assert desk["undo"]["zh"] == f"{sat[0]} 罚 50 分、1 标准分（迟到）"
    right = {"do": "fine", "name": sat[1], "points": 20}
    desk.change(do="correct", of=fine["record"], record=right, note="罚错了人")
    assert {line["name"]: line["fined"] for line in desk["standings"]} == dict.fromkeys(sat, 0) | {sat[1]: 20}
    desk.change(do="undo")
    assert desk["fines"] == [fine]
    desk.change(do="remove", of=fine["record"], note="没有这回事")
    assert desk["fines"] == []
    [result] = desk["rounds"][0]["tables"][0]["results"]
    desk.change(do="remove", of=result["record"])
    assert desk["rounds"][0]["tables"][0]["results"] == []
    desk.change(do="undo")
    desk.do(do="rename", name=sat[0], to="贾")
    assert "贾" in desk["rounds"][0]["tables"][0]["names"]
    lines = client.get(f"/api/desks/{desk['id']}/history").json()["lines"]
    assert len(lines) >= 12
    said = [line["text"]["zh"] for line in lines]
    assert f"删除：{sat[0]} 罚 50 分、1 标准分（迟到）" in said
    assert next(line["note"] for line in lines if line["do"] == "remove") == "没有这回事"
    assert [line["undone"] for line in lines if line["do"] == "correct"] == [True]
    reader = client.post(f"/api/desks/{desk['id']}/reader", json={}).json()["reader"]
    assert client.get(f"/api/desks/{reader}/history").status_code == 403  # notes about people are not public
    assert client.get(f"/api/desks/{reader}").json()["undo"] is None


def test_a_change_that_cannot_be_is_refused_and_changes_nothing(client):
    desk = Organiser(client, ["甲", "乙", "丙", "丁", "戊"])
    before = desk.view
    for body, status, words in (
        ({"do": "undo"}, 400, "没有可以撤销的"),
        ({"do": "remove"}, 422, "of"),
        ({"do": "correct", "of": 0}, 422, "record"),
        ({"do": "remove", "of": 99}, 400, "没有这条记录"),
        ({"do": "correct", "of": 0, "record": {"do": "fine", "name": "甲", "points": 1}}, 400, "同类"),
        ({"do": "add"}, 422, "record"),
        ({"record": {"do": "rename", "name": "甲", "to": "乙"}}, 400, "已经有“乙”"),
        ({"record": {"do": "amend", "rules": "nosuch"}}, 400, ""),
        ({"record": {"do": "substitute", "name": "甲", "substitute": "甲", "round": 1}}, 400, "本人"),
    ):
        assert words in desk.change(status, **body)["error"]
    assert client.get(f"/api/desks/{desk['id']}").json() == before
    desk.do(do="fine", name="甲", points=5)
    number = desk["fines"][0]["record"]
    assert "后面的记录还提到“甲”" in desk.change(400, do="remove", of=0)["error"]
    wrong = {"do": "fine", "name": "谁", "points": 5}
    assert "名单里没有“谁”" in desk.change(400, do="correct", of=number, record=wrong)["error"]
    desk.change(do="remove", of=4)  # 戊 is named nowhere
    assert "戊" not in [one["name"] for one in desk["players"]]


def test_title_book_order_and_minutes_change_while_it_is_played(client):
    desk = Organiser(client, [f"选手{i}" for i in range(1, 9)], rules="guobiao")
    desk.do(do="draw", rounds=2)
    desk.do(do="begin", open_tables=True)
    opened = desk["rounds"][0]["tables"][0]["opened"]
    desk.do(do="amend", title="周六赛", rules="yuque-54", order=["wins", "direct"], minutes=45, length=1)
    assert [desk["spec"][key] for key in ("title", "rules", "order", "minutes", "length")] == [
        "周六赛", "yuque-54", ["wins", "direct"], 45, 1
    ]  # fmt: skip
    assert desk["zero_sum"] is False
    assert desk["rounds"][0]["tables"][0]["opened"] == opened
    assert "周六赛" in [one["title"] for one in client.get("/api/desks", headers={"X-Who": WHO}).json()]
    desk.do(do="begin", open_tables=True, anyway=True)
    table = client.get(f"/api/tables/{desk['rounds'][1]['tables'][0]['opened']}").json()
    assert table["title"] == "周六赛 2-1"
    assert "玉雀" in table["book"]["zh"]
    assert desk["clock"]["left"] == 45 * 60
    desk.change(do="undo")
    desk.change(do="undo")
    assert (desk["spec"]["title"], desk["spec"]["length"]) == ("周五赛", None)
    assert "周五赛" in [one["title"] for one in client.get("/api/desks", headers={"X-Who": WHO}).json()]


def test_a_score_table_counts_for_a_player_who_is_renamed_after_it_was_opened(client):
    desk = Organiser(client, ["甲", "乙", "丙", "丁"], rules="guobiao", length=1)
    desk.do(do="draw", rounds=1)
    desk.do(do="begin", open_tables=True)
    table = desk["rounds"][0]["tables"][0]
    desk.do(do="rename", name=table["names"][0], to="改名")
    opened = client.get(f"/api/tables/{table['opened']}").json()
    for i in range(4):
        record = {"kind": "hand", "winner": i, "points": 8 + i, "self_draw": True}
        body = {"seen": opened["length"], "do": "add", "record": record}
        opened = client.post(f"/api/tables/{table['opened']}", json=body).json()
    found = {line["name"]: line["total"] for line in client.get(f"/api/desks/{desk['id']}").json()["standings"]}
    assert found == dict(zip(["改名", *opened["names"][1:]], opened["totals"], strict=True))


def test_seating_brought_along_is_taken_whole_or_refused_by_line(client):
    names = [f"选手{i}" for i in range(1, 9)]
    desk = Organiser(client, names)
    desk.do(do="draw", rounds=2)
    before = desk.view
    text = "1,1,选手1,选手2,选手3,谁\n1,2,选手5,选手6,选手7,选手5"
    refused = desk.do(400, do="import", text=text)["error"].splitlines()
    assert refused == ["第 1 行：名单里没有“谁”。", "第 2 行：“选手5”写了两次。"]
    assert client.get(f"/api/desks/{desk['id']}").json() == before
    desk.do(do="import", text="1,2,3,4\n5,6,7,8\n\n1,5,2,6\n3,7,4,8\n")
    assert [one["tables"][0]["names"] for one in desk["rounds"]] == [names[:4], ["选手1", "选手5", "选手2", "选手6"]]
    costs = client.get(f"/api/desks/{desk['id']}/rounds/2/swaps", params={"name": "选手1"}).json()
    assert {one["name"]: one["repeats"] for one in costs} == {"选手3": 0, "选手4": 0, "选手7": 2, "选手8": 2}
    now = desk["evenness"]["repeats"]
    desk.do(do="swap", round=2, one="选手1", other="选手7")
    assert desk["evenness"]["repeats"] == now + 2


def test_players_of_one_name_with_numbers_and_checking_in_by_phone(client):
    desk = Organiser(client, ["林清,,04010001", "林清,,04010002", "乙,红,7"])
    assert [(one["name"], one["number"]) for one in desk["players"]] == [
        ("林清（04010001）", "04010001"), ("林清（04010002）", "04010002"), ("乙", "7")
    ]  # fmt: skip
    reader = client.post(f"/api/desks/{desk['id']}/reader", json={}).json()["reader"]

    def check_in(name):
        return client.post(f"/api/desks/{reader}/check-in", json={"name": name})

    assert check_in("乙").status_code == 403
    desk.do(do="amend", check_in=True)
    assert check_in("谁").status_code == 404
    first = check_in("乙").json()
    assert check_in("乙").json()["length"] == first["length"] == desk["length"] + 1  # a second time writes nothing
    assert {one["name"]: one["checked"] for one in first["players"]}["乙"] is True
    desk.view = client.get(f"/api/desks/{desk['id']}").json()
    assert desk["undo"]["zh"] == "改设置：开放手机签到"  # what a phone wrote is not the organisers' to undo
    assert first["readonly"] is True
    late = client.post("/api/desks", json={"who": WHO, "title": "t", "players": ["甲,队," + "9" * 21]})
    assert "“甲”的编号" in late.json()["error"]


def test_files_of_a_tournament_hold_what_its_page_shows(client):
    desk = Organiser(client, ["Anna Berg,,04010001", "王芳", "=丙", "丁", "戊", "己", "庚", "辛"])
    desk.do(do="draw", rounds=2)
    for number in (1, 2):
        desk.do(do="begin")
        for table in (1, 2):
            desk.do(do="slip", round=number, table=table, points=[30, 10, -10, -30])
    desk.do(do="annul", round=1, note="牌少一张")
    grid = client.get(f"/api/desks/{desk['id']}/grid").json()
    assert grid["rounds"] == 2
    for row in grid["rows"]:
        assert row["cells"][0]["points"] is None  # annulled
        assert row["total"] == row["cells"][1]["points"]
    path = f"/api/desks/{desk['id']}/export"

    def rows(form):
        text = client.get(path, params={"form": form, "lang": "en"}).content.decode("utf-8-sig")
        return list(csv.reader(io.StringIO(text)))

    sheet = rows("grid")
    assert sheet[0] == ["rank", "name", "round 1", "round 2", "points", "standard"]
    assert {row[1]: row[3] for row in sheet[1:]} == {
        f"'{line['name']}" if line["name"] == "=丙" else line["name"]: str(line["total"]) for line in desk["standings"]
    }
    data = client.get(path, params={"form": "json"}).json()
    assert (data["quepu"], data["version"], len(data["grid"]["rows"])) == ("tournament", 1, 8)
    assert data["standings"] == desk["standings"]
    assert data["history"][-1]["text"]["en"] == "Session 1 annulled (牌少一张)"


def test_results_for_ema_as_a_workbook_and_as_csv(client):
    desk = Organiser(client, ["Anna Berg,,04010001", "Jan van Dijk,,8010002", "王芳,,CHN", "丁"], rules="guobiao-ema")
    desk.do(do="draw", rounds=1)
    desk.do(do="begin")
    desk.do(do="slip", round=1, table=1, points=[30, 10, -10, -30])
    path = f"/api/desks/{desk['id']}/export"
    when = {"country": "fra", "place": "Lyon", "first": "2026-09-28", "last": "2026-10-01"}
    text = client.get(path, params={"form": "ema-csv", **when}).content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == list(HEAD)
    assert rows[2][:2] + rows[2][11:] == ["周五赛", "4", "FRA", "Lyon", "", "", "MCR", "28 Sep.-1 Oct.2026", "4"]
    people = {row[4]: row for row in rows[1:]}
    lines = {line["name"]: line for line in desk["standings"]}
    anna = lines["Anna Berg"]
    assert people["Berg"][2:10] == [
        str(anna["rank"]), "Anna", "Berg", "04010001", str(anna["standard"]), str(anna["total"]), "1", "FRA",
    ]  # fmt: skip
    assert [people["van Dijk"][at] for at in (3, 5, 8, 9)] == ["Jan", "08010002", "1", "NED"]
    assert [people["王芳"][at] for at in (5, 8, 9)] == ["0", "0", "CHN"]
    answer = client.get(path, params={"form": "ema", **when})
    assert answer.headers["content-disposition"].endswith('-ema.xlsx"')
    sheet = read_workbook(answer.content)
    assert sheet["F", next(at for (column, at), value in sheet.items() if value == "Berg")] == "04010001"
    assert (sheet["A", 3], sheet["B", 3], sheet["M", 3]) == ("周五赛", 4, "Lyon")
    wrong = client.get(path, params={"form": "ema", "country": "France", "lang": "en"})
    assert (wrong.status_code, wrong.json()["error"]) == (
        400, "country 'France' should be three letters, such as FRA.",
    )  # fmt: skip
    wrong = client.get(path, params={"form": "ema", "first": "2026-10-02", "last": "2026-10-01", "lang": "en"})
    assert "after the last" in wrong.json()["error"]
    other = Organiser(client, ["甲", "乙", "丙", "丁"], rules="lingque-29")
    refused = client.get(f"/api/desks/{other['id']}/export", params={"form": "ema", "lang": "en"})
    assert (refused.status_code, "MCR" in refused.json()["error"]) == (400, True)
    assert [one["ema_rules"] for one in (desk, other)] == ["MCR", ""]


@pytest.mark.parametrize(("record", "zh", "en"), [
    ({"do": "enter", "name": "甲", "number": "1" * 21}, "编号太长，最多 20 个字符。",
     "the number of a player is too long; the limit is 20 characters."),
    ({"do": "enter", "name": "甲", "team": "队" * 41}, "队名太长，最多 40 个字符。",
     "the name of the team is too long; the limit is 40 characters."),
    ({"do": "enter", "name": "甲" * 41}, "名字太长，最多 40 个字符。",
     "the name is too long; the limit is 40 characters."),
    ({"do": "cut", "names": []}, "名单太短，至少 1 项。", "the list of names is too short; at least 1 needed."),
    ({"do": "slip", "round": 1, "table": 1, "points": [0, 0, 0]}, "分数的列表太短，至少 4 项。",
     "the list of points is too short; at least 4 needed."),
    ({"do": "amend", "title": ""}, "名称太短，至少 1 个字符。", "the title is too short; at least 1 needed."),
])  # fmt: skip
def test_what_does_not_fit_is_named_in_the_words_of_the_page(client, record, zh, en):
    desk = Organiser(client, ["甲", "乙", "丙", "丁"])
    assert desk.do(422, **record)["error"] == zh
    body = {"seen": desk["length"], "record": record}
    assert client.post(f"/api/desks/{desk['id']}?lang=en", json=body).json()["error"] == en


def test_who_withdrew_without_playing_is_not_among_the_results_for_ema(client):
    desk = Organiser(client, ["Ann A", "Ben B", "Cy C", "Di D", "Eve E"], rules="guobiao-ema")
    desk.do(do="leave", name="Eve E")
    desk.do(do="draw", rounds=1)
    desk.do(do="begin")
    desk.do(do="slip", round=1, table=1, points=[30, 10, -10, -30])
    text = client.get(f"/api/desks/{desk['id']}/export", params={"form": "ema-csv"}).content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))[1:]
    assert (len(rows), rows[1][1], [row[2] for row in rows]) == (4, "4", ["1", "2", "3", "4"])
    assert all(row[4] != "E" for row in rows)


def test_a_cut_to_a_final_and_a_table_of_an_evening_without_rounds(client):
    desk = Organiser(client, [f"选手{i}" for i in range(1, 9)])
    desk.do(do="draw", rounds=1)
    desk.do(do="begin")
    desk.do(do="slip", round=1, table=1, points=[30, 10, -10, -30])
    desk.do(do="slip", round=1, table=2, points=[8, 4, -4, -8])
    assert "只有 8 人" in desk.do(400, do="cut_to", top=9)["error"]
    desk.do(do="cut_to", top=4, carry=0.5)
    four = [line["name"] for line in desk["standings"][:4]]
    assert [line["total"] for line in desk["standings"][:4]] == [15, 5, 4, 2]
    grid = client.get(f"/api/desks/{desk['id']}/grid").json()
    carried = {"kind": "carried", "after": 1, "total": 15, "standard": 2, "share": 0.5}
    assert grid["rows"][0]["extras"] == desk["standings"][0]["extras"] == [carried]
    file = client.get(f"/api/desks/{desk['id']}/export", params={"form": "grid", "lang": "en"})
    sheet = list(csv.reader(io.StringIO(file.content.decode("utf-8-sig"))))
    assert sheet[0] == ["rank", "name", "round 1", "carried", "points", "standard"]
    assert [sheet[1][2:], sheet[-1][3]] == [["30", "15", "15", "2.0"], ""]
    assert sorted(one["name"] for one in desk["players"] if one["here"]) == sorted(four)
    assert desk["stages"][0]["others"] == []
    last = desk["standings"][-1]["name"]
    table, seat = next((t["number"], t["names"].index(last)) for t in desk["rounds"][0]["tables"] if last in t["names"])
    desk.do(do="slip", round=1, table=table, points=[99 if i == seat else -33 for i in range(4)], note="填反了")
    assert desk["stages"][0]["others"][0] == last  # the page says that the list is no longer right
    again = Organiser(client, [f"选手{i}" for i in range(1, 9)])
    again.do(do="next_table", open_tables=False)
    again.do(do="next_table")
    assert "空着的只有 0 人" in again.do(400, do="next_table")["error"]
    assert [len(one["tables"]) for one in again["rounds"]] == [1, 1]
    again.change(do="undo")
    assert again["number"] == 1


def test_a_photo_of_the_slip_is_kept_with_the_result_for_the_organisers(client):
    desk = Organiser(client, ["甲", "乙", "丙", "丁"])
    desk.do(do="draw", rounds=1)
    desk.do(do="begin")
    path = f"/api/desks/{desk['id']}/photos"
    picture = b"\xff\xd8\xff\xe0" + bytes(999)

    def put(data, to=path):
        return client.post(to, json={"jpeg": base64.b64encode(data).decode()})

    taken = put(picture).json()["photo"]
    desk.do(do="slip", round=1, table=1, points=[8, 0, 0, -8], photo=taken)
    assert desk["rounds"][0]["tables"][0]["results"][0]["photo"] == taken
    got = client.get(f"{path}/{taken}")
    assert (got.content, got.headers["content-type"]) == (picture, "image/jpeg")
    assert put(b"\xff\xd8\xff" + bytes(179_997)).status_code == 201
    assert put(b"\xff\xd8\xff" + bytes(180_000)).status_code == 422
    assert put(b"<svg onload=alert(1)>").status_code == 422
    reader = client.post(f"/api/desks/{desk['id']}/reader", json={}).json()["reader"]
    assert client.get(f"/api/desks/{reader}/photos/{taken}").status_code == 403
    assert put(picture, f"/api/desks/{reader}/photos").status_code == 403
    assert client.get(f"/api/desks/{reader}").json()["rounds"][0]["tables"][0]["results"][0]["photo"] == ""
    other = Organiser(client, ["甲", "乙", "丙", "丁"])
    assert client.get(f"/api/desks/{other['id']}/photos/{taken}").status_code == 404
    assert client.get(f"{path}/{desk['id']}").status_code == 404
    client.delete(f"/api/desks/{desk['id']}", headers={"X-Who": WHO})
    assert client.get(f"{path}/{taken}").status_code == 404
