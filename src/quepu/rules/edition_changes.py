"""Changes between two editions as a reader wants them: values, relations, wording, each a list of lines."""

from __future__ import annotations

from typing import Any

from quepu.errors import Text
from quepu.rules.diff import difference
from quepu.rules.row import plain
from quepu.rules.rulebook import Rulebook


def edition_changes(old: Rulebook, new: Rulebook) -> dict[str, list[Text]]:
    """Lines by kind: "values", "relations", "wording"."""
    found = difference(old, new)
    values, related, words = [], [], []
    if old.minimum != new.minimum:
        values.append(Text(f"起和 {old.minimum} → {new.minimum}", f"minimum {old.minimum} → {new.minimum}"))
    options = {option.key: option for option in (*old.options, *new.options)}
    for key, (before, after) in found.options.items():
        if key in options:
            title, was, now = options[key].text, options[key].in_words(before), options[key].in_words(after)
            values.append(Text(f"{title.zh}：{was.zh} → {now.zh}", f"{title.en}: {was.en} → {now.en}"))
        else:
            words.append(Text(f"选项 {key}：{before} → {after}", f"option {key}: {before} → {after}"))
    values += [
        Text(f"新增 {fan.name}（{_value_text(fan.value)}）", f"new: {fan.english_and_name} ({_value_text(fan.value)})")
        for fan in found.added
    ]
    values += [Text(f"删去 {fan.name}", f"dropped: {fan.english_and_name}") for fan in found.removed]
    for change in found.changed:
        name, english = change.new.name, change.new.english_and_name
        if change.revalued:
            pair = f"{_value_text(change.old.value)} → {_value_text(change.new.value)}"
            values.append(Text(f"{name} {pair}", f"{english} {pair}"))
        if change.renamed:
            words.append(Text(f"{change.old.name} 改名 {name}", f"{change.old.name} is now {english}"))
        if change.redefined or change.reread:
            before, after = (Text(fan.in_words("zh"), fan.in_words("en")) for fan in (change.old, change.new))
            zh = f"：{before.zh} → {after.zh}" if before.zh != after.zh else ""
            en = f": {before.en} → {after.en}" if before.en != after.en else ""
            words.append(Text(f"{name} 的定义有改{zh}", f"{english} is defined otherwise{en}"))
        if change.restated:
            pair = f"{change.old.sentence} → {change.new.sentence}"
            words.append(Text(f"{name} 的文字有改：{pair}", f"{english} is worded otherwise: {pair}"))
        for fans, zh, en in (
            (change.gained.drops, "不计", "drops"), (change.lost.drops, "不再不计", "no longer drops"),
            (change.gained.conflicts, "互斥", "excludes"), (change.lost.conflicts, "不再互斥", "no longer excludes"),
        ):  # fmt: skip
            if fans:
                listed = "、".join(sorted(fans))
                related.append(Text(f"{name} {zh} {listed}", f"{english} {en} {listed}"))
    return {"values": values, "relations": related, "wording": words}


def _value_text(value: Any) -> str:
    return "/".join(str(n) for n in plain(value).values())
