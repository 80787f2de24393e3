// What the help dialog says under its keys.
import type { Bilingual } from "./lib/types";

interface Paragraph extends Bilingual {
  /** Of less weight. */
  small?: true;
  /** What it ends with, as it is typed. */
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
        zh: "一万、二筒、三索、东南西北中发白、1-7z 和 Unicode 麻将字符也认。",
        en: "Chinese names, 1-7z and Unicode tiles are read too.",
        small: true,
      },
    ],
  },
  {
    title: { zh: "牌墙是谁定的", en: "Who makes the walls" },
    paragraphs: [
      {
        zh:
          "谁也定不了。每局之前，服务器给一个密数的 SHA-256（承诺），在座各人的浏览器也各给一个随机数（盐）的；承诺公布之后，各人才出示盐，牌墙由密数和这些盐算出。服务器看到盐时密数已改不了，" +
          "玩家出盐时不知道密数。局后公布密数，浏览器重算一遍，页面上写着结果；下载的牌谱可用 quepu verify 再验。",
        en:
          "Nobody. Before each hand the server gives the SHA-256 (a commitment) of a secret, and the browser of " +
          "everybody at the table that of a random number (a salt). Salts are shown when all commitments are " +
          "published, and the wall follows from the secret and the salts. When the server sees the salts it can " +
          "no longer change the secret; who gives a salt does not know the secret. After the hand the secret is " +
          "shown, your browser works the wall out again and says whether it fits; a log that was downloaded can " +
          "be checked with quepu verify.",
      },
      {
        zh: "电脑不出盐（它的随机数也是服务器的）。不在的、没有承诺的、三秒内没有出示的，这一局没有他的盐，记在牌谱里；两次承诺而不出示的，这一场不再等他。与三个电脑打时，有你的盐，服务器就选不了牌。",
        en:
          "Bots give no salt (theirs would be the server's). Who is away, has not committed, or does not show " +
          "his salt within three seconds has none in that wall, and the log says so; who commits twice and shows " +
          "nothing is not waited for again in that match. Against three bots your own salt is enough: the server " +
          "cannot choose.",
      },
      {
        zh: "做不到的：不拦人事后不认账地离开；服务器若有自己人坐在桌上，他可以承诺后不出示，在两副牌里挑一副，但这会记在牌谱里。导入的牌谱只说“核对过”：文件是谁写的，承诺也是谁写的。",
        en:
          "What it cannot do: if the server has somebody of its own at the table, he can commit and then not " +
          "show, and so choose between two walls; the log shows that he did. Imported logs are only called " +
          "checked: whoever wrote the file wrote its promises too.",
        small: true,
      },
    ],
  },
  {
    title: { zh: "存了什么", en: "What is stored" },
    paragraphs: [
      {
        zh: "不用账号时，服务器只存：打过的牌局（桌上用的名字和每一步）、记分表、导入的牌谱、练习答案（记在这个浏览器自己的编号下）。有账号时另存名字、密码的摘要、座位、登录期限（90 天）。地址只在内存里，日志不记。",
        en:
          "Without an account: matches (the names used at the table and every move), score tables, imported " +
          "logs, answers in practice (under a number of this browser's own). With one also its name, a digest of " +
          "the password, its places and how long it is logged in (90 days). Addresses are in memory only and " +
          "never logged.",
      },
      {
        zh: "保存多久：没开打的房间 30 天，练习答案两年，打过的牌局一直存（服务器可另定）。导出和注销在“打牌 → 账号设置”；记分表和导入的牌谱在各自页面删除。与别人同桌的牌局注销后仍在，那也是他们的记录。",
        en:
          "For how long: rooms never begun 30 days, answers in practice two years, matches for good (a server " +
          "may say otherwise). Export and delete under Play, Manage account; score tables and imported logs on " +
          "their own pages. Matches with other people stay: they are their record too.",
      },
    ],
  },
];
