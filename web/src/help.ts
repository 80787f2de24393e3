// The texts of the help dialog, below its keys.
import type { IconName } from "./components/Icon.svelte";
import type { Bilingual } from "./lib/types";

interface Paragraph extends Bilingual {
  /** Shown in small print. */
  small?: true;
  /** An example at its end, in the notation. */
  typed?: string;
}

export interface Section {
  title: Bilingual;
  paragraphs: Paragraph[];
}

export const SECTIONS: Section[] = [
  {
    title: { zh: "牌怎么写", en: "How hands are written" },
    paragraphs: [
      {
        zh: "数牌 1-9 后写 m（万）p（筒）s（索）；东南西北写 E S W N，中发白写 C F P。吃碰明杠放圆括号，暗杠放方括号，和张写在 + 后：",
        en:
          "Ranks 1-9, then m (characters), p (dots) or s (bamboo); winds E S W N, dragons C F P. Claimed melds " +
          "in round brackets, concealed kongs in square ones, the winning tile after +:",
        typed: "11223sCC(NNNN)(123s)+3s",
      },
      {
        zh: "一万、二筒、三索、东南西北中发白、1-7z 和 Unicode 麻将字符也可以。",
        en: "Chinese names, 1-7z and Unicode tiles also work.",
        small: true,
      },
    ],
  },
  {
    title: { zh: "牌墙是谁定的", en: "Who makes the walls" },
    paragraphs: [
      {
        zh:
          "没有人能单独决定。每局之前，服务器先公布一个密数的 SHA-256（承诺），每位玩家的浏览器也先公布自己随机数（盐）的承诺；" +
          "全部承诺公布后才出示盐，牌墙由密数和这些盐算出。服务器看到盐时已改不了密数，玩家出盐时也不知道密数。" +
          "局后公布密数，浏览器重算牌墙并核对。下载的牌谱也可以用 quepu verify 验证。",
        en:
          "No single party does. Before each hand the server publishes a commitment (SHA-256) to a secret, and each " +
          "player's browser publishes one to a random salt. Salts are revealed only once all commitments are out; " +
          "secret and salts together determine the wall. The server can no longer change its secret when it sees " +
          "the salts, and players choose theirs without knowing the secret. After the hand the secret is revealed " +
          "and your browser recomputes the wall and checks it. You can also check a downloaded log with quepu verify.",
      },
      {
        zh:
          "电脑不出盐（出了也是服务器的）。不在线、没有承诺或三秒内没有出示的玩家，这一局不用他的盐，牌谱里会写明；" +
          "两次承诺后都不出示的，这一场不再等他。和三个电脑打时，有你一个人的盐就够了：服务器选不了牌墙。",
        en:
          "Bots add no salt (it would be the server's anyway). Players who are away, have not committed or do not " +
          "reveal their salt within three seconds add none either, and the log records it. A player who commits " +
          "twice without revealing is not waited for again in that match. Against three bots, your salt alone is " +
          "enough: the server cannot choose the wall.",
      },
      {
        zh:
          "做不到的：服务器若有自己人在桌上，他可以承诺后不出示，从而在两副牌墙里选一副，但牌谱里看得出来。" +
          "导入的牌谱只标“已核对”：承诺和牌谱出自同一个作者。",
        en:
          "What this cannot prevent: if the server has a player of its own at the table, that player can commit and " +
          "then not reveal, and so choose between two walls; the log shows it. Imported logs are marked only " +
          "as checked, because the author of the file also wrote its commitments.",
        small: true,
      },
    ],
  },
  {
    title: { zh: "存了什么", en: "What is stored" },
    paragraphs: [
      {
        zh:
          "没有账号时，服务器只存：打过的牌局（桌上用的名字和每一步）、记分表、导入的牌谱、练习答案（记在本浏览器的随机编号下）。" +
          "有账号时另存账号名、密码的哈希、座位和登录期限（90 天）。IP 地址只在内存里，从不写入日志。",
        en:
          "Without an account: matches (table names and every move), score tables, imported logs and practice " +
          "answers (under a random ID kept in this browser). With an account: also its name, a password hash, your " +
          "seats and the login expiry (90 days). IP addresses are held in memory only and never logged.",
      },
      {
        zh:
          "保存多久：没开打的房间 30 天，练习答案两年，打过的牌局一直保存（服务器可另定）。导出和注销在“打牌 → 账号设置”；" +
          "记分表和导入的牌谱在各自的页面删除。与别人同桌的牌局注销后仍保留，因为那也是他们的记录。",
        en:
          "How long: rooms that never started 30 days, practice answers two years, matches indefinitely (a server " +
          "can set other limits). Export and delete your account under Play, Account; delete score tables and " +
          "imported logs on their own pages. Matches with other people are kept, because they are their record too.",
      },
    ],
  },
];

