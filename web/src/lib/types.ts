// Generated from src/quepu/server/*messages.py by `python -m quepu.server.typescript`. Do not edit.

/** Accept an invitation under a name. */
export interface AcceptInvitation {
  who: string;
  name: string;
  code: string;
}

/** The account that is logged in. `token` is for programs (`Authorization: Bearer`); browsers use a cookie. */
export interface Account {
  name: string;
  created: number;
  token?: string | null;
}

/** A seat that belongs to the account; `over` once the match has ended. */
export interface AccountSeat {
  room: string;
  place: number;
  title: string;
  created: number;
  updated: number;
  over: boolean;
}

/** An action of this seat. `n` is the snapshot it answers, so that late ones are refused. */
export interface ActionMessage {
  action: TableAction;
  n?: number | null;
}

/** Add a new player, even if another has the same name. */
export interface AddNew {
  do?: "add";
  name: string;
  note?: string;
}

/** Add a new player, even if another has the same name; `note` tells them apart. */
export interface AddPlayer {
  do?: "add";
  id: string;
  name: string;
  note?: string;
}

/** Sets of logs to add up; with `id`, also one player's page of a rulebook, else of the one played most. */
export interface AddUp {
  sets: LogSetShape[];
  roster?: RosterFile | null;
  id?: string | null;
  book?: string | null;
}

/** A new fan: hands in which it holds, and near misses. */
export interface AddedFan {
  name: string;
  matches: HandShape[];
  near: HandShape[];
}

/** A hand that can win: the tiles that must still come, the whole hand, its points and fans. */
export interface AimShape {
  tiles: string[];
  hand: string;
  points: number;
  fans: string[];
}

/** Change the tournament itself; null leaves a value as it is. Rounds that have begun keep their score tables. */
export interface Amend {
  do?: "amend";
  title?: string | null;
  rules?: string | null;
  house?: string | null;
  length?: number | null;
  order?: ("standard" | "total" | "reduced" | "wins" | "met" | "direct" | "imps")[] | null;
  odd?: "rest" | "three" | null;
  minutes?: number | null;
  hands?: number | null;
  check_in?: boolean | null;
}

/** A sentence about a hand at the end (报番). */
export interface Announced {
  seat: "E" | "S" | "W" | "N";
  text: Bilingual;
}

/** A seat's announcement at the end of a hand (报番). */
export interface AnnouncementShape {
  seat: "E" | "S" | "W" | "N";
  text: Bilingual;
}

/** Count a round that has begun for nothing; `back` counts it again. */
export interface Annul {
  do?: "annul";
  round: number;
  back?: boolean;
  note?: string;
}

/** Two lines compared. `gained` are tiles useful to the first only. `lacking` says why nothing was played out. */
export interface AskAnswer {
  first: AskedLine;
  other: AskedLine;
  gained: AskedTile[];
  lost: AskedTile[];
  estimate: number;
  verdict: AskVerdict | null;
  played: PlayedSums | null;
  headline: Bilingual;
  sentences: Bilingual[];
  lacking: Bilingual | null;
}

/** An action that can be asked about: in the words of a question, and as it is called. */
export interface AskChoice {
  words: string;
  do: string;
  tile: string | null;
  text: Bilingual;
}

/** Actions that can be asked about at a moment; none if there was nothing to choose. */
export interface AskChoices {
  choices: AskChoice[];
}

/** A question about a discard from fourteen tiles, or about a tile that another seat discarded. */
export interface AskHand extends TypedMoment {
  instead?: string;
  of?: string;
  ready?: string[];
  gone?: string;
  aim?: string;
  play?: number;
  played?: PlayedSums | null;
}

/** A question about the choice that a frame of a hand shows. */
export interface AskReplay extends ReplayMoment {
  instead?: string;
  of?: string;
  ready?: string[];
  gone?: string;
  aim?: string;
  play?: number;
  played?: PlayedSums | null;
}

/** Points by which the first line is better, with a 99% interval; `better`: 1, -1, or 0 if about equal. */
export interface AskVerdict {
  mean: number;
  low: number;
  high: number;
  better: number;
}

/** One of the two actions. `nearer` and `drawn` are exact chances by own draws alone: a useful tile, a win. */
export interface AskedLine extends ReviewSide {
  choice: ReviewChoice;
  nearer: number[];
  drawn: number[];
  played: PlayedLine | null;
}

/** A kind of tile, and its copies that the seat does not see. */
export interface AskedTile {
  tile: string;
  left: number;
}

/** A player's attendance: days, and tables of all rulebooks; the first and the last day. */
export interface AttendedLine {
  id: string;
  name: string;
  days: number;
  tables: number;
  first: string;
  last: string;
}

/** Return of a player who did not move for long: the bot in this seat stops. */
export interface BackMessage {
  back: true;
}

/** A player's balance in hundredths. */
export interface Balance {
  name: string;
  amount: number;
}

/** Begin the match without absent players; everyone present is ready. */
export interface BeginMessage {
  begin: true;
}

/** Begin the next round; with `open_tables`, a score table is opened for each table of four. With `open_rooms`, online rooms are opened, with seats reserved by name. With `same_walls`, a secret is drawn and committed to, from which the walls of all tables are derived; with `own`, a wall for each seat. */
export interface BeginRound {
  do?: "begin";
  commitment?: string;
  anyway?: boolean;
  opened?: string[];
  online?: boolean;
  own?: boolean;
  arena?: boolean;
  open_tables?: boolean;
  open_rooms?: boolean;
  same_walls?: boolean;
}

/** Time is up: one more hand (the current one or, if a win was being counted, the next), then it is over. */
export interface BellRecord {
  kind?: "bell";
}

/** The belongings of a browser, counted. */
export interface BelongingsShape {
  tables: number;
  desks: number;
  replays: number;
  answers: number;
}

/** A high-scoring win; `at` is its table. */
export interface BestHandShape {
  book: string;
  points: number;
  tiles: string;
  at: string;
  when: number;
}

/** A sentence in both languages. */
export interface Bilingual {
  zh: string;
  en: string;
}

/** A rulebook without its rows. `flowers`: they count; `table_flowers`: tables have them by default. `club`: keys of the options that a club is asked about, in that order; empty in books that need no such questions. `welcome` is null in books that are not offered to newcomers. `kinds` are those of its tiles, without flowers. */
export interface BookBrief {
  id: string;
  title: Bilingual;
  family: string;
  edition: string;
  minimum: number;
  unit: Bilingual;
  words: BookWords;
  rows: number;
  kinds: string[];
  flowers: boolean;
  table_flowers: boolean;
  flower_value: number;
  round_wind: boolean;
  circumstances: string[];
  club: string[];
  fingerprint: string;
  aliases: string[];
  welcome: WelcomeShape | null;
}

/** Mistakes under one book: the rate of mistakes and blunders, points lost per hand, the costliest five. */
export interface BookMistakes {
  book: string;
  title: Bilingual;
  matches: number;
  hands: number;
  decisions: number;
  mistakes: number;
  blunders: number;
  share: number;
  rate: RateShape;
  cost: CostShape;
  kinds: MistakeSum[];
  worst: CostlyDecision[];
  curve: ReviewedMatch[];
}

/** A rulebook with every row, the terms of its table, and rulings that players should know. `measured` is the state of the hands that the rows' shares are of. */
export interface BookPage extends BookWithOptions {
  measured: Bilingual | null;
  terms: TermShape[];
  notes: Bilingual[];
  fans: FanRow[];
  categories: string[];
  category_names: Bilingual[];
  circumstance_names: Bilingual[];
  columns: ColumnShape[];
  rulings: RulingShape[];
}

/** A rulebook without its rows, but with its options. */
export interface BookWithOptions extends BookBrief {
  options: OptionShape[];
}

/** A book's own words: a hand, a hand without a winner, the match, the acts of winner and discarder. */
export interface BookWords {
  hand: Bilingual;
  drawn: Bilingual;
  match: Bilingual;
  won: Bilingual;
  discarded: Bilingual;
}

/** Fans by bits and least value: [name, bits, value]; the line as slope, intercept, R², s.d. */
export interface CalibrationShape {
  scale: Bilingual;
  fans: unknown[][];
  line?: number[] | null;
}

/** The result of a record when it was written, and its place: the result stands whatever rules say later. `payments` are payer, payee (seats, 4 the pool), points, the reason in Chinese and English; `winner` and `discarder` are seats, too, `also` the seat and points of each further winner of the same tile; `place` is round, dealership, repeat and who began the round; `barred` the players who could not win. It holds as long as the record keeps its place: correcting an earlier hand recalculates later ones. */
export interface CameTo {
  fingerprint: string;
  place: number[];
  barred?: number[];
  points?: number | null;
  winner?: number | null;
  discarder?: number | null;
  also?: unknown[][];
  payments: unknown[][];
}

/** A table opened and written on a device without a server: its whole log, in order. */
export interface CarriedTable {
  who: string;
  spec: TableSpec;
  entries: NewEntry[];
}

/** Predicted chances to win against what came true in bots' games, early, in the middle and late. `choices` were played out to measure the intervals of grades. */
export interface ChanceCheck {
  rules: string;
  decisions: number;
  choices: number;
  thirds: ChanceTenth[][];
}

/** Predictions of one tenth: how many, their mean, the share that came true, and half its 95% interval. */
export interface ChanceTenth {
  of: number;
  predicted: number;
  actual: number;
  half: number;
}

/** A change to a table that had `seen` entries. */
export interface Change extends NewEntry {
  seen: number;
}

/** A value to change, or the minimum if no fan is named. */
export interface ChangeShape {
  fan: string;
  new: Record<string, number>;
  text: Bilingual;
}

/** A kind of hand whose points change, with its fans before and after. */
export interface ChangedHand {
  hand: HandShape;
  points: number[];
  hands: number;
  fans: string[];
}

/** A fan in both books that differs; pairs are old, new. `reread`: its words are the same, but it holds in other hands. */
export interface ChangedRow extends DifferenceRow {
  renamed_from: string | null;
  values: (Record<string, number>)[] | null;
  sentences: string[] | null;
  categories: Bilingual[] | null;
  reread: boolean;
  no_longer_drops: string[];
  now_drops: string[];
  no_longer_conflicts: string[];
  now_conflicts: string[];
}

/** A term of the table that differs; null if one book is silent on it. */
export interface ChangedTerm {
  label: Bilingual;
  old: Bilingual | null;
  new: Bilingual | null;
}

/** All that is to settle about the fans of a draft, looked for in every hand of four states. */
export interface CheckAnswer {
  findings: DraftFindingShape[];
}

/** A player is in the hall, by their own word. */
export interface CheckIn {
  do?: "check_in";
  name: string;
}

/** A player checks in on the public page. */
export interface CheckInHere {
  name: string;
}

/** A discard and its outlook. */
export interface ChoiceShape extends OutlookAnswer {
  discard: string;
  name: string;
}

/** A circumstance of the book (`english` of it or of its fan): possible with this hand, or why not. */
export interface CircumstanceState extends Named {
  possible: boolean;
  why: string | null;
  self_draw: boolean;
}

/** The clock of the round: the seconds left at the time of the entry, and whether it runs. */
export interface ClockSet {
  do?: "clock";
  left: number;
  running: boolean;
}

/** A round with several versions, each the ids of its tables, and what that means. */
export interface ClubConflict {
  number: number;
  text: Bilingual;
  versions: string[][];
}

/** A club night, "" for tables without one, and how many tables it has. */
export interface ClubCount {
  name: string;
  tables: number;
}

/** Continue a club night at a desk, with these rules for later tables; new `players` are entered. */
export interface ClubDesk {
  who: string;
  club: string;
  rules?: string;
  house?: string;
  length?: number | null;
  players?: string[];
}

/** A player of a club night: rank, points over all tables, reduced score, standard points (null: none). */
export interface ClubLine {
  rank: number;
  name: string;
  total: number;
  reduced: number;
  standard: number | null;
  tables: number;
  hands: number;
}

/** One round of a club night. */
export interface ClubRound {
  number: number;
  tables: TableHead[];
}

/** A club night: its rounds and the standings over all of them; `desk` is the tournament that continues it. */
export interface ClubView {
  name: string;
  rounds: ClubRound[];
  conflicts: ClubConflict[];
  standings: ClubLine[];
  by: "total" | "reduced" | "standard";
  alpha: number;
  scale: number;
  desk: string;
}

