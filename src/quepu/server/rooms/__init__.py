"""Rooms: tables that people and bots play at over a WebSocket.

One task plays the match of a room; its log is the single source of truth.

    api, socket, messages           routes, the socket, and the shapes of both
    socket_messages,                everything that is sent over a socket, and everything that comes, each one union
      client_messages
    room, playing                   a room and what people do there; its match, hand after hand
    admission, broadcast            who sits down before the match; what everybody is sent
    places, seat_taking             four seats, everyone who is connected, the clock; who sits there
    salts                           what those who sit there put into the next wall
    start                           how a room opens, or plays on from a replay
    game, record                    the match and its table; the log that is written before anything is sent
    bot_turns, bot_choice,          bots, and the processes they think in; hints; the tables that both look into
      bot_pool, hints,
      preparation, discard_values
    serialize, redaction, closing   a room and its table as data, what each seat may see of a line, the end of a hand
    host                            what a room needs of whatever holds it
    registry, lobby, takeover       the rooms of a process: opened, found again; shown to all; gone on with for the dead
    visit                           a connection to a room here; calls by name from another process
    remote, bus                     rooms of other processes
"""