/** First answers for someone new. */
export const FIRST: Section[] = [
  {
    title: { zh: "怎么打", en: "How to play" },
    paragraphs: [
      {
        zh: "四个人轮流摸一张、打一张。谁先把十四张凑成四组（顺子或刻子）加一对，谁就和牌。",
        en:
          "Four players take turns drawing and discarding a tile. The first to complete four groups (runs or three " +
          "of a kind) and a pair wins.",
      },
      {
        zh: "轮到你时，点手里一张牌，再点一次就打出去。别人打出的牌你能吃、碰、杠、和时，按钮会出现；不要就点“过”。",
        en:
          "On your turn, tap a tile of your hand, and tap it again to discard it. When you can claim another " +
          "player's discard, buttons appear; press Pass if you do not want it.",
      },
      {
        zh: "拿不定主意，点“提示”：它会说打哪张、离和牌差几张、大概能得多少。",
        en:
          "Not sure? Press Hints: they show which tile to discard, how close you are to winning and roughly what you " +
          "may gain.",
      },
    ],
  },
];

/** The signs on the buttons of a table. */
export const ICONS: { icon: IconName; what: Bilingual }[] = [
  { icon: "eye", what: { zh: "提示：打哪张、听什么", en: "Hints: what to discard, what you wait on" } },
  { icon: "hold", what: { zh: "不吃碰杠：这一局不再问", en: "Skip claims: you are not asked again this hand" } },
  { icon: "bot", what: { zh: "自动：自动摸切、自动和", en: "Automatic: discard drawn tiles, declare wins" } },
  { icon: "say", what: { zh: "说句话", en: "Say something to the table" } },
  { icon: "sound", what: { zh: "声音开关", en: "Sound on or off" } },
  { icon: "book", what: { zh: "记录：这一局打过的每一步", en: "History: every move of this hand" } },
  { icon: "score", what: { zh: "结果：上一局谁付谁", en: "Result: who paid whom in the last hand" } },
  { icon: "settings", what: { zh: "这一桌：规则、座位、离开", en: "This table: rules, seats, leaving" } },
];

/** Words that players take for granted. */
export const GLOSSARY: { word: Bilingual; what: Bilingual }[] = [
  {
    word: { zh: "顺子、刻子、杠", en: "chow, pung, kong" },
    what: { zh: "三张相连；三张相同；四张相同", en: "three in a row; three of a kind; four of a kind" },
  },
  {
    word: { zh: "将", en: "pair" },
    what: { zh: "和牌必须有的一对", en: "the two identical tiles that every win needs" },
  },
  {
    word: { zh: "副露", en: "meld" },
    what: { zh: "吃、碰、杠来、亮在桌上的一组", en: "a claimed group, laid face up" },
  },
  {
    word: { zh: "听牌", en: "ready" },
    what: { zh: "再来一张就能和", en: "one tile away from a complete hand" },
  },
  {
    word: { zh: "进张", en: "useful tiles" },
    what: { zh: "摸到就离和牌更近的牌", en: "tiles that bring you nearer to a win" },
  },
  { word: { zh: "番种", en: "fan" }, what: { zh: "能算分的牌型或和法", en: "a pattern that scores" } },
  {
    word: { zh: "起和", en: "minimum" },
    what: { zh: "至少要有多少番或点才能和", en: "the least value a win needs" },
  },
  {
    word: { zh: "自摸、点和", en: "self-draw, on a discard" },
    what: { zh: "和自己摸到的牌；和别人打出的牌", en: "winning on your own draw; on another player's tile" },
  },
  {
    word: { zh: "放铳、点炮", en: "dealing in" },
    what: { zh: "打出的牌让别人和了", en: "discarding the tile another player wins on" },
  },
  {
    word: { zh: "荒牌、流局", en: "no winner" },
    what: { zh: "牌摸完了也没人和", en: "the wall runs out and no one has won" },
  },
  {
    word: { zh: "圈风、门风", en: "round wind, seat wind" },
    what: { zh: "这一圈的风；你座位的风", en: "the wind of the round; the wind of your seat" },
  },
];
