"""Which process runs which file: one of four those in the browser, which mostly wait, the others what computes.

So the processor always has work, and few processes start a browser and its server, which takes twenty seconds of it.
"""

from __future__ import annotations

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

IN_BROWSER = "tests/browser/"


class FewInBrowser(LoadFileScheduling):
    """A file is one piece of work; a process takes one of its own kind as long as there is one."""

    def _assign_work_unit(self, node: WorkerController) -> None:
        wanted = int(node.gateway.id.removeprefix("gw")) % 4 == 0
        file = next((one for one in self.workqueue if one.startswith(IN_BROWSER) == wanted), None)
        if file is not None:
            self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)
