"""The web server: the core behind a REST API, a store for what people keep, and the pages of the client.

Imported by `quepu serve` and by `quepu match`, which keeps score as the pages do; the core knows nothing of it.

    app, run, guard, speaking, pages        put together and served: limits, languages, refusals, the built client
    …_api                                   what is asked over HTTP, one part of the site each
    messages, …_messages, typescript        the shapes of questions and answers; the client's types made from them
    shapes, terms, pinyin, won              from the core's values to those shapes
    settling, pay_api                       who pays whom
    keeping, wording, club                  the scorekeeper: records folded, said in words, club nights
    practice                                questions made from a seed
    rooms, rooms_socket                     tables that people and bots play at
    replays                                 matches that are over, and reviews of them
    store                                   SQLite or PostgreSQL
    collecting                              Python's collector by the clock
"""