/** A fan that a player has won with; `exact` is its share among all possible wins (null: not computed). */
export interface CollectedFan {
  name: string;
  count: number;
  exact: number | null;
}

/** The fans of one book over wins with known tiles; `of` is how many the book has. */
export interface CollectedFans {
  book: string;
  title: Bilingual;
  wins: number;
  of: number;
  fans: CollectedFan[];
}

/** A column of a family that a draft may write for a fan: bool, int, str, names or value; may it be false? */
export interface ColumnKind {
  key: string;
  head: Bilingual;
  kind: string;
  optional: boolean;
}

/** A column of the book's own table of fans besides name and value, such as 优先级. */
export interface ColumnShape {
  key: string;
  head: Bilingual;
}

/** Whether 14 unmarked tiles are a win: each kind that may have completed them, or the missing tiles. `sentence` says it. `missing` tiles must be exchanged; a `spare` kind can be discarded without falling back. */
export interface CompletionShape {
  complete: boolean;
  sentence: string;
  tiles: WaitShape[];
  missing: number;
  spare: string[];
  last: string | null;
}

/** Points lost in a hand: a mean of `of` values with its 95% interval (null: one value has no spread). */
export interface CostShape {
  of: number;
  mean: number;
  low: number | null;
  high: number | null;
}

/** A costly mistake: the replay, the number of its hand, the frame in the hand, the seat. */
export interface CostlyDecision {
  cost: number;
  at: string;
  hand: number;
  frame: number;
  seat: "E" | "S" | "W" | "N";
  kind: "missed_win" | "claim" | "unpayable" | "safety" | "speed" | "value";
  name: Bilingual;
  why: Bilingual;
}

/** A counted fan, with the groups that make it each time it counts (positions in `groups`). `value` is that of one time, `adds` the contribution of all of them; `called` is its name in this hand, if one row of the book stands for several. */
export interface CountedFan extends Named {
  count: number;
  value: Record<string, number>;
  adds: Record<string, number>;
  category: string;
  category_english?: string | null;
  sentence: string;
  definition: string;
  groups: number[][];
  note?: string | null;
  called?: string | null;
}

/** An example of the book, to be counted one fan at a time. */
export interface CountedHand {
  seat: "E" | "S" | "W" | "N";
  round: "E" | "S" | "W" | "N";
  self_draw: boolean;
  circumstances: string[];
  flowers: string[];
  hand: HandShape;
  score: ExplainedScore;
}

/** The course of a book: its lessons in their order. */
export interface CourseAnswer {
  rules: string;
  lessons: CourseLessonShape[];
}

/** A tile that another player has just discarded. */
export interface CourseDiscard {
  tile: string;
  side: "left" | "across" | "right";
}

/** A lesson of the course, its screens, and whether `who` has gone through it. */
export interface CourseLessonShape {
  key: string;
  title: Bilingual;
  passed: boolean;
  screens: CourseScreen[];
}

/** One thing to choose: words, tiles or a whole hand; `groups` are tiles shown with the reason `why`. */
export interface CourseOption {
  right: boolean;
  why: Bilingual;
  label: Bilingual | null;
  tiles: string[];
  hand: HandShape | null;
  groups: string[][];
}

/** A screen of a lesson: its tiles and its question. `all_of`: every right option has to be chosen; otherwise one of them is enough. */
export interface CourseScreen {
  key: string;
  kind: string;
  text: Bilingual;
  ask: Bilingual;
  hand: HandShape | null;
  tiles: string[];
  discard: CourseDiscard | null;
  all_of: boolean;
  options: CourseOption[];
}

/** A table on a player's curve. */
export interface CurvePoint {
  when: number;
  total: number;
  place: number;
  at: string;
}

/** Let only the best go on; `names` are those, and `carry` is the share of the points that they keep. */
export interface Cut {
  do?: "cut";
  names: string[];
  carry?: number;
}

/** Let only the first `top` of the standings go on, with this share of their points. */
export interface CutTo {
  do?: "cut_to";
  top: number;
  carry?: number;
}

/** The tables deleted with an account: those where it had played only with bots. */
export interface Deleted {
  rooms: string[];
}

/** A change to a tournament whose log had `seen` entries; repeating it with the same `key` has no effect. `do`: add a record, correct or remove the one with number `of`, or undo the latest change of any kind; `note` is why. */
export interface DeskChange {
  seen: number;
  key?: string;
  do?: "add" | "correct" | "remove" | "undo";
  of?: number | null;
  note?: string;
  record?: Enter | Leave | CheckIn | NewName | Substitute | Swap | DrawRounds | ImportSeating | BeginRound | NextTable | UndoRound | Annul | Slip | Fine | Ruling | CutTo | Cut | Amend | ClockSet | null;
}

/** The clock: when it was set, the seconds left then, and whether it runs; `now` is the server's time. */
export interface DeskClock {
  at: number;
  left: number;
  running: boolean;
  now: number;
}

/** Rounds by players. */
export interface DeskGrid {
  rounds: number;
  rows: GridRow[];
}

/** A tournament in a list. */
export interface DeskHead {
  id: string;
  title: string;
  updated: number;
}

/** Everything that was written at a desk, in order. */
export interface DeskHistory {
  title: string;
  lines: HistoryLine[];
}

/** A line of the standings; players whose keys are all equal share a rank. `stage` is how many cuts the player has passed: who goes on ranks before who does not. The results of the player's seats and `extras` add up to `total` and `standard`. */
export interface DeskLine {
  rank: number;
  name: string;
  team: string;
  number: string;
  total: number;
  standard: number;
  reduced: number;
  wins: number;
  met: number;
  direct: number;
  imps: number;
  tables: number;
  hands: number;
  fined: number;
  stage: number;
  extras: Extra[];
}

/** A player of the tournament; `checked` tells whether they have checked in by themselves. */
export interface DeskPlayer {
  name: string;
  team: string;
  number: string;
  here: boolean;
  checked: boolean;
}

/** A round; `at` is when it began, null for a future one. `commitment` is to the secret of its walls ("": every table builds its own); the desk can read the walls from the beginning, anyone once the round is over (`/walls/NUMBER`). `own`: each seat has its own wall (duplicate); the slips for their trays are at `/trays/NUMBER`. */
export interface DeskRoundShape {
  number: number;
  at: number | null;
  over: boolean;
  annulled: boolean;
  commitment: string;
  own: boolean;
  tables: DeskTableShape[];
  resting: string[];
}

/** A tournament as it is opened. `order` ranks players, the first that differs decides. `hands` is a table's number of hands, for the reduced score if a score sheet gives none; `alpha` and `scale` are its α and T₀. `odd` tells how to seat players who do not fill tables of four. `minutes` is the length of a round. `length` is the number of rounds of winds at a table. `interim`: score tables count while they are played; otherwise once they are over. `club` is the club night that it continues. */
export interface DeskSpec {
  title: string;
  rules?: string;
  house?: string;
  length?: number | null;
  order?: ("standard" | "total" | "reduced" | "wins" | "met" | "direct" | "imps")[];
  odd?: "rest" | "three";
  minutes?: number;
  hands?: number;
  alpha?: number;
  scale?: number;
  interim?: boolean;
  check_in?: boolean;
  club?: string;
}

/** A table: its number, the players at 东南西北, its score table or room, and all results. `scores` are what the last result is worth to everyone who played there, substitutes included. */
export interface DeskTableShape {
  number: number;
  names: (string | null)[];
  opened: string;
  online: boolean;
  results: OutcomeShape[];
  scores: PersonScore[];
}

/** A tournament's state. `number` is that of the newest round that has begun, `undo` what undoing would take back. `zero_sum`: points of a table sum to 0, or to less if penalties are paid to no player; otherwise there is a pool. `ema_rules`: the rules under which EMA files its results; empty if it takes none. */
export interface DeskView {
  id: string;
  readonly: boolean;
  length: number;
  created: number;
  spec: DeskSpec;
  players: DeskPlayer[];
  number: number;
  rounds: DeskRoundShape[];
  standings: DeskLine[];
  teams: TeamLine[];
  fines: FineShape[];
  stages: StageShape[];
  clock: DeskClock | null;
  evenness: EvennessShape;
  zero_sum: boolean;
  ema_rules: string;
  undo: Bilingual | null;
}

/** Changes from one rulebook to another; `changes` lists them as lines of words. */
export interface DifferenceAnswer {
  old: string;
  new: string;
  minimum: number[];
  terms: ChangedTerm[];
  added: DifferenceRow[];
  removed: DifferenceRow[];
  changed: ChangedRow[];
  rules: RewordedShape[];
  changes: EditionChanges;
}

/** A fan that only one of two books has, or that changed; with a hand under each book (null: not a win). */
export interface DifferenceRow extends Named {
  value: Record<string, number>;
  hand: HandShape | null;
  old_total: number | null;
  new_total: number | null;
  old_example: ShownExample | null;
  new_example: ShownExample | null;
}

/** Close the room to further players before the match, as `host`, or open it again. */
export interface DoorMessage {
  closed: boolean;
}

/** House rules compared with a book, by default their base. */
export interface DraftDifference extends HouseText {
  old?: string;
}

/** Something to settle about a fan of a draft: never, always, equal, brings or clash, with another fan. `drops`: by the book's sentence the first is not counted with the second; empty: nothing is demanded. */
export interface DraftFindingShape {
  kind: string;
  fan: string;
  other: string;
  text: Bilingual;
  drops: string[];
}

/** A valid rules file, parsed for a form. */
export interface DraftShape {
  base: string;
  digest: string;
  data: Record<string, unknown>;
}

/** A draft as a rules file. */
export interface DraftText {
  house: string;
}

/** Draw the rounds still to come: all at once with few repeat meetings, one by standings (Swiss), or fixed groups. `group` is how many neighbours in the standings form a group that stays together. `absent` lists the drawn rounds (from 1) that a player misses. */
export interface DrawRounds {
  do?: "draw";
  rounds?: number;
  by?: "schedule" | "standings" | "groups";
  group?: number;
  absent?: Record<string, number[]>;
}

/** The next part of a duel. `prepared`: the finished share of the bots' tables; walls are played once it is 1. */
export interface DuelAnswer {
  prepared: number;
  so_far: DuelSums;
  measures: DuelMeasure[];
  fans: DuelFan[];
}

/** A fan's share of the wins before and after, and the error bound of the difference. */
export interface DuelFan {
  name: string;
  old: number;
  new: number;
  old_share: number;
  new_share: number;
  error: number;
}

/** A measure per hand before and after, their difference and its standard error. */
export interface DuelMeasure {
  key: string;
  text: Bilingual;
  old: number;
  new: number;
  difference: number;
  error: number;
}

/** A draft to be played against its book: the bots' level, the seed of the walls, how many, and the state so far. */
export interface DuelRequest extends DraftText {
  level?: string;
  seed?: number;
  walls?: number;
  so_far?: DuelSums | null;
}

/** Sums over walls: six integers per measure, and the wins with each fan, before and after. */
export interface DuelSums {
  walls: number;
  sums: Record<string, number[]>;
  fans: (Record<string, number>)[];
}

/** Changes between two editions, for readers. */
export interface EditionChanges {
  values: Bilingual[];
  relations: Bilingual[];
  wording: Bilingual[];
}

/** All effects of a draft on the hands of a state. `points`: [points, share before, share after]. */
export interface EffectsAnswer {
  digests: string[];
  state: string;
  minimum: number[];
  summary: EffectsSummary;
  points: number[][];
  fans: FanEffect[];
  relations: RelationEffects;
  calibration: CalibrationShape[];
  hands: ChangedHand[];
  changes: EditionChanges;
  added: AddedFan[];
  findings: DraftFindingShape[];
}

/** A draft, and the state of the hands by which it is measured. */
export interface EffectsRequest extends DraftText {
  state?: string;
}

/** Points of all hands of a state, each before and after. */
export interface EffectsSummary {
  mean: number[];
  median: number[];
  payable: number[];
  payable_mean: (number | null)[];
  most: number[];
  hands: number;
  moves: Record<string, MoveShape>;
}

/** The match is over. */
export interface EndMessage {
  n: number;
  end: true;
}

