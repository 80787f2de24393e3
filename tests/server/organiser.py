"""An organiser who works at a desk through the API."""

from quepu.server.desks.messages import DeskView

WHO = "organiser-1234"


class Organiser:
    """A desk through the API."""

    def __init__(self, client, players, **more):
        self.client = client
        made = client.post("/api/desks", json={"who": WHO, "title": "周五赛", "players": players, **more})
        assert made.status_code == 201, made.text
        self.view = made.json()

    def __getitem__(self, key):
        return self.view[key]

    def do(self, status=200, **record):
        return self.change(status, record=record)

    def change(self, status=200, **body):
        body = {"seen": self["length"], **body}
        answer = self.client.post(f"/api/desks/{self['id']}", json=body)
        assert answer.status_code == status, answer.text
        if status == 200:
            self.view = answer.json()
            DeskView.model_validate(self.view)
        return answer.json()
