"""Which process runs which file: half of them those in the browser, which mostly wait, half what computes.

So the processor always has work, and few processes start a browser and its server.
"""

from __future__ import annotations

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

IN_BROWSER = "tests/browser/"


class HalfInBrowser(LoadFileScheduling):
    """A file is one piece of work; a process takes one of its own kind as long as there is one."""

    def _assign_work_unit(self, node: WorkerController) -> None:
        wanted = int(node.gateway.id.removeprefix("gw")) % 2 == 0
        file = next((one for one in self.workqueue if one.startswith(IN_BROWSER) == wanted), None)
        if file is not None:
            self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)