/** The end of a hand, at a table and in a replay. `won` is null if no tile won, `score` if no player did. `also` lists the other winners of the same tile, where the rules allow several. */
export interface EndOfHand extends SettledHand {
  winner: "E" | "S" | "W" | "N" | null;
  discarder: "E" | "S" | "W" | "N" | null;
  self_draw: boolean;
  robbed: boolean;
  won: WinRequest | null;
  score: Record<string, ExplainedScore> | null;
  also: FurtherWin[];
}

/** The match ends here, whatever the book says; `note` is why. */
export interface EndRecord {
  kind?: "end";
  note?: string;
}

/** Enter a player from the next round on, or change a player's team or club number. */
export interface Enter {
  do?: "enter";
  name: string;
  team?: string;
  number?: string;
}

/** Evenness of the rounds: repeat meetings, unavoidable ones, the spread of seats, rests. */
export interface EvennessShape {
  repeats: number;
  unavoidable: number;
  seats: number;
  rests: number[];
}

/** An event, and the same in words. */
export interface EventMessage {
  n: number;
  event: TableEvent;
  text: Bilingual;
}

/** Score of a hand, and why. */
export interface ExplainedScore extends ScoreAnswer {
  rules: string;
  fingerprint: string;
  groups: GroupShape[];
  counted: CountedFan[];
  suppressed: SuppressedFan[];
  steps: string[];
  flowers: number;
  short: number;
  others: OtherReading[];
}

/** A case. `log` is its log in the folder, to be opened as a replay; empty if that is not there. */
export interface ExploredCase {
  log: string;
  hand: number;
  frame: number;
  seat: string;
  player: string;
  turn: number;
  tile: string;
  cost: number;
  won: boolean;
}

/** Cases: how often the discard was won on and its cost, how often the seat won the hand, what that brought it. */
export interface ExploredGroup {
  group: string | null;
  cases: number;
  hands: number;
  taken: ExploredShare;
  cost: ExploredMean;
  won: ExploredShare;
  gain: ExploredMean;
}

/** A mean with its 95% interval, null where there is none: one case, or all alike. */
export interface ExploredMean {
  mean: number;
  low: number | null;
  high: number | null;
}

/** `cases` of `of`, the share, and its 95% interval. */
export interface ExploredShare {
  cases: number;
  of: number;
  share: number;
  low: number;
  high: number;
}

/** The cases of a filter among all `rows`, in groups and `more` that are not listed. `exact` is the chance of the tiles held, if it is only about those. */
export interface ExplorerAnswer {
  terms: string[];
  rows: number;
  groups: ExploredGroup[];
  more: number;
  exact: number | null;
  examples: ExploredCase[];
  unread: Bilingual[];
}

/** Filters and groups that a question can name; `available`: whether this server has stored discards. */
export interface ExplorerStart {
  available: boolean;
  terms: ExplorerTerm[];
  groups: string[];
}

/** A name of the filter language: in both languages, and what it is about. */
export interface ExplorerTerm {
  name: Bilingual;
  text: Bilingual;
}

/** A question: a filter such as `shown>=2 turn>=10 tile=1m`, grouped `by` a name or not, with costliest cases. */
export interface Exploring {
  filter: string;
  by?: string;
  examples?: number;
}

/** A draft for a pull request: Python rows, and the changes for readers of the edition, in either language. */
export interface ExportAnswer {
  python: string;
  changes: Bilingual;
}

/** Points of a player besides the results of the player's seats, placed after round `after`. `carried`: the share of everything so far with which the player went on from a cut; it replaces the rows above it. The others are added: penalties (`fined`), results that a substitution passed on or took over (`passed_on`), and results after a cut that the player did not pass (`uncounted`). */
export interface Extra {
  kind: "fined" | "passed_on" | "uncounted" | "carried";
  after: number;
  total: number;
  standard: number;
  share: number;
}

/** A fan before and after, null if a book does not have it. `standing`: counts, redundant or impossible here. */
export interface FanEffect extends Named {
  value: (Record<string, number> | null)[];
  hands: (number | null)[];
  share: (number | null)[];
  bits: (number | null)[];
  least: (number | null)[];
  most: (number | null)[];
  standing: (string | null)[];
  changed: number;
}

/** A row of a rulebook; `definition` is its sentence in English; `columns` are the book's own, by key. `written` is the value in the original book, if a house changed it and not the sentence. */
export interface FanRow extends Named {
  pinyin: string;
  aliases: string[];
  value: Record<string, number>;
  value_text: Bilingual;
  written: Bilingual | null;
  category: string;
  sentence: string;
  definition: string;
  drops: string[];
  dropped_by: string[];
  conflicts: string[];
  most: number;
  example: ShownExample | null;
  near_miss: ShownExample | null;
  why_not: Bilingual | null;
  rulings: string[];
  share: number | null;
  least: number | null;
  least_hand: string | null;
  columns: Record<string, string>;
}

/** The standing of a fan: met, known, current weakness from 0 to 1, and when it is due again. `step` counts how often in a row it was known when due; `due` is in seconds since 1970, null if never met. */
export interface FanStanding extends Named {
  met: number;
  recognised: number;
  weakness: number;
  step: number;
  due: number | null;
}

/** A fault in the book. */
export interface FaultShape {
  key: string;
  name: Bilingual;
  text: Bilingual;
  points: number;
  to: "pool" | "others" | "one" | "nobody";
  again: number[];
  price: Bilingual;
  barred: boolean;
  remedies: Bilingual[];
}

/** Write an amount into the ledger, or take back the one with the key `undo`. Repeats of a `key` have no effect. */
export interface FeeChange {
  who: string;
  seen: number;
  key: string;
  fee?: NewFee | null;
  undo?: string | null;
}

/** An amount in the ledger. */
export interface FeeLine extends NewFee {
  key: string;
  undone: boolean;
}

/** The ledger of fees: the latest day first. */
export interface FeesView {
  length: number;
  entries: FeeLine[];
  balances: Balance[];
  total: number;
}

/** The number of matching winning hands (0: none); `away`: tiles that the nearest still needs. */
export interface FindAnswer {
  hands: number;
  away: number | null;
  found: FoundHandShape[];
}

/** A wanted hand: fans it has, fans it does not have, least points, and a hand to be near. */
export interface FindRequest extends EffectsRequest {
  fans?: string[];
  without?: string[];
  least?: number;
  near?: string;
  number?: number;
}

/** A penalty outside of a table: points and standard points taken from a player; `round` is when it happened. */
export interface Fine {
  do?: "fine";
  name: string;
  points?: number;
  standard?: number;
  round?: number | null;
  note?: string;
}

/** A penalty, and the number of its record. */
export interface FineShape {
  name: string;
  points: number;
  standard: number;
  round: number | null;
  note: string;
  record: number | null;
}

/** Continue with the account's belongings; with `merge`, this browser's (`X-Who`) are added to them. */
export interface FollowAccount {
  merge?: boolean;
}

/** A valid formula: its digest, the same however it is written, and the formula in Chinese and in English. */
export interface FormulaAnswer {
  digest: string;
  zh: string;
  en: string;
}

/** Ways to take a standard hand apart in which a formula holds, out of all; some hands, and hands that nearly do. */
export interface FormulaHandsAnswer {
  readings: number;
  of: number;
  matches: HandShape[];
  near: HandShape[];
}

/** A formula, to be asked about every hand of a state. */
export interface FormulaHandsRequest extends EffectsRequest {
  when: string;
}

/** A formula for a fan of a draft; `places`: it gives tiles, one for each place at which the fan holds. */
export interface FormulaText extends DraftText {
  when: string;
  places?: boolean;
}

/** A word of formulas: its names, its type (truth, number, tiles, ranks), its arguments, a line of help. */
export interface FormulaWordShape {
  zh: string;
  en: string;
  gives: string;
  takes: number;
  help: Bilingual;
}

/** A found hand: its points and fans; how many there are (null if near a hand), tiles to give and to get. */
export interface FoundHandShape {
  hand: HandShape;
  points: number;
  fans: string[];
  hands: number | null;
  out: string;
  into: string;
}

/** The board: everything that all four can see, by seat E S W N. */
export interface FrameBoard {
  round: "E" | "S" | "W" | "N";
  dice: number[];
  stacks: WallShape;
  rivers: string[][];
  melds: OpenMeldShape[][];
  flowers: string[][];
  left: number;
  turn: "E" | "S" | "W" | "N";
  offer: string | null;
  offerer: "E" | "S" | "W" | "N" | null;
  declared: string[];
  barred: boolean[];
  over: boolean;
}

/** The whole table after one event. `hidden` is the form for other seats, if its tile is secret. `turn` changes when another turn begins; `waits` are, by seat, the kinds that complete the hand's shape; `at` is the number of the frame in the whole match. */
export interface FrameShape {
  at: number;
  n: number;
  turn: number;
  e: string;
  seat: "E" | "S" | "W" | "N" | null;
  tile: string | null;
  as_drawn: boolean;
  source: "E" | "S" | "W" | "N" | null;
  text: Bilingual;
  hidden: Bilingual | null;
  hands: string[][];
  drawn: HeldTile | null;
  won: boolean;
  board: FrameBoard;
  to_act: ("E" | "S" | "W" | "N")[];
  waits: string[][];
  answers: OfferAnswer[];
  notes: Bilingual[];
}

/** The name that friends see, and the friends, those online first. */
export interface FriendList {
  name: string;
  friends: FriendShape[];
}

/** A friend. `room` is the public table where the friend is, "-" one that is not public, "" none. */
export interface FriendShape {
  id: string;
  name: string;
  online: boolean;
  room: string;
}

/** A further winner of the same tile: the seat, the points, and the hand as in `EndOfHand`. */
export interface FurtherWin {
  winner: "E" | "S" | "W" | "N";
  points: number;
  won: WinRequest | null;
  score: Record<string, ExplainedScore> | null;
}

/** A further winner of the same tile: as in `HandRecord`, the points, the fan as announced, or the tiles. */
export interface FurtherWinner {
  winner: number;
  points?: number | null;
  fan?: number | null;
  flowers?: number;
  supplied?: number[];
  tiles?: WonHand | null;
  liable?: number | null;
}

/** Issue another link to a lost player's seat; `token` is the requester's. */
export interface GiveLink {
  token: string;
}

/** The password once more, to delete the account for good. */
export interface Goodbye {
  password: string;
}

/** A player's place and points in a round; null points: no result yet; null seat: a substitute in the middle. */
export interface GridCell {
  table: number;
  seat: number | null;
  points: number | null;
  standard: number | null;
}

/** A player's rounds, null where the player did not sit; in the order of the standings. The cells and `extras` add up to `total` and `standard`. */
export interface GridRow {
  rank: number;
  name: string;
  cells: (GridCell | null)[];
  extras: Extra[];
  total: number;
  standard: number;
}

/** A table of the rules; `numbers` are the right-aligned columns. */
export interface GridShape {
  title: Bilingual;
  heads: Bilingual[];
  rows: Bilingual[][];
  numbers: number[];
  note: Bilingual | null;
}

/** A group of the reading taken. */
export interface GroupShape {
  text: string;
  tiles: number[];
  exposed: boolean;
  kong: boolean;
  won: boolean;
}

/** The rules of a book in words, with its tables and its examples scored by this server. */
export interface GuideAnswer {
  rules: string;
  title: Bilingual;
  sections: GuideSection[];
}

/** A paragraph, a table or a hand: one of `text`, `table` and `label` is given. `sentence` is the book's own, beside a text that is not verbatim, or beside a hand (whose `example` is null if no hand can be shown); `printed` is the part to show beside the hand, in each language. */
export interface GuidePart {
  text?: Bilingual | null;
  own?: boolean;
  table?: GridShape | null;
  label?: Bilingual | null;
  example?: ShownExample | null;
  sentence?: string;
  printed?: Bilingual | null;
  ruling?: string | null;
}

/** A section of the rules in words. */
export interface GuideSection {
  key: string;
  title: Bilingual;
  parts: GuidePart[];
}

/** A hand: its number, its place in the match, its dice, and the players' salts in its wall ("": none). `commitment` is for a wall that the server made alone. */
export interface HandBegun {
  hand: number;
  place: (number | number[])[];
  dice: number[];
  commitment?: string;
  salts?: string[];
}

