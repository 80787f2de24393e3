"""The web server: the core behind a REST API, a store for user data, and the client's pages.

Imported only by `quepu serve`; the core and the scorekeeper do not depend on it. Each part of the site is a folder with
its `api` (routes) and `messages` (pydantic models):

    app                                     routes, guards and pages combined
    http                                    shared parts: base models, refusals, limits, the built client
    hands, books, payments, practice        requests about a hand, rulebooks, payments, practice
    score_tables                            physical tables and club nights (`quepu.scorekeeper`)
    players                                 players over many matches, and the roster of who is who
    desks                                   tournaments and club nights at their desk (`quepu.tournament.desk`)
    workshop                                drafts of rulebooks, and all effects of a change
    rooms                                   online tables of people and bots
    replays                                 finished matches, and reviews of them
    previews                                titles and pictures of shared links, and embeds
    assistants                              an MCP server for language models, on standard input and output
    accounts, store                         people; SQLite or PostgreSQL
    belongings                              moving a browser's data to another device
    limits, budget, lru_cache, work         limits of visitors, an LRU cache, heavy work in processes with limits
    operations                              metrics, health, logs and configuration for operators
    live                                    pages that follow a log, by server-sent events
    housekeeping                            removal of expired data, and of rooms closed by an operator
    device                                  the routes without other people, on the user's own device
    names, tables                           texts given by users; tables of the scorekeeper, folded once
    typescript, protocol_tables             the client's types and docs/reference/protocol.md, generated from the models
"""

from quepu.errors import needs

needs("fastapi")
