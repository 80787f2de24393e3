"""The web server: the core behind a REST API, a store for user data, and the client's pages.

Imported only by `quepu serve`; the core and the scorekeeper do not depend on it. Each part of the site is a folder with
its `api` (routes) and `messages` (shapes):

    app                                     routes, guards and pages put together
    http                                    what all parts share: base shapes, refusals, limits, the built client
    hands, books, payments, practice        questions about a hand, rulebooks, who pays whom, practice
    score_tables                            physical tables and club nights (`quepu.scorekeeper`)
    players                                 players over months, and the roster that says who is who
    desks                                   tournaments and club nights at their desk (`quepu.tournament.desk`)
    workshop                                drafts of rulebooks, and everything that a change does
    rooms                                   tables that people and bots play at
    replays                                 matches that are over, and reviews of them
    accounts, store                         people; SQLite or PostgreSQL
    belongings                              a browser's own things on another device
    limits, budget, few, work               what strangers may cost, and heavy work in processes with limits
    operations                              metrics, health, logs, configuration: what an operator watches and sets
    live                                    pages that follow a log, by server-sent events
    housekeeping                            what is too old goes, and rooms that an operator has closed
    device                                  the routes that need no other people, on one's own device
    names, tables                           texts that people give; tables of the scorekeeper, folded once
    typescript, protocol_tables             the client's types and docs/reference/protocol.md, made from the shapes
"""

from quepu.errors import needs

needs("fastapi")