/** The end of a hand in a replay: the winning tile, and the totals after it. */
export interface HandEnd extends EndOfHand {
  winning: string | null;
  totals: number[];
}

/** Every frame of one hand. `names` go by seat; `bots` describe the players in the order of the match. */
export interface HandFilm {
  number: number;
  place: Bilingual;
  names: string[];
  players: number[];
  bots: string[];
  before: number[];
  frames: FrameShape[];
  wall: WallTile[];
  opening: Bilingual;
  reveal: RevealedWall;
  end: HandEnd | null;
}

/** A hand of a replay. `first` is the number of its first frame in the whole match. `names` are those of its players, in the order of the match: a person may have taken a bot's place. */
export interface HandHead {
  number: number;
  place: Bilingual;
  players: number[];
  names: string[];
  first: number;
  frames: number;
  line: number;
  text: Bilingual;
  gains: number[] | null;
  sealed: boolean;
}

/** A hand begins. */
export interface HandMessage {
  n: number;
  hand: HandBegun;
}

/** The end of a hand at a table; lists by seat. `ready` is null unless every ready hand is paid. `great` names one of the book's greatest hands, by its fan. */
export interface HandOver extends EndOfHand {
  great: Bilingual | null;
  place: Bilingual;
  seats: string[];
  supplied: number[];
  ready: (number | null)[] | null;
  announced: Announced[];
  hands: Record<string, string[]>;
  board: FrameBoard;
  zero_sum: boolean;
  standings: StandingShape[];
  next: Bilingual | null;
  match_over: boolean;
  reveal: RevealedWall;
}

/** Payments for a hand. */
export interface HandPaid {
  payments: PaymentShape[];
  totals: number[];
}

/** The record of how a hand ended; players are numbered 0-3 as in `names`. A win has `points` (without flowers, which are counted in `flowers`), `fan` where a book's players announce fan, or `tiles`. `supplied` is how many tiles each player gave the winner (0: unknown if the tiles are given); `kong_feeder` the player who discarded the tile of an exposed kong (-1: none, it was the winner's own; null: unknown). `also` are further winners of the same tile, `liable` is the player who pays for the whole hand (包). `ready` is the value of each other hand (null: not ready), `ready_fan` the same as announced, `ready_hands` their tiles, and `seen` the visible tiles on the table. Alternatively the whole hand is given as lines of `quepu.table.facts`, from which everything else follows. */
export interface HandRecord {
  kind?: "hand";
  winner?: number | null;
  points?: number | null;
  fan?: number | null;
  flowers?: number;
  self_draw?: boolean;
  discarder?: number | null;
  robbed?: boolean;
  supplied?: number[];
  kong_feeder?: number | null;
  ready?: (number | null)[];
  ready_fan?: (number | null)[];
  ready_hands?: (string | null)[];
  seen?: string;
  tiles?: WonHand | null;
  also?: FurtherWinner[];
  liable?: number | null;
  facts?: string[];
  note?: string;
  came_to?: CameTo | null;
}

/** A hand with its circumstances, and the book (`rules`, or `house` rules) that applies. */
export interface HandRequest {
  rules?: string;
  hand: string;
  seat?: string;
  round?: string;
  self_draw?: boolean;
  circumstances?: string[];
  flowers?: string[] | number;
  house?: string;
}

/** Every decision of a hand. */
export interface HandReview extends ReviewedHand {
  decisions: ReviewDecision[];
}

/** A hand split for drawing. `text` is its canonical form; tiles are named 1m … 9s E S W N C F P. */
export interface HandShape {
  text: string;
  concealed: string[];
  melds: MeldShape[];
  winning: string | null;
}

/** A hand as text, complete or not. */
export interface HandText {
  hand: string;
}

/** A tile shown apart from a hand: just drawn, or the winning one. */
export interface HeldTile {
  seat: "E" | "S" | "W" | "N";
  tile: string;
}

/** The first message: the seat's `token` (none: a spectator), and the last message seen (`after`). With `hand`, only lines of the last dealt hand after `after` are sent: all that a page shows. */
export interface HelloMessage {
  token?: string;
  after?: number | null;
  hand?: boolean;
}

/** Message `n` of the stream, hidden from this seat. */
export interface HiddenMessage {
  n: number;
}

/** The best current choices (`choices`), hands they lead to (`aims`) and the reason (`text`). Without a choice, `outlook` describes the hand and, if it is not ready, `distance` says how far it is: from a win, or with `preparing` from ready. `at` is the snapshot of the request. `preparing`: tables of the rulebook are being built; until then `shape` has discards by shape alone. */
export interface Hint {
  at: number;
  preparing?: true;
  shape?: ShapeChoice[];
  outlook?: OutlookAnswer;
  distance?: string;
  choices?: HintChoice[];
  aims?: AimShape[];
  text?: string;
}

/** A possible choice and its value, in words of the requested language. */
export interface HintChoice {
  do: string;
  tile: string | null;
  low: string | null;
  then: string | null;
  share: number;
  missing: number | null;
  useful: string[];
  left: number;
  reach: number;
  points: number | null;
  chance: number;
  expected: number;
  danger: number;
  text: string;
  outlook: string;
}

/** A hint. */
export interface HintMessage {
  hint: Hint;
}

/** Ask for a hint, with its reasons in Chinese or English. */
export interface HintWanted {
  hint: true;
  lang?: "zh" | "en";
}

/** A line of a tournament's log. `stands`: its record counts as it is here, and can be corrected or removed. `undone`: it was taken back. `whole`: a draw or the start of a round, which can only be undone as the latest change. */
export interface HistoryLine {
  entry: number;
  at: number;
  do: "add" | "correct" | "remove";
  number: number;
  text: Bilingual;
  note: string;
  stands: boolean;
  undone: boolean;
  whole: boolean;
  kind: string;
  record: Slip | Fine | Ruling | Substitute | Enter | null;
}

/** House rules as TOML. */
export interface HouseText {
  house: string;
}

/** Replace the rounds still to come by seating that was brought along (`quepu.tournament.seat_list`). */
export interface ImportSeating {
  do?: "import";
  text: string;
}

/** A file to open as a table of `who`. */
export interface ImportTable {
  who: string;
  table: TableFile;
}

/** The code of an invitation, valid for `days`; a new one replaces it. */
export interface Invitation {
  code: string;
  days: number;
}

/** The name of whoever made an invitation. */
export interface Invited {
  name: string;
}

/** Between hands, a person takes over a bot's seat. */
export interface JoinedMessage {
  n: number;
  joined: PersonJoined;
}

/** Free a person's or a bot's seat before the match, as `host`. */
export interface KickMessage {
  kick: number;
}

/** An account's matches of a month; `places` counts first to fourth, `points` are 4, 2, 1 and 0 for them. */
export interface LadderLine {
  rated: number;
  mean: number | null;
  deviation: number | null;
  name: string;
  matches: number;
  points: number;
  places: number[];
  total: number;
}

/** The ladder of a book in a month (UTC); `months` have matches, `least` are the matches before a rating. */
export interface LadderView {
  book: string;
  title: Bilingual;
  unit: Bilingual;
  matches: number;
  month: string;
  months: string[];
  least: number;
  lines: LadderLine[];
}

/** A league in the list. */
export interface LeagueHead {
  id: string;
  title: string;
}

/** A season of a league: its days and the standings of its divisions. */
export interface LeagueSeason {
  since: string;
  until: string;
  divisions: LeagueShape[][];
}

/** A player of a division: league points, tables, total; `moves` is 1 up, -1 down. */
export interface LeagueShape {
  rank: number;
  id: string;
  name: string;
  tables: number;
  points: number;
  total: number;
  moves: number;
}

/** A league; its newest season comes first. */
export interface LeagueView {
  id: string;
  length: number;
  title: string;
  book: PlayedBook;
  moving: number;
  seasons: LeagueSeason[];
}

/** Take a player out from the next round on; `back` undoes that. */
export interface Leave {
  do?: "leave";
  name: string;
  back?: boolean;
}

/** A lesson: sections of the rules; `kind` of the questions that pass it, null if it is passed by reading. */
export interface LessonShape {
  key: string;
  title: Bilingual;
  lead: Bilingual;
  sections: GuideSection[];
  kind: "fans" | "points" | "payable" | "waits" | "discard" | "aim" | "pays" | null;
  passed: boolean;
}

/** The lessons of a book in order, and the hand that is counted in one of them. */
export interface LessonsAnswer {
  rules: string;
  lessons: LessonShape[];
  counted: CountedHand | null;
}

/** Ask for the lessons of a book, or of house rules, and for the progress of `who`. */
export interface LessonsRequest {
  rules?: string;
  house?: string;
  who?: string | null;
}

/** A level of bot: its name, its style, and its purpose (`study`: not offered for play). `nickname` is its name at a table, `manner` one sentence about how it plays. */
export interface Level {
  key: string;
  name: Bilingual;
  nickname: Bilingual;
  manner: Bilingual;
  text: Bilingual;
  group: "usual" | "style" | "study";
}

/** A level of bots for duels; `heavy`: tables are built for it first. */
export interface LevelShape {
  key: string;
  text: Bilingual;
  heavy: boolean;
  group: "usual" | "style" | "study";
}

/** A possible log file, and its time in seconds since 1970. */
export interface LogFile {
  name: string;
  when?: number;
  text: string;
}

/** A name and its password. */
export interface LogIn {
  name: string;
  password: string;
}

/** One entry of a log: its number, when it was written (seconds since 1970), and its content. */
export interface LogLine {
  n: number;
  at: number;
  body: Record<string, unknown>;
}

/** The match begins: the header of its log. */
export interface LogMessage {
  n: number;
  log: Record<string, unknown>;
}

/** Logs that were read, to be sent back and added up. */
export interface LogSetShape {
  matches: unknown[];
  figures: Record<string, Record<string, unknown>>;
  called: Record<string, unknown>;
  unread: unknown[];
  lost: unknown[];
}

/** A part that could not be read, and in how many files of other programs. */
export interface LostPart {
  text: Bilingual;
  files: number;
}

/** Ask for an invitation link; `name` is what friends see. */
export interface MakeInvitation {
  who: string;
  name: string;
}

/** The order of hands; `reduced`: α and T₀, empty without a reduced score. */
export interface MatchShape {
  rounds: number;
  dealer_repeats: string;
  moves: number[][];
  reduced: number[];
}

/** A mean with its 95% interval. */
export interface MeanShape {
  of: number;
  mean: number;
  low: number;
  high: number;
}

/** A meld with its tiles. */
export interface MeldShape {
  kind: "chow" | "pung" | "kong" | "concealed_kong";
  tiles: string[];
}

/** Merge two entries of one person, who keeps the name of `into`. */
export interface Merge {
  do?: "merge";
  id: string;
  into: string;
}

/** Merge a club night into another one (or rename it): its rounds follow those that are there. */
export interface MergeClub {
  who: string;
  into: string;
}

/** Merge two entries of one person: the results of `id` (called `name`) go to `into` (called `into_name`). */
export interface MergePlayers {
  do?: "merge";
  id: string;
  name: string;
  into: string;
  into_name: string;
}

/** The number of mistakes of one kind. */
export interface MistakeCount extends MistakeShape {
  count: number;
}

/** The kind of a mistake, and its name. */
export interface MistakeShape {
  kind: "missed_win" | "claim" | "unpayable" | "safety" | "speed" | "value";
  name: Bilingual;
}

/** Mistakes of one kind: how many, and their total cost in points. */
export interface MistakeSum extends MistakeCount {
  cost: number;
}

/** A month, as YYYY-MM, and how many tables it has. */
export interface MonthCount {
  month: string;
  tables: number;
}

/** Hands that change in one way, and their share of tile sets. */
export interface MoveShape {
  hands: number;
  share: number;
}

/** A fan or circumstance by its name in the book; `english` is "" if it has no English name. */
export interface Named {
  name: string;
  english: string;
}

/** Facts that this book's settlement depends on; nothing else is asked for. */
export interface NeededFacts {
  supplied: boolean;
  kong_feeder: boolean;
  winners: number;
  liable: boolean;
  ready: boolean;
  robbed: boolean;
  flower_value: number;
  minimum: number;
  zero_sum: boolean;
  announced: boolean;
}

/** An action, and the probability (0 to 1) that the net gives it. */
export interface NetAction {
  do: string;
  tile: string | null;
  low: string | null;
  text: Bilingual;
  share: number;
}

