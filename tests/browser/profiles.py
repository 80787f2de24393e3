"""Browser profiles that several tests use one after another, each as if it were new."""

import json

EMPTY = "/addresses.json"
"""An address of the site that runs nothing."""
LASTING = {
    "page": ["on", "once", "add_init_script", "route", "route_web_socket", "expose_function", "emulate_media"],
    "context": [
        "on",
        "once",
        "add_init_script",
        "route",
        "grant_permissions",
        "new_cdp_session",
        "new_page",
        "set_offline",
    ],
}
"""What outlives the next address: a page of which a test asks this is not used again."""

_EMPTY = """async (recorded) => {
    localStorage.clear();
    sessionStorage.clear();
    for (const one of await caches.keys()) if (!recorded || one !== 'device') await caches.delete(one);
    const gone = (name) =>
        new Promise((done) => {
            setTimeout(() => done(false), 2000);
            indexedDB.deleteDatabase(name).onsuccess = () => done(true);
        });
    return (await Promise.all((await indexedDB.databases()).map(({name}) => gone(name)))).every(Boolean);
}"""


_RECORDED = """async () => {
    for (const cache = await caches.open('device'); ; await new Promise((then) => setTimeout(then, 200)))
        for (const one of await cache.keys()) {
            const address = new URL(one.url).pathname;
            if (!address.startsWith('/device/snapshot-')) continue;
            const href = URL.createObjectURL(await (await cache.match(one)).blob());
            Object.assign(document.createElement('a'), {href, download: 'snapshot'}).click();
            return address;
        }
}"""


def record(chromium, site, folder):
    """The address of a snapshot of Python that a page has made, written into the folder that the host serves."""
    page = chromium.new_context(service_workers="block").new_page()
    page.set_default_timeout(600_000)
    page.goto(f"{site}/calculator?h=123456789m1p(234p)%2B1p")
    with page.expect_download() as saving:
        address = page.evaluate(_RECORDED)
    saving.value.save_as(folder / address.lstrip("/"))
    page.context.close()
    return address


def new(chromium, size, phone, site, snapshot=""):
    """The page of a new profile, at an address that runs nothing; with a snapshot, Python starts from that."""
    device = {"viewport": size, "is_mobile": phone, "has_touch": phone}
    page = chromium.new_context(**device, reduced_motion="reduce", service_workers="block").new_page()
    page.goto(site + EMPTY)
    if snapshot:
        page.evaluate("async (address) => (await caches.open('device')).add(address)", snapshot)
    return page


def prefer(page, prefs):
    """Write what a user has chosen, before the first page of ours."""
    page.evaluate("prefs => localStorage.setItem('quepu', prefs)", json.dumps(prefs))


def watch(page):
    """Mark the page as spent as soon as something is asked of it, or of its profile, that cannot be taken back."""
    page.spent = False

    def marking(method):
        def marked(*args, **kwargs):
            page.spent = True
            return method(*args, **kwargs)

        return marked

    for owner, names in ((page, LASTING["page"]), (page.context, LASTING["context"])):
        for name in names:
            setattr(owner, name, marking(getattr(owner, name)))


def emptied(page, size, site, listeners, recorded=False):
    """Whether the page and its profile are as good as new again: nothing runs, nothing is stored.

    With `recorded` what starts Python faster stays.
    """
    if page.spent or page.is_closed() or len(page.context.pages) > 1:
        return False
    for owner, names in ((page, LASTING["page"]), (page.context, LASTING["context"])):
        for name in names:
            delattr(owner, name)
    page.goto(site + EMPTY)  # whatever ran ends, its lines are closed
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    page.context.clear_cookies()
    page.set_viewport_size(size)
    page.mouse.move(-1, -1)
    return page.evaluate(_EMPTY, recorded)
