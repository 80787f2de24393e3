"""Rooms: tables that people and bots play at over a WebSocket.

One task plays the match of a room; its log is the single source of truth.

    api, socket, messages           routes, the socket, and the messages of both
    socket_messages,                everything sent over a socket, and everything received, a union each
      client_messages
    room, playing                   a room and its people's actions; its match, hand after hand
    admission, joining              seats before the match; bots' seats that persons take between hands
    broadcast                       messages to everyone
    places, seat_taking             four places, listeners, the clock; who sits where
    salts                           the players' contributions to the next wall
    start                           how a room opens, or continues a replay
    game, record                    the match and its table; the log, written before anything is sent
    bot_turns, bot_choice,          bots, and their processes; hints; the tables that both read
      bot_pool, hints,
      preparation, discard_values
    guests                          programs that the operator lets sit down
    serialize, redaction, closing   a room and its table as data, lines as each seat may see them, the end of a hand
    host                            the interface that a room needs from its host
    registry, lobby, takeover       the rooms of a process: opened and found; listed; taken over from dead processes
    visit                           a connection to a room here; calls by method name from other processes
    remote, bus                     rooms of other processes
"""