/** A decision in a hand (`frame` as in reviews): the action taken and the one the net rates highest. */
export interface NetDecision {
  frame: number;
  seat: "E" | "S" | "W" | "N";
  chosen: NetAction;
  best: NetAction;
  same: boolean;
}

/** Every decision of a hand beside a net's. */
export interface NetHand {
  number: number;
  decisions: NetDecision[];
}

/** The nets that can be asked about a match, by the names that the operator gave them. */
export interface NetNames {
  nets: string[];
}

/** A name and a password of at least eight characters. */
export interface NewAccount {
  name: string;
  password: string;
}

/** A change to a table: a new record, one before record `at`, its correction or removal. `rename` sets a player's (`at`) `name`, and id (`player`) if known; `undo` takes back the last change of any kind. A change repeated with the same `key`, because the response was lost, has no effect. */
export interface NewEntry {
  do: "add" | "insert" | "correct" | "remove" | "rename" | "undo";
  at?: number | null;
  record?: HandRecord | PenaltyRecord | ReseatRecord | SubstituteRecord | EndRecord | BellRecord | null;
  name?: string | null;
  player?: string | null;
  key?: string;
}

/** An amount in hundredths: paid if positive, owed if negative. */
export interface NewFee {
  day: string;
  name: string;
  amount: number;
  note?: string;
}

/** Rename a player in all rounds, those already played included. */
export interface NewName {
  do?: "rename";
  name: string;
  to: string;
}

/** A new password to replace `old`. */
export interface NewPassword {
  old: string;
  password: string;
}

/** A log to be stored as a replay of `who`: quepu's own lines, or a match of another program. `house` are the house rules (TOML) that a log under such rules needs. */
export interface NewReplay {
  who: string;
  text: string;
  title?: string;
  house?: string;
}

/** Ask for the tables of the next round: drawn with few repeat meetings, or by the standings. If tables of the round before are unfinished, it is opened only with `anyway`. */
export interface NextRound {
  who: string;
  anyway?: boolean;
  names: string[];
  rules?: string;
  house?: string;
  rounds?: number | null;
  alpha?: number | null;
  scale?: number | null;
  by?: "draw" | "standings";
}

/** Begin a league's next season, once the last one is over. */
export interface NextSeason {
  who: string;
  seen: number;
  since: string;
  until?: string;
}

/** Open a table of an evening without rounds, for those who have waited longest; as in `BeginRound`. */
export interface NextTable {
  do?: "next_table";
  open_tables?: boolean;
}

/** A seat's answer to an offer. */
export interface OfferAnswer {
  seat: "E" | "S" | "W" | "N";
  text: Bilingual;
}

/** Open a tournament, with players: "name", "name,team" or "name,team,number". */
export interface OpenDesk extends DeskSpec {
  who: string;
  players?: string[];
}

/** Open a league of a rulebook: players by division, the highest first; `moving` go up and down after a season. `offset` is how many minutes east of UTC its days are. */
export interface OpenLeague {
  who: string;
  title: string;
  book: string;
  divisions: string[][];
  moving?: number;
  since: string;
  until?: string;
  offset?: number;
}

/** The log of a case, to be stored as a replay of `who`. */
export interface OpenLog {
  log: string;
  who: string;
}

/** A meld on the table: its tiles as one text, which was claimed, and from whom. `added`: the fourth tile was added to a pung. */
export interface OpenMeldShape {
  kind: "chow" | "pung" | "kong" | "concealed_kong";
  tiles: string;
  claimed?: string | null;
  from?: "E" | "S" | "W" | "N" | null;
  added?: boolean;
}

/** A question that is left to the author of a book. */
export interface OpenQuestion {
  rules: string;
  title: Bilingual;
  ruling: RulingShape;
}

/** Open a room and sit down at its first free seat. */
export interface OpenRoom {
  title?: string;
  rules?: string;
  house?: string;
  rounds?: number | null;
  ranked?: boolean;
  bots?: string[];
  move?: number;
  bank?: number;
  think?: number;
  shield?: number;
  hints?: boolean;
  coached?: boolean;
  listed?: boolean | null;
  spectators?: boolean;
  delay?: number;
  flowers?: boolean | null;
  own_walls?: boolean;
  open_hands?: boolean;
  shuffle?: boolean;
  show_hands?: boolean;
  joins?: boolean;
  seed?: number | null;
  name: string;
}

/** Open a table. Repeats with the same `id` have no effect. */
export interface OpenTable extends TableSpec {
  who: string;
  id?: string | null;
}

/** The replay that a log became. */
export interface Opened {
  id: string;
}

/** An opponent: matches together, how many ended above and below, the difference of all totals. */
export interface OpponentShape {
  id: string;
  name: string;
  matches: number;
  above: number;
  below: number;
  difference: number;
}

/** A choice that the book leaves to the house; the first is the default. With `between`, any whole number in that range can be chosen, too, with `free` what is written as TOML: a formula, a table. `words` are the choices as people read them. It has an effect only if one of those `after` which it comes is chosen otherwise than the book has it. */
export interface OptionShape {
  key: string;
  text: Bilingual;
  choices: unknown[];
  words: Bilingual[];
  chosen?: unknown;
  chosen_words: Bilingual;
  between?: number[] | null;
  free?: boolean;
  after?: string[];
}

/** Another way to read the hand. */
export interface OtherReading {
  reading: string;
  points: number;
  how: string;
  fans: string[];
  english?: string[] | null;
}

/** Final points of a table by seat, and when they were written; `record` is the number of their record, if any. */
export interface OutcomeShape {
  points: (number | null)[];
  hands: number;
  at: number;
  note: string;
  standard: (number | null)[] | null;
  record: number | null;
  photo: string;
}

/** The outlook of a hand of 13. */
export interface OutlookAnswer {
  ready: boolean;
  missing: number;
  waits: WaitShape[];
  useful: UsefulTile[];
  tiles_left: number;
  dead: string[];
}

/** The end of a hand. */
export interface OverMessage {
  over: HandOver;
}

/** The owner name that a browser uses from now on. */
export interface OwnName {
  who: string;
}

/** Set the least seconds that a bot takes (`think`), as the person in charge of the table. */
export interface PaceMessage {
  pace: number;
}

/** A hand was paid. */
export interface PaidMessage {
  n: number;
  result: HandPaid;
}

/** A winning hand, and the facts that decide who pays: discarder, givers of melds, values of other hands. `givers` goes with the melds of the hand in order; `ready` has one entry a seat E S W N, null for not ready, and is used only in books that pay every ready hand. */
export interface PayRequest extends ScoreRequest {
  discarder?: string | null;
  givers?: ("left" | "across" | "right" | null)[];
  ready?: (number | null)[];
}

/** One payment with its reason; payer and payee are winds, or "pool". */
export interface PaymentShape {
  payer: "E" | "S" | "W" | "N" | "pool";
  payee: "E" | "S" | "W" | "N" | "pool";
  points: number;
  why: Bilingual;
}

/** A fault was recorded or taken back. */
export interface PenaltyMessage {
  n: number;
  penalty: Record<string, unknown>;
}

/** A fault of a player; `points` replaces the book's number if the table agreed so, `receiver` is the one paid. */
export interface PenaltyRecord {
  kind?: "penalty";
  player: number;
  fault: string;
  points?: number | null;
  remedied?: boolean;
  revoked?: boolean;
  note?: string;
  receiver?: number | null;
  came_to?: CameTo | null;
}

/** A fault: its points and those of further times, to whom (a receiver), and whether it bars from winning. */
export interface PenaltyShape {
  key: string;
  name: Bilingual;
  text: Bilingual;
  points: number;
  again: number[];
  to: string;
  barred: boolean;
}

/** A person takes over a bot's seat from the next hand on. */
export interface PersonJoined {
  place: number;
  name: string;
}

/** Score of one player at a table: points and standard points. */
export interface PersonScore {
  name: string;
  points: number;
  standard: number;
}

/** A person's result at a table: points gained, reduced score and standard points if the table has them. */
export interface PersonShape {
  name: string;
  total: number;
  reduced: number | null;
  standard: number | null;
}

/** The id of a picture, for the record of its slip. */
export interface PhotoTaken {
  photo: string;
}

/** One of a few phrases, by number, shown to everyone at the table; at most one every two seconds. */
export interface PhraseMessage {
  phrase: number;
}

/** Answered at once by `pong` with the same number. */
export interface PingMessage {
  ping: number;
}

/** A hand's place in the match: round, dealership, how often the dealer has stayed, and the players at E S W N. */
export interface PlaceShape {
  name: Bilingual;
  round: number;
  dealership: number;
  repeat: number;
  round_wind: "E" | "S" | "W" | "N";
  seats: number[];
}

/** Play again with the same people after a match; `token` is a player's. */
export interface PlayAgain {
  token: string;
}

/** A table that continues from frame `at` of a replay: `name` sits at `seat`, bots of one `level` elsewhere. `redealt`: unseen tiles are dealt again at random; otherwise they are as in the log. `alone`: the match ends with this hand; otherwise it lasts as long as the recorded one. It has no clock. */
export interface PlayOn {
  name: string;
  at: number;
  seat: "E" | "S" | "W" | "N";
  level?: string;
  redealt?: boolean;
  alone?: boolean;
  think?: number;
}

/** The table, matches and penalties of a book, as a draft writes them, with the words for every choice. */
export interface PlayShape {
  match: MatchShape;
  repeats: WordedChoice[];
  table: SwitchShape[];
  faults: PenaltyShape[];
  receivers: WordedChoice[];
}

/** A rulebook that was played, the unit of its points, and in how many matches. */
export interface PlayedBook {
  book: string;
  title: Bilingual;
  unit: Bilingual;
  matches: number;
}

/** Shares of playouts: won, dealt in, points on average, won by each turn. */
export interface PlayedLine {
  won: number;
  dealt: number;
  mean: number;
  won_by: number[];
}

/** Sums over worlds in which both lines were played out; they are sent back to continue. */
export interface PlayedSums {
  worlds: number;
  net: number[];
  won: number[];
  dealt: number[];
  squares: number;
  won_by: number[][];
}

/** A player's matches of one rulebook (`book`); `name` is a distinct label. `places` counts first to fourth. */
export interface PlayerLine {
  id: string;
  name: string;
  book: string;
  matches: number;
  hands: number;
  wins: number;
  self_draws: number;
  deal_ins: number;
  total: number;
  mean_win: number | null;
  mean_deal_in: number | null;
  places: number[];
  rating: RatingShape;
}

/** A player's mistakes found by reviews, by book (points of different books do not add up). `name` is empty if no replay has the player. */
export interface PlayerMistakes {
  name: string;
  books: BookMistakes[];
  unreviewed: UnreviewedMatch[];
}

/** A player's page of one rulebook; `books` are all that the player played. `rates` are win, self_draw (of wins), deal_in, drawn, first, last. */
export interface PlayerView extends PlayerLine {
  books: PlayedBook[];
  rates: Record<string, RateShape>;
  mean: MeanShape | null;
  drawn: number;
  fans: CollectedFans[];
  against: OpponentShape[];
  best: BestHandShape[];
  curve: CurvePoint[];
}

/** The answer to a ping. */
export interface PongMessage {
  pong: unknown;
}

/** The answers of one day (UTC). */
export interface PracticeDay {
  day: string;
  answered: number;
  right: number;
}

/** A person's practice history under a rulebook: every fan of it, those due first. `now` is the server's time. */
export interface PracticeHistory {
  now: number;
  answered: number;
  right: number;
  streak: number;
  fans: FanStanding[];
  days: PracticeDay[];
}

/** A question. `discarder` is a wind, in questions about payments. `offered` are the fans to choose among, the tiles to discard, or the aims (fans joined by +). `history` is the key of its book's history. */
export interface PracticeQuestion {
  seat: "E" | "S" | "W" | "N";
  round: "E" | "S" | "W" | "N";
  self_draw: boolean;
  circumstances: string[];
  flowers: string[];
  rules: string;
  kind: "fans" | "points" | "payable" | "waits" | "discard" | "aim" | "pays";
  kinds: ("fans" | "points" | "payable" | "waits" | "discard" | "aim" | "pays")[];
  level: number;
  seed: number;
  about: string;
  hand: HandShape;
  offered: string[];
  discarder: "E" | "S" | "W" | "N" | null;
  unit: Bilingual;
  minimum: number;
  history: string;
}

