"""Words of the site in both languages, and the modules of its API reference."""

WORDS = {
    "zh": {
        "books": "规则", "documents": "文档", "tutorials": "教程", "api": "接口", "value": "分值", "class": "类别",
        "aliases": "别名", "drops": "不计", "dropped_by": "不计于", "conflicts": "互斥", "share": "常见度",
        "least": "最少", "example": "例牌", "near_miss": "近似而不成", "minimum": "起和", "fans": "番种",
        "rulings": "裁定", "open": "待作者定", "english": "English", "digest": "指纹",
        "notebook": "下载笔记本", "try": "算番", "try_this": "在这里算",
        "figures": "性能数据（英文）", "studies": "番值是否合适",
    },
    "en": {
        "books": "Rulebooks", "documents": "Documents", "tutorials": "Tutorials", "api": "API", "value": "value",
        "class": "class", "aliases": "aliases", "drops": "leaves out", "dropped_by": "left out beside",
        "conflicts": "excludes", "share": "rarity", "least": "least", "example": "Example", "near_miss": "Near miss",
        "minimum": "minimum", "fans": "fans", "rulings": "Rulings", "open": "open", "english": "中文",
        "digest": "digest", "try": "Calculator", "try_this": "score it here",
        "figures": "Figures", "studies": "Are the values right?",
        "notebook": "download the notebook",
    },
}  # fmt: skip
MODULES = (
    "quepu", "quepu.errors", "quepu.tiles", "quepu.hands.hand", "quepu.rules.rulebook", "quepu.rules.row",
    "quepu.scoring.score", "quepu.scoring.waits", "quepu.scoring.completion", "quepu.fast.score_many",
    "quepu.fast.plan", "quepu.fast.arrays.hand_arrays", "quepu.fast.arrays.hand_lists", "quepu.fast.scores",
    "quepu.fast.nearest.many", "quepu.table", "quepu.table.play", "quepu.table.actions", "quepu.table.events",
    "quepu.table.visibility", "quepu.table.wall", "quepu.match", "quepu.match.match", "quepu.match.seats",
    "quepu.match.settle", "quepu.match.penalties", "quepu.match.log", "quepu.match.reader", "quepu.match.imports",
    "quepu.logs", "quepu.bots.protocol", "quepu.arena", "quepu.arena.bot_hand", "quepu.arena.played_effect",
    "quepu.arena.plan", "quepu.arena.simulate", "quepu.arena.bot_match", "quepu.arena.counts", "quepu.rl",
    "quepu.rl.env", "quepu.rl.single", "quepu.rl.single_vector", "quepu.rl.vector", "quepu.rl.rewards",
    "quepu.rl.encodings", "quepu.rl.action_numbers", "quepu.rl.layout", "quepu.rl.tokens", "quepu.rl.writer",
    "quepu.rl.sb3", "quepu.rl.data", "quepu.rl.episode_start", "quepu.review", "quepu.review.valuation",
    "quepu.review.rated_decisions", "quepu.review.grades", "quepu.review.sentences", "quepu.review.encoded",
    "quepu.lab", "quepu.lab.rarity", "quepu.lab.compare", "quepu.lab.find_hand", "quepu.tournament.schedule",
    "quepu.tournament.desk", "quepu.tournament.walls",
)  # fmt: skip
