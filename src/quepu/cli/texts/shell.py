"""Texts of the interactive scorer."""

from __future__ import annotations

from typing import Final

from quepu.errors import Text

SHELL: Final[dict[str, Text]] = {
    "shell.welcome": Text(
        "雀谱 {version} 交互算番。输入一手牌，如 11223sCC(NNNN)(123s)+3s；x 详略，? 帮助，q 退出。",
        "quepu {version}, interactive scorer. Type a hand such as 11223sCC(NNNN)(123s)+3s; x: more, ?: help, q: leave.",
    ),
    "shell.bye": Text("再见。", "Goodbye."),
    "shell.help.hand": Text(
        "手牌：13 张看听牌，14 张不写 + 看打哪张", "a hand; 13 tiles: waits; 14 without +: what to discard"
    ),
    "shell.help.rules": Text("换规则（也可用自己的 .toml 文件）", "another rulebook (or your own .toml file)"),
    "shell.help.seat": Text("门风", "own wind"),
    "shell.help.round": Text("圈风", "round wind"),
    "shell.help.draw": Text("自摸与点和之间切换", "self-drawn or by discard"),
    "shell.help.luck": Text("和牌情形；不带名称则清除", "circumstances of the win; none clears them"),
    "shell.help.flowers": Text("花牌：花名或张数；不带则清除", "flowers: names or a number; none clears them"),
    "shell.help.fans": Text("番种的原文、关系与牌例；不带名称列出全表", "a fan in full; none lists the whole rulebook"),
    "shell.help.explain": Text(
        "详细（原文、不计的原因、其他读法）或简略", "more (sentences, reasons, other readings) or less"
    ),
    "shell.help.state": Text("看当前设置", "what is set now"),
    "shell.help.reset": Text("恢复门风、情形、花牌等", "forget winds, circumstances and flowers"),
    "shell.help.lang": Text("换语言", "another language"),
    "shell.help.leave": Text("退出", "leave"),
    "shell.unknown": Text("不认识这个命令；? 看帮助。", "not a command; ? for help."),
}