/** An answer: fans by name, points, yes or no, waits by tile, a tile to discard, an aim, or each seat's gain. `at` is when it was given (seconds since 1970), if sent later; repeats with the same `at` count once. If `kind` names a lesson, it reports that the lesson was read. */
export interface PracticeReply {
  rules: string;
  house?: string;
  kind: "fans" | "points" | "payable" | "waits" | "discard" | "aim" | "pays" | "tiles" | "shape" | "manners" | "course-tiles" | "course-groups" | "course-claims" | "course-waits" | "course-fans" | "course-counting" | "course-minimum" | "course-payment" | "course-kongs" | "course-manners";
  level: number;
  seed: number;
  about?: string;
  who?: string | null;
  seconds?: number;
  at?: number | null;
  fans?: string[] | null;
  points?: number | null;
  payable?: boolean | null;
  waits?: string[] | null;
  discard?: string | null;
  aim?: string | null;
  pays?: Record<string, number> | null;
}

/** Ask for a question. `who` is a random name that a browser keeps; a seed reproduces a question. With `house`, it is about the book under these house rules. With `day`, it is the puzzle of that day, whose kind, level and seed are those of the day. */
export interface PracticeRequest {
  rules?: string;
  house?: string;
  kind?: "fans" | "points" | "payable" | "waits" | "discard" | "aim" | "pays";
  level?: number;
  who?: string | null;
  seed?: number | null;
  about?: string;
  day?: string | null;
}

/** Whether it was right, the right answer, and why. `why_not` explains each wrong choice, of aims each of them. */
export interface PracticeVerdict {
  right: boolean;
  why_not: Record<string, string>;
  fans: string[] | null;
  points: number | null;
  payable: boolean | null;
  waits: string[] | null;
  discard: string | null;
  aim: string | null;
  pays: Record<string, number> | null;
  score: ExplainedScore | null;
  outlook: OutlookAnswer | null;
  payments: SettledWin | null;
}

/** An account's public matches of a book. */
export interface ProfileBook {
  rated: number;
  mean: number | null;
  deviation: number | null;
  book: string;
  title: Bilingual;
  unit: Bilingual;
  matches: number;
  places: number[];
  total: number;
}

/** A fan that an account won with in its recent matches. */
export interface ProfileFan {
  book: string;
  name: string;
  count: number;
}

/** A recent match of an account. */
export interface ProfileMatch {
  id: string;
  book: Bilingual;
  played: number;
  players: string[];
  place: number;
  total: number;
}

/** An account's page: books, recent matches, and fans won in these. */
export interface ProfileView {
  name: string;
  least: number;
  books: ProfileBook[];
  recent: ProfileMatch[];
  fans: ProfileFan[];
}

/** A question on which payments depend: who gave melds ("givers"), or who discarded a kong's tile ("feeder"). */
export interface QuestionShape {
  text: Bilingual;
  about: "givers" | "feeder";
  melds: number[];
  tiles: string[];
}

/** Hands that tell readings apart, in the order in which to ask; `option` is the one that the ruling hangs on. `alike`: the reason why no hand tells them apart, if that is so: then a reading is chosen without asking. */
export interface QuestionsAnswer {
  option: string;
  question: Bilingual;
  sentence: string;
  alike: Bilingual | null;
  readings: ReadingShape[];
  questions: TellingHand[];
}

/** Readings to tell apart: those of a ruling of the draft's book, or the draft and `other`, a rules file. */
export interface QuestionsRequest extends DraftText {
  ruling?: string;
  other?: string;
}

/** Sit down with strangers: at a table with the same rules that has a free seat, or at a new one as given here. `fallback` is the name for tables where somebody else has `name`; `skip` are rooms where the player sits already. */
export interface QuickSeat extends OpenRoom {
  fallback: string;
  skip?: string[];
}

/** `cases` of `of`; the true share is between `low` and `high` with 95% confidence. */
export interface RateShape {
  cases: number;
  of: number;
  share: number;
  low: number;
  high: number;
}

/** A rating: `mean` and `deviation` of the belief, `low` three deviations below the mean. */
export interface RatingShape {
  mean: number;
  deviation: number;
  low: number;
  matches: number;
}

/** Files to read; `roster` says who is who in them. */
export interface ReadLogs {
  files: LogFile[];
  roster?: RosterFile | null;
}

/** A read-only id of a table. */
export interface ReaderLink {
  reader: string;
}

/** A reading: its name, and the option's choice that makes it, as TOML ("": another rules file makes it). */
export interface ReadingShape {
  label: Bilingual;
  choice: string;
}

/** Ready for the match to begin, or for the next hand. */
export interface ReadyMessage {
  ready: true;
}

/** A record, and the table (`at`) where it was reached. `kind`: win (the best), total (of a table), wins (at a table), firsts (tables won in a row), safe (hands in a row without dealing in, by whole tables). */
export interface RecordLine {
  kind: string;
  id: string;
  name: string;
  value: number;
  at: string;
  day: string;
}

/** A refusal: the sentence, and the position in the hand's text if it is about that. */
export interface Refused {
  valid?: false;
  error: string;
  at?: number | null;
}

/** The reason why a message has no effect. */
export interface RefusedMessage {
  refused: Bilingual;
}

/** Stated relations that differ from the actual ones: [fan, other, kind], new with the draft and resolved by it. */
export interface RelationEffects {
  new: string[][];
  gone: string[][];
}

/** Rename a player, whose results stay. */
export interface Rename {
  do?: "rename";
  id: string;
  name: string;
  note?: string;
}

/** Rename a player (`was`). `shared`: another player has that name, too, and this one gets the bare name. */
export interface RenamePlayer {
  do?: "rename";
  id: string;
  was: string;
  name: string;
  note?: string;
  shared?: boolean;
}

/** A replay in the list. `kind`: played here (room), an imported log, or a match of another program. */
export interface ReplayHead {
  id: string;
  kind: "room" | "log" | "botzone" | "tziakcha" | "open_mahjong" | "mjai";
  title: string;
  rules: string;
  book: Bilingual;
  players: string[];
  totals: number[];
  hands: number;
  whole: boolean;
  played: number;
  mine: boolean;
}

/** Replays, latest first; `before` asks for the next ones, null at the end. */
export interface ReplayList {
  replays: ReplayHead[];
  before: number | null;
}

/** The choice that a frame of a hand (from 1) shows. */
export interface ReplayMoment {
  hand: number;
  frame: number;
  seat?: string;
}

/** A match with its hands (lists of players go by E S W N of the first hand). `start`: it continues another replay. */
export interface ReplayPage extends ReplayHead {
  words: BookWords;
  fingerprint: string;
  quepu: string;
  seed: string | null;
  bots: string[];
  lines: number;
  start: ReplayStart | null;
  hand_list: HandHead[];
  standings: StandingShape[];
  notes: Bilingual[];
  lost: Bilingual[];
}

/** The position of a replay from which a table continues: its frame `at`, in `hand`, seen from `seat`. `redealt`: unseen tiles were dealt again at random; otherwise they are as in the log. `alone`: the match ends with this hand. */
export interface ReplayStart {
  replay: string;
  at: number;
  hand: number;
  seat: "E" | "S" | "W" | "N";
  redealt: boolean;
  alone: boolean;
}

/** New seats drawn before a round: the players that begin it at East, South, West, North. */
export interface ReseatRecord {
  kind?: "reseat";
  start: number[];
}

/** Reserve a seat for a name before the match, as `host` ("": for anyone). */
export interface ReserveMessage {
  reserve: number;
  name: string;
}

/** A code from the operator, and the new password. */
export interface Reset {
  name: string;
  code: string;
  password: string;
}

/** A proposed residue: `left` of the `groups` of fan `b` once fan `a` is counted; `now` is what the draft says. */
export interface ResidueShape {
  a: string;
  b: string;
  left: number;
  groups: number;
  now: number;
  why: Bilingual;
}

/** Residues proposed from the conditions of fans. */
export interface ResiduesAnswer {
  found: ResidueShape[];
}

/** Fans of a draft whose residues are to be proposed; none: those that the draft adds. */
export interface ResiduesRequest extends DraftText {
  fans?: string[];
}

/** The wall of a finished hand, and the commitments before it. `commitment` is to wall, dice and `salt`; of a mixed wall to `secret`, with the players' `commitments` and `salts`. */
export interface RevealedWall {
  hand: number;
  wall: string;
  dice: number[];
  commitment?: string;
  salt?: string;
  secret?: string;
  commitments?: string[];
  salts?: string[];
}

/** A hand that can win: the tiles that must still come, the whole hand, its points, its value and fans in words. */
export interface ReviewAim {
  tiles: string[];
  hand: string;
  points: number;
  value: Bilingual;
  fans: Bilingual;
}

/** The same choice in words. */
export interface ReviewChoice {
  do: string;
  tile: string | null;
  low: string | null;
  then: string | null;
  share: number;
  missing: number | null;
  useful: string[];
  left: number;
  reach: number;
  points: number | null;
  chance: number;
  expected: number;
  danger: number;
  text: Bilingual;
  outlook: Bilingual;
}

/** A decision; `frame` is its frame in the hand, `choices` are best first, `chosen` is the one taken. `cost`: its average loss in points, with an 80% `interval`; `word` says if it is within the noise. `best` and `taken` (null if that was the best) have the details. `why` and `leads` explain the better choice in sentences, and the hands that both lead to. */
export interface ReviewDecision {
  frame: number;
  seat: "E" | "S" | "W" | "N";
  kind: "discard" | "claim";
  grade: "best" | "good" | "slip" | "mistake" | "blunder" | "lost";
  word: Bilingual;
  mistake: MistakeShape | null;
  loss: number;
  cost: number;
  interval: number[] | null;
  chosen: number | null;
  choices: ReviewChoice[];
  best: ReviewSide | null;
  taken: ReviewSide | null;
  why: Bilingual;
  leads: Bilingual;
}

/** A choice in detail: hands it leads to; and turn by turn the chances to be ready and to have won. */
export interface ReviewSide {
  aims: ReviewAim[];
  by_turn: number[][];
}

/** Progress of a review. `before`: reviews that come first. While the state is `preparing`, tables of the rulebook are being built: `built` is the finished share (0 to 1), and `before` counts the books whose tables come first. */
export interface ReviewState {
  state: "none" | "waiting" | "preparing" | "running" | "done" | "canceled" | "failed";
  before: number;
  built: number | null;
  done: number;
  total: number;
  hands: ReviewedHand[];
  error: Bilingual | null;
}

/** A hand that is reviewed. */
export interface ReviewedHand {
  number: number;
  seats: SeatReport[];
}

/** A match on a player's trend; `cost` are points lost per hand. */
export interface ReviewedMatch {
  when: number;
  at: string;
  hands: number;
  decisions: number;
  mistakes: number;
  cost: CostShape;
}

/** A section of the rules in words: the parts only in the old book, and only in the new one. */
export interface RewordedShape {
  title: Bilingual;
  old: Bilingual[];
  new: Bilingual[];
}

/** A room in the lobby: `free` places are empty before the match, `watching` counts current spectators. `joinable` are the bots' places in the match that a person may take after the hand. `host` is the place of the player who has sat there longest (-1: none), who can remove people, close the room (`closed`), and reserve places unless a desk assigned them (`held`). In the match it is the place of a connected player, who can give a lost player a new link. `next`: the room where the same people play again. `preparing`: tables of the rulebook are being built; until then its bots play by shape. */
export interface RoomHead {
  id: string;
  title: string;
  rules: string;
  book: Bilingual;
  phase: "open" | "playing" | "between" | "over";
  hints: boolean;
  terms: RoomTerms;
  free: number;
  joinable: number;
  host: number;
  closed: boolean;
  held: boolean;
  next: string;
  preparing: boolean;
  watching: number;
  places: RoomPlace[];
  hand: Bilingual | null;
  updated: number;
}

/** The room has changed; `you`: the receiver's index in `room.places`, null for a spectator. `joins`: the index of a bot that the receiver takes over after this hand. */
export interface RoomMessage {
  room: RoomHead;
  you?: number | null;
  joins?: number;
}

