"""Players that are programs: a protocol, and levels from `random` to `master`. A bot sees a view and its options.

`external` and `botzone` seat programs in other processes, by our JSON lines and by the protocol of botzone.org.cn;
`botzone_player` runs one of ours there.
"""

from quepu.bots.protocol import LEVEL_NAMES, LEVELS, Bot, BotMaker, NotABot, heavy, level_of, make_bot

__all__ = ["LEVELS", "LEVEL_NAMES", "Bot", "BotMaker", "NotABot", "heavy", "level_of", "make_bot"]