/** One of the four places of a room. `member`: the name belongs to an account, which is logged in. `reserved`: the name for which a free place is held; in the match a bot plays there until the player comes. `link_by`: who issued another link to it while its owner was lost ("": not issued). `joiner`: who takes this bot's place after the hand. */
export interface RoomPlace {
  kind: "person" | "bot" | "free";
  name: string;
  level: string;
  here: boolean;
  ready: boolean;
  member: boolean;
  reserved: string;
  link_by: string;
  joiner: string;
}

/** The terms agreed when a table was opened. `house`: it has house rules; `sealed`: walls are committed to. `coached`: a coach helps the only person. `undo`: moves may be taken back, as long as one person plays against bots. `joins`: a person may take a bot's place after a hand. `start`: it continues a replay. */
export interface RoomTerms {
  rounds: number;
  ranked: boolean;
  move: number;
  bank: number;
  think: number;
  shield: number;
  delay: number;
  spectators: boolean;
  listed: boolean;
  open_hands: boolean;
  shuffle: boolean;
  flowers: boolean;
  own_walls: boolean;
  house: boolean;
  minimum: number;
  unit: Bilingual;
  words: BookWords;
  sealed: boolean;
  show_hands: boolean;
  coached: boolean;
  undo: boolean;
  joins: boolean;
  start: ReplayStart | null;
}

/** A change to the roster of `who`, which had `seen` changes; repeating it with the same `key` has no effect. */
export interface RosterChange {
  who: string;
  seen: number;
  key: string;
  record: AddNew | Rename | Merge | SeatAnother | UndoChange;
}

/** A change to a roster under its own key; `at` is when it was written (seconds since 1970). */
export interface RosterEdit {
  key: string;
  at?: number;
  record: AddPlayer | RenamePlayer | MergePlayers | SeatPlayer | UndoChange;
}

/** A roster as a file. */
export interface RosterFile {
  quepu: "roster";
  version?: 1;
  changes?: RosterEdit[];
}

/** A change made to the roster; an undone one no longer counts. */
export interface RosterLine {
  key: string;
  at: number;
  text: Bilingual;
  undone: boolean;
}

/** A player of the roster: a distinct `label`, `names` used here, `tables` played at. */
export interface RosterPlayer {
  id: string;
  name: string;
  note: string;
  label: string;
  names: string[];
  tables: number;
}

/** The players of a roster, and its changes, the newest first. */
export interface RosterView {
  length: number;
  players: RosterPlayer[];
  changes: RosterLine[];
}

/** A record with its effects: the events, payments, each player's gain, and the totals after it. `remarks` are notes on it, or why it would be refused if written now. */
export interface RowShape extends SettledHand {
  at: number;
  kind: "hand" | "penalty" | "reseat" | "substitute" | "end" | "bell";
  names: string[];
  place: PlaceShape;
  text: Bilingual;
  how: Bilingual | null;
  totals: number[];
  announced: AnnouncementShape[];
  remarks: Bilingual[];
  record: HandRecord | PenaltyRecord | ReseatRecord | SubstituteRecord | EndRecord | BellRecord;
}

/** A line of the referee's log: a decision or a remark without points. */
export interface Ruling {
  do?: "ruling";
  text: string;
  round?: number | null;
  table?: number | null;
}

/** A ruling: how an unclear place of the book is read. `option`: the book's option that chooses the reading. */
export interface RulingShape {
  id: string;
  question: Bilingual;
  answer: Bilingual;
  sentence: string;
  open: boolean;
  option: string;
}

/** The salt of this seat for the next wall (`commitment`), and the one committed to for the sealed wall. */
export interface SaltMessage {
  commitment?: string | null;
  salt?: string | null;
}

/** The seat taken, and the secret token that proves it. */
export interface Sat {
  room: string;
  place: number;
  token: string;
}

/** Score of a hand. */
export interface ScoreAnswer {
  valid: true;
  points: number;
  total: number;
  paid?: number | null;
  minimum: number;
  can_win: boolean;
  parts: Record<string, number>;
  fans: ScoredFan[];
  reading: string;
  how: string;
}

/** One hand to score: the same object as a line of `quepu score --jsonl`. */
export interface ScoreRequest extends HandRequest {
}

/** A fan that counts; only answers in English have its English name. */
export interface ScoredFan {
  name: string;
  count: number;
  value: Record<string, number>;
  english?: string;
}

/** The inputs of the next wall are fixed; players who committed to a salt reveal it now. */
export interface SealedMessage {
  n: number;
  sealed: WallSealed;
}

/** A season: attendance over all rulebooks; ratings (`lines`) and records of one, `book`. */
export interface SeasonView {
  books: PlayedBook[];
  book: string;
  clubs: ClubCount[];
  tables: number;
  days: number;
  hands: number;
  lines: PlayerLine[];
  attendance: AttendedLine[];
  records: RecordLine[];
  months: MonthCount[];
}

/** Set that `id` sat at a table instead of `player`; null: a namesake not in the roster yet. */
export interface SeatAnother {
  do?: "seat";
  table: string;
  player: string;
  id?: string | null;
}

/** Seconds per move and in reserve, and how long the seat has been to act. */
export interface SeatClock {
  move: number;
  bank: number;
  used: number;
}

/** Set whom a name at a table (its id, or its file) refers to: the player `id`, called `player_name`. */
export interface SeatPlayer {
  do?: "seat";
  table: string;
  name: string;
  id: string;
  player_name: string;
}

/** A seat's report for a hand: graded decisions, the value they kept (0 to 1), a letter, mistakes. `cost`: average points lost by all its decisions; `kinds`: mistakes and blunders by kind. */
export interface SeatReport {
  seat: "E" | "S" | "W" | "N";
  player: number;
  decisions: number;
  share: number;
  letter: "A" | "B" | "C" | "D" | "-";
  mistakes: number;
  blunders: number;
  cost: number;
  kinds: MistakeCount[];
}

/** The view of one seat; a spectator has no seat and no hand. */
export interface SeatView {
  seat?: "E" | "S" | "W" | "N";
  rules?: string;
  hand?: string[];
  drawn?: string | null;
  board: FrameBoard;
  options: TableOption[];
}

/** A phrase, by its number, and the index in `room.places` of the player who sent it. */
export interface SentPhrase {
  phrase: number;
  place: number;
}

/** Payments of a hand, and the net of all four and the pool; by seat, in a scorekeeper's record by player. */
export interface SettledHand {
  payments: PaymentShape[];
  gains: number[];
  pool: number;
}

/** Payments of a win, and whether the book has them sum to 0 and asks for other ready hands' values. */
export interface SettledWin extends SettledHand {
  zero_sum: boolean;
  needs_ready: boolean;
}

/** A discard by shape alone: then `missing` tiles from a complete hand (1: ready), with `left` useful tiles. */
export interface ShapeChoice {
  tile: string;
  missing: number;
  left: number;
}

/** Ask who made an invitation. */
export interface ShowInvitation {
  code: string;
}

/** An example hand of a row, scored by this server. */
export interface ShownExample {
  seat: "E" | "S" | "W" | "N";
  round: "E" | "S" | "W" | "N";
  self_draw: boolean;
  circumstances: string[];
  flowers: string[];
  hand: HandShape;
  points: number;
  total: number;
  how: Bilingual;
  fans: string[];
}

/** Sit down: at a given seat, or at the first free one; with a token, at one's own seat again. */
export interface Sit {
  name: string;
  place?: number | null;
}

/** The final points of a table in seat order; a second one for the same table corrects the first. `standard` are standard points in seat order where the referee sets them; null: they follow from the points. `photo` is the id of a picture of the paper slip ("": there is none). */
export interface Slip {
  do?: "slip";
  round: number;
  table: number;
  points: (number | null)[];
  hands?: number | null;
  standard?: (number | null)[] | null;
  photo?: string;
  note?: string;
}

/** A picture of a paper slip, a JPEG of at most 180 KB as base64. */
export interface SlipPhoto {
  jpeg: string;
}

/** The current table as this seat can see it; lists go by seat E S W N. `rest`: most seconds until the next hand. `hands`: the concealed tiles of all seats, for spectators of a table that shows them with a delay. */
export interface Snapshot {
  n: number;
  phase: "open" | "playing" | "between" | "over";
  view: SeatView | null;
  names?: string[];
  players?: number[];
  totals?: number[];
  place?: Bilingual;
  hand?: number;
  held?: number[];
  hands?: Record<string, string[]>;
  to_act?: ("E" | "S" | "W" | "N")[];
  clock?: SeatClock;
  rest?: number;
}

/** A cut: after how many rounds it was made, who goes on, and the share of points carried. `others` are players who would go on instead, since results before it were corrected. */
export interface StageShape {
  after: number;
  names: string[];
  carry: number;
  others: string[];
}

/** A line of the standings. */
export interface StandingShape {
  rank: number;
  player: number;
  name: string;
  total: number;
}

/** A state of hands by which a draft can be measured. */
export interface StateShape {
  key: string;
  text: Bilingual;
}

/** Figures of a set of logs; `player` is the requested page. */
export interface StatsView {
  matches: number;
  hands: number;
  books: PlayedBook[];
  players: PlayerLine[];
  player: PlayerView | null;
  unread: UnreadFile[];
  lost: LostPart[];
}

/** Give a player's seats to a substitute from a round on; with `carry` the points so far, too. */
export interface Substitute {
  do?: "substitute";
  name: string;
  substitute: string;
  round: number;
  carry?: boolean;
}

/** A substitute takes over a player's seat, starting from zero points. `id` is the substitute's, if known. */
export interface SubstituteRecord {
  kind?: "substitute";
  player: number;
  name: string;
  id?: string | null;
}

/** The current measure of the draft, and suggestions, the one with the fewest changes first. */
export interface SuggestAnswer {
  measure: Bilingual;
  today: SuggestionShape;
  found: SuggestionShape[];
}

/** A law for values to fit: bits, mean, rare; its fan and number. */
export interface SuggestRequest extends EffectsRequest {
  law?: string;
  fan?: string;
  wanted?: number | null;
}

/** Changes made together, and their effect. */
export interface SuggestionShape {
  changes: ChangeShape[];
  measure: number;
  mean: number;
  payable: number;
}

/** A fan that held but does not count, and why. */
export interface SuppressedFan extends Named {
  by: string | null;
  by_english?: string | null;
  why: string;
}

/** Exchange the seats of two players in a round; points already entered stay with the seats. */
export interface Swap {
  do?: "swap";
  round: number;
  one: string;
  other: string;
}

/** A player with whom another could exchange seats: the change in repeat meetings and in meetings of team-mates. */
export interface SwapShape {
  name: string;
  repeats: number;
  teammates: number;
}

/** A switch of the table. */
export interface SwitchShape {
  key: string;
  text: Bilingual;
  on: boolean;
}

/** One of the options of the last view, without its `score`. */
export interface TableAction {
  do: "discard" | "chow" | "pung" | "kong" | "added" | "concealed" | "flower" | "ready" | "win" | "pass";
  tile?: string;
  low?: string;
  drawn?: boolean;
  ready?: boolean;
}

/** An event as a log writes it; `quepu.table.events` lists the kinds. `by`: who acted, if not the player. */
export interface TableEvent {
  e: "dice" | "deal" | "draw" | "replace" | "flower" | "discard" | "ready" | "chow" | "pung" | "kong" | "added" | "concealed" | "win" | "exhausted" | "show" | "barred" | "freed";
  seat?: "E" | "S" | "W" | "N";
  tile?: string;
  low?: string;
  from?: "E" | "S" | "W" | "N" | null;
  drawn?: boolean;
  ready?: boolean;
  dice?: number[];
  tiles?: string;
  by?: "clock" | "bot";
}

/** A table as a file, for `export` and `import`. `unfinished` has the facts of a hand that was entered in part (`quepu match`). */
export interface TableFile {
  quepu: "table";
  version?: number;
  spec: TableSpec;
  records: (HandRecord | PenaltyRecord | ReseatRecord | SubstituteRecord | EndRecord | BellRecord)[];
  unfinished?: string[];
  fingerprint?: string | null;
  totals?: number[] | null;
}

/** A table in a list. */
export interface TableHead {
  id: string;
  title: string;
  rules: string;
  names: string[];
  totals: number[];
  hands: number;
  over: boolean;
  place: Bilingual;
  updated: number;
}

/** A table's current log, for a device to continue; `mine`: the asker opened it. */
export interface TableLog {
  id: string;
  title: string;
  created: number;
  updated: number;
  length: number;
  mine: boolean;
  entries: LogLine[];
}

/** One possible action; `score` is the value of a win. */
export interface TableOption {
  do: "discard" | "chow" | "pung" | "kong" | "added" | "concealed" | "flower" | "ready" | "win" | "pass";
  tile?: string;
  low?: string;
  drawn?: boolean;
  ready?: boolean;
  score?: ScoreAnswer;
}

/** A table as it is opened. `revision` is that of the book under which the evening is settled to its end; null: the newest. `alpha` and `scale` are α and T₀ of the reduced score (约化分数); null: the book's own, if it has them. `players` are the ids of the four where they are known (`quepu.scorekeeper.roster`); else their names count. `club_draw` is the same for all tables that were drawn at once: two devices may have drawn the same round. */
export interface TableSpec {
  title?: string;
  rules?: string;
  revision?: number | null;
  house?: string;
  names: string[];
  rounds?: number | null;
  ranked?: boolean;
  alpha?: number | null;
  scale?: number | null;
  club?: string | null;
  club_round?: number;
  club_draw?: string;
  players?: (string | null)[];
}

/** A table with everything derived from its records. `usual` are likely values of the next win. `names` are the players of the next hand, `people` everyone who has played, best first, `transfers` the payments if it ended now, and `summary` a text to be sent. `imported` lists how its source file differs from the results of its records under today's rules. `readonly`: the view behind a read-only link, under that link's id. */
export interface TableView {
  id: string;
  readonly: boolean;
  length: number;
  title: string;
  created: number;
  updated: number;
  spec: TableSpec;
  book: Bilingual;
  unit: Bilingual;
  words: BookWords;
  rows: RowShape[];
  names: string[];
  totals: number[];
  pool: number;
  standings: StandingShape[];
  people: PersonShape[];
  transfers: TransferShape[];
  summary: Bilingual;
  place: PlaceShape;
  over: boolean;
  news: Bilingual[];
  faults: FaultShape[];
  notes: Bilingual[];
  imported: Bilingual[];
  needs: NeededFacts;
  usual: UsualShape[];
  can_undo: boolean;
  barred: number[];
}

/** A code entered in another browser; with `merge`, this browser's belongings (`X-Who`) are added. */
export interface TakeOver {
  code: string;
  merge?: boolean;
}

/** Another connection has taken over this seat. */
export interface TakenMessage {
  taken: true;
}

/** A team: the sums of its players; `imps` are those of the team's points, if it held each seat in every hand. */
export interface TeamLine {
  rank: number;
  team: string;
  total: number;
  standard: number;
  reduced: number;
  imps: number;
  players: number;
}

/** A hand on which readings differ: points and fans under each; `keys` as a ruling in a rules file has it. `sets`: its tile sets among all hands; 0: not counted. `measure`: points towards the minimum, or all of them. */
export interface TellingHand {
  hand: HandShape;
  points: number[];
  fans: string[][];
  sets: number;
  measure: "points" | "total";
  keys: Record<string, unknown>;
}

/** One term of a book's table, in words; `key` is the same in every book. */
export interface TermShape {
  key: string;
  label: Bilingual;
  value: Bilingual;
}

/** Tiles for drawing, in their order, and the same as canonical text. */
export interface TilesShape {
  text: string;
  tiles: string[];
}

/** Visible tiles on the table as text: any number, no melds. */
export interface TilesText {
  tiles: string;
}

/** A single-use code that expires in `minutes`. */
export interface TransferCodeShape {
  code: string;
  minutes: number;
}

/** A payment at the end; null is the common pool, or no player (penalties). */
export interface TransferShape {
  payer: string | null;
  payee: string | null;
  points: number;
}

/** A record to try, in place of record `at` or after the last. */
export interface Trial {
  record: HandRecord | PenaltyRecord | ReseatRecord | SubstituteRecord | EndRecord | BellRecord;
  at?: number | null;
}

/** The result of a trial, or the question that has to be answered first. */
export interface TrialAnswer {
  row: RowShape | null;
  news: Bilingual[];
  totals: number[];
  question: QuestionShape | null;
}

/** Fourteen tiles, or thirteen and a tile `offered`: discarded by `giver`, by default the seat before. `left`: tiles in the wall; `melds`: those of the next seat, the one opposite and the one before, if they are not among the tiles `seen`. */
export interface TypedMoment extends HandRequest {
  seen?: string;
  left?: number | null;
  offered?: string;
  giver?: string;
  melds?: string[];
}

/** Undo a change; it stays in the history. */
export interface UndoChange {
  do?: "undo";
  change: string;
}

/** Take back this seat's last choice in the hand; only where one person plays against bots (`terms.undo`). */
export interface UndoMessage {
  undo: true;
}

/** Take back the start of the newest round; its results no longer count but stay in the log. */
export interface UndoRound {
  do?: "undo_round";
}

/** A seat took its last choice back: the hand follows again from its deal up to there. */
export interface UndoneMessage {
  n: number;
  undone: "E" | "S" | "W" | "N";
}

/** A file that is not a log, and why. */
export interface UnreadFile {
  path: string;
  why: Bilingual;
}

/** A match of the player that has not been reviewed. */
export interface UnreviewedMatch {
  id: string;
  title: string;
  when: number;
}

/** A tile that brings the hand nearer. */
export interface UsefulTile {
  tile: string;
  name: string;
  left: number;
}

/** A likely value of the next win: as announced (fan, in books whose players announce fan), and its points. */
export interface UsualShape {
  value: number;
  points: number;
}

/** The best discards, hands that the best one leads to, and a sentence; empty if the hand does not have 14 tiles. `preparing`: tables of the rulebook are being built; ask again later. */
export interface ValuedDiscards {
  preparing: boolean;
  choices: HintChoice[];
  aims: AimShape[];
  text: string;
}

/** A tile that completes the shape. */
export interface WaitShape {
  tile: string;
  name: string;
  left: number;
  can_win: boolean;
  discard: WaitSide;
  self_draw: WaitSide;
  reason: string | null;
}

/** The score of a wait won one way; null if the circumstances allow no such win, and `how` says why. */
export interface WaitSide {
  points: number;
  total: number;
  paid?: number | null;
  can_win: boolean;
  how: string;
  fans: string[];
  english?: string[] | null;
}

/** Waits of 13 tiles (`outlook`) or discards of 14 (`choices`), best first; if none is marked, `completion`. */
export interface WaitsAnswer {
  outlook: OutlookAnswer | null;
  choices: ChoiceShape[] | null;
  completion: CompletionShape | null;
}

/** A hand of 13 tiles (for its waits) or of 14 (for the waits after each discard); `seen` tiles are visible. */
export interface WaitsRequest extends HandRequest {
  seen?: string;
}

/** Commitments to the wall of the next hand: the server's commitment, and each player's ("": none). */
export interface WallSealed {
  hand: number;
  commitment: string;
  commitments: string[];
}

/** The wall: stacks by side (E S W N; `each` at most); the deal began at `seat`'s `stack` (1: rightmost). From there, `head` tiles are gone, from the other end `tail` tiles, where `dead` more stay. If each seat has its own wall, only `piles` matters: the tiles left in each. */
export interface WallShape {
  each: number;
  sides: number[];
  seat: "E" | "S" | "W" | "N";
  stack: number;
  head: number;
  tail: number;
  dead: number;
  piles?: number[] | null;
}

/** A tile of the wall in the order of drawing: who took it (null: not drawn), how, and in which frame. */
export interface WallTile {
  tile: string;
  seat: "E" | "S" | "W" | "N" | null;
  how: "deal" | "draw" | "replace" | null;
  at: number | null;
}

/** Offer of a book to whoever is asked which mahjong they play: a name, a sentence, tiles as a picture. Books are offered by `order`; beginners who have no book of their own begin with the first. */
export interface WelcomeShape {
  name: Bilingual;
  text: Bilingual;
  tiles: string[];
  order: number;
}

/** A win as `/api/score` takes it: its text and its circumstances. `givers` has the origin of each meld: L left, A across, R right, - the hand itself. */
export interface WinRequest {
  seat: "E" | "S" | "W" | "N";
  round: "E" | "S" | "W" | "N";
  self_draw: boolean;
  circumstances: string[];
  flowers: string[];
  hand: string;
  givers: string;
}

/** The tiles of a win, in place of its points: melds with their givers, circumstances, flowers. */
export interface WonHand {
  hand: string;
  circumstances?: string[];
  flowers?: string[] | number;
  givers?: ("left" | "across" | "right" | null)[];
}

/** A value that may be written, in words. */
export interface WordedChoice {
  value: string;
  text: Bilingual;
}

/** The words for formulas about a book, its rows as a draft writes them, its columns and, by fan, its groups. */
export interface WordsAnswer {
  words: FormulaWordShape[];
  rows: Record<string, WrittenRow>;
  columns: ColumnKind[];
  residues: Record<string, number>;
  fans: string[];
  circumstances: string[];
  states: StateShape[];
  levels: LevelShape[];
  play: PlayShape | null;
}

/** A fan of a book as a draft would write it: its formula ("" if words cannot express it) and columns. */
export interface WrittenRow {
  when: string;
  of: number | string;
  columns: Record<string, unknown>;
}

/** Anything a room sends. */
export type SocketMessage = RoomMessage | HiddenMessage | EventMessage | LogMessage | UndoneMessage | SealedMessage | HandMessage | PaidMessage | PenaltyMessage | JoinedMessage | EndMessage | Snapshot | OverMessage | HintMessage | RefusedMessage | SentPhrase | TakenMessage | PongMessage;

/** Anything a client sends to a room. */
export type ClientMessage = HelloMessage | ActionMessage | ReadyMessage | BeginMessage | SaltMessage | KickMessage | ReserveMessage | DoorMessage | BackMessage | PaceMessage | UndoMessage | PhraseMessage | HintWanted | PingMessage;

/** The words for a distance, by the number of missing tiles; the last are for whatever is farther. */
export const READINESS: readonly Bilingual[] = [
  { zh: "成和牌形", en: "complete" },
  { zh: "听牌", en: "ready" },
  { zh: "差 1 步听牌", en: "1 from ready" },
  { zh: "差 2 步听牌", en: "2 from ready" },
  { zh: "差 3 步听牌", en: "3 from ready" },
  { zh: "差 4 步听牌", en: "4 from ready" },
  { zh: "差 5 步听牌", en: "5 from ready" },
  { zh: "差 6 步听牌", en: "6 from ready" },
  { zh: "差 7 步听牌", en: "7 from ready" },
  { zh: "差 8 步听牌", en: "8 from ready" },
  { zh: "差 9 步听牌", en: "9 from ready" },
  { zh: "差 10 步听牌", en: "10 from ready" },
  { zh: "差 11 步听牌", en: "11 from ready" },
  { zh: "差 12 步听牌", en: "12 from ready" },
  { zh: "差 13 步听牌", en: "13 from ready" },
  { zh: "做不成和牌形", en: "no winning shape within reach" },
];
export const TO_A_WIN: readonly Bilingual[] = [
  { zh: "可和", en: "valid hand" },
  { zh: "差 1 张可和", en: "1 tile from a win" },
  { zh: "差 2 张可和", en: "2 tiles from a win" },
  { zh: "差 3 张可和", en: "3 tiles from a win" },
  { zh: "差 4 张可和", en: "4 tiles from a win" },
  { zh: "差 5 张可和", en: "5 tiles from a win" },
  { zh: "差 6 张可和", en: "6 tiles from a win" },
  { zh: "差 7 张可和", en: "7 tiles from a win" },
  { zh: "差 8 张可和", en: "8 tiles from a win" },
  { zh: "差 9 张可和", en: "9 tiles from a win" },
  { zh: "差 10 张可和", en: "10 tiles from a win" },
  { zh: "差 11 张可和", en: "11 tiles from a win" },
  { zh: "差 12 张可和", en: "12 tiles from a win" },
  { zh: "差 13 张可和", en: "13 tiles from a win" },
  { zh: "差 14 张可和", en: "14 tiles from a win" },
  { zh: "离可和太远", en: "too far from a win" },
];
