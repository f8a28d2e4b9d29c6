// What Python and the browser send each other, and what the scripts pass among themselves. Only type checks read this
// file.

// ---- A paper ----

export type Section = { title: string; kind: string; level: number; first: number; last: number };
export type Block = [kind: string, first: number, last: number, section: number];
export type Box = [sentence: number, left: number, top: number, width: number, height: number];

export type Paper = {
  sections: Section[];
  sentences: string[];
  blocks: Block[];
  pages: [sentence: number, page: number][]; // where each page begins
  pageSizes: [width: number, height: number][]; // empty if there are no pages to show
  cellSeparator: string;
};
export type KnownPaper = Paper & { boxes: Map<number, Box[]> }; // boxes by page

// The answer to the browser's last question, with its number.
export type Reply = { number: number; pictures: [page: number, width: number, source: string | null][]; boxes: [page: number, boxes: Box[]][] };
export type Picture = { width: number; source: string | null };
export type Wants = { paper?: boolean; pictures?: number[]; width?: number; boxes?: number[] };

// ---- The desk ----

export type DeskData = { opening: string; paper: Paper | null; reply: Reply; view: SentView };

// The state of the desk. Python leaves out what is empty (see NOTHING in desk.js).
export type View = {
  question: string; // identifies the work on the desk
  open: string[]; // the open papers
  number: number; // of the last change that Python has stored
  answer: number; // how many answers there have been
  canDecide: boolean;
  empty: string; // the text for an empty list
  decisions: [sentence: number, word: Decision][];
  noun: string;
  ranked: RankedSentence[];
  near: number[];
  cited: number[]; // cited by an answer from many papers
  gold: Gold | null;
  verdict: PaperVerdict | null;
  run: Run | null;
  changes: WordingChange[];
  newest: string;
  beginAt: [number: number, sentence: number];
  judging: JudgingView | null;
  settling: SettlingView | null;
  checking: CheckingView | null;
  comparing: ComparingView | null;
  screening: ScreeningView | null;
  stored: boolean | null; // whether everything is stored; null: nothing is ever stored
  note: string | null;
  words: string[];
};
type Needed = "question" | "open" | "number" | "canDecide" | "empty";
export type SentView = Pick<View, Needed> & Partial<Omit<View, Needed>>;

// What Streamlit passes to a component's script.
export type Component<Data> = {
  data: Data;
  parentElement: HTMLElement;
  setStateValue: (name: string, value: unknown) => void;
  setTriggerValue: (name: string, value: unknown) => void;
};

// ---- Evidence ----

export type Decision = "accepted" | "rejected" | "added";
export type Stance = "supports" | "refutes" | "neutral";
export type GoldWord = "hit" | "extra" | "missed" | "spare";

export type RankedSentence = {
  index: number;
  rank: number | string;
  bar: number | null;
  scoreNote?: string | null;
  rationale?: string | null;
  stance?: Stance | null;
  match?: "exact" | "repaired" | null;
  fixed?: boolean;
};

// A sentence that is marked in the paper and listed beside it.
export type Item = Partial<Omit<RankedSentence, "index">> & {
  index: number;
  group: string;
  state: Decision | null;
  gold: GoldWord | null;
  goldWord?: string | null;
  sign: string;
  name: string;
  noun: string;
  notes?: string[];
};

export type Gold = {
  k: number;
  named: boolean;
  hits: number[];
  extras: number[];
  missed: number[];
  spares: number[];
  recall: number | null;
  reviewed: number | null;
  best: number;
  fewest: number;
  aspects: Aspect[];
};
export type Aspect = { label: string; result: boolean; covered: boolean; sentences: number[] };

export type Counted = [text: string, times: number];
export type Step = { label: string; reasoning: string; chosen: number[]; faults: Counted[]; notInPaper: Counted[]; error: string | null; text: string | null; cost: string | null };
export type Run = { model: string; answered: boolean; steps: Step[] };
export type PaperVerdict = { judgement: "supports" | "refutes" | "mixed" | "not reported" | "unclear"; for: number | null; against: number | null; unread: string[] };
export type WordingChange = {
  rewording: "paraphrase" | "negation";
  hypothesis: string;
  kept: number;
  lost: number[];
  gained: number[];
  contradictions: [sentence: number, before: Stance, after: Stance][];
  judged: boolean;
};

export type Jump = (index: number) => void;
export type Decide = (index: number, word: Decision | "remove") => void;
export type Send<Value> = (value: Value) => void;

// ---- What the reviewer sets ----

// A change on its way to Python; and decisions, or their stand-in if nothing can be decided.
export type Sent<Value> = { question: string; number: number; value: Value };
export type Words = {
  words: Map<number, Decision>;
  arrived: boolean;
  of: (index: number) => Decision | null;
  set: (index: number, word: Decision | null) => void;
  receive: (view: View) => void;
  keepDownloaded: () => void;
};

// ---- Risk of bias ----

export type Level = string; // one of the tool's levels
export type LevelStyle = { id: Level; word: string; sign: string; colour: string; ink: string };
export type Answer = "Y" | "PY" | "PN" | "N" | "NI" | "NA";
export type Edit = { edit: number; version: number };
export type Criteria = [level: Level, text: string][];

export type OwnDomain = Edit & { answers: Record<string, Answer>; level: Level | null; comment: string; decisions: [sentence: number, word: Decision][] };
export type OwnJudgements = { domains: Record<string, OwnDomain> };

export type Question = { id: string; text: string; condition: string; allowed: Answer[]; applies: boolean; suggested: Answer | null };
export type Flip = { question: string; answers: Answer[]; level: Level | null; opens: string[] };
export type Suggestion = {
  hidden?: false;
  engine: string;
  level: Level | null;
  rationale: string;
  words: string[];
  support: number[];
  searched: string[];
  notInPaper: string[];
  run: Run | null;
  cost: string | null;
};

export type JudgedDomain = {
  id: string;
  name: string;
  bias: string;
  definition: string;
  criteria: Criteria;
  questions: Question[];
  own: OwnDomain;
  level: Level | null;
  follows: "answers" | "domains" | null; // what the level follows from if none is set; null: the reviewer sets it
  given: Level | null; // the level that follows
  missing: string[]; // questions still to answer, or domains still to judge
  flips: Flip[];
  suggestion: Suggestion | { hidden: true } | null;
  ranked: RankedSentence[];
  near: number[];
  others: { reviewer: string; level: Level | null; comment: string }[];
  settled: { level: Level; reason: string } | null;
  failure: { engine: string; error: string; run: Run } | null;
  saved: boolean;
  gold: { levels: Level[]; suggested: boolean | null; own: boolean | null; sentences: Gold | null } | null; // null: not known or hidden
};
export type JudgingView = {
  levels: LevelStyle[];
  outcome: string; // the outcome that is judged; empty: the paper as a whole
  domains: JudgedDomain[];
  beginAt: BeginAt;
};
export type BeginAt = [number: number, domain: string];
export type Thoughts = (run: Run, ranked: RankedSentence[]) => HTMLElement[];

export type SettledDomain = {
  id: string;
  name: string;
  bias: string;
  definition: string;
  criteria: Criteria;
  state: "conflict" | "agreed" | "settled" | "open" | "hidden";
  level: Level | null;
  judgements: Side[];
  settled: SettledBy & { level: Level; reason: string; when: string; version: number } | null;
  ranked: RankedSentence[];
  near: number[];
  gold: null;
  suggestion: null;
};
export type Side = { reviewer: string; level: Level | null; comment: string; answers: [question: string, answer: Answer, text: string][]; support: number };
export type SettledBy = { who: string; by: string[] };
export type SettlingView = { levels: LevelStyle[]; domains: SettledDomain[]; number: number; problem: string | null; beginAt: BeginAt };
export type Consensus = { question: string; number: number; domain: string; level: Level; reason: string; version: number };

// ---- Plain summaries ----

export type Label = "supported" | "contradicts the paper" | "not in the paper" | "cannot tell" | "not judged";
export type Agreement = "agrees" | "differs" | "not found";
export type Pieces = [text: string, agreement: Agreement | null][];
export type OwnLabels = Record<string, Label>; // by sentence of the summary
export type Claim = {
  before: string; // the text between it and the previous sentence
  parts: [text: string, wrong: boolean][];
  said: Pieces;
  nearest: { index: number; pieces: Pieces }[];
  label: Label;
  score: number | null;
  reason: string;
  flags: { reason: string; index: number | null }[];
  ranked: RankedSentence[];
  invented: string[];
  gold: { labels: Label[]; rationale: string } | null;
};
export type CheckingView = { claims: Claim[]; worth: string; words: Record<Label, string>; rest: string; own: OwnLabels };

// ---- Engines compared ----

export type ComparedSentence = { index: number; group: string; letters: string; notes: string[]; gold: GoldWord | null; goldWord: string | null };
export type Filter = { id: string; label: string; title: string; indices: number[] };
export type ComparingView = { items: ComparedSentence[]; groups: [group: string, title: string | null][]; filters: Filter[] };

// ---- Answers from many papers ----

export type CitedPassage = { number: number; status: "quoted" | "supported" | "contradicted" | "cannot tell"; sign: string; about: string };
export type WrittenSentence = { text: string; begins: boolean; citations: CitedPassage[] };
export type AnswerData = { sentences: WrittenSentence[] };

// ---- Screening ----

export type Verdict = "include" | "exclude" | "unsure";
export type Fit = "met" | "not met" | "unclear";
export type Fits = Record<string, Fit>; // by criterion
export type CriterionKind = "population" | "intervention" | "comparator" | "outcome" | "design" | "own";
export type Criterion = {
  id: string;
  letter: string;
  kind: CriterionKind;
  text: string;
  suggestion: { engine: string; fit: Fit; reason: string; sentences: number[] } | null;
};
export type OwnScreening = { verdict: Verdict | null; reason: string; note: string; fits: Fits; seen: string[]; version: number; acted: boolean };
export type Said = { reviewer: string; verdict: Verdict | null; reason: string; note: string; fits: Fits };
export type ScreenedItem = { id: string; isPaper: boolean; title: string; citation: string };
export type ScreeningView = {
  mode: "decide" | "settle";
  item: ScreenedItem;
  own: OwnScreening;
  criteria: Criterion[];
  reasons: string[];
  decided: number;
  total: number;
  conflicts: number;
  byPromise: boolean;
  hide: boolean;
  previous: boolean;
  undo: { verdict: Verdict | null; reason: string; title: string } | null;
  problem: string | null;
  failed: number;
  went: number;
  settled_number: number;
  unsettled: string | null;
  waiting: string | null;
  suggestable: boolean;
  others: Said[];
  hidden: string[];
  settled: SettledBy & { verdict: Verdict; reason: string; why: string } | null;
  sides: Said[]; // these three only when settling
  differ: boolean;
  settledVersion: number;
};
export type Move = "next" | "previous" | "undo" | "order" | "hide" | "conflicts" | "suggest";
export type Go = (what: Move, on?: boolean) => void;
export type SettlingDraft = { verdict: Verdict | null; reason: string; why: string };
export type ScreeningConsensus = SettlingDraft & { question: string; number: number; version: number };

// ---- Tables of a project ----

export type Choose = (chosen: unknown[]) => void;

export type PaperRow = { id: string; study: string; title: string; citation: string; notice: string; outcome: string; first: boolean; done: number[]; final: number; conflicts: number; excluded: string | null };
export type ReferenceRow = { id: string; study: string; title: string; citation: string; note: string; notice: string; excluded: string | null; done?: undefined; outcome?: undefined };
export type PapersData = {
  reviewers: string[];
  me: string | null;
  domains: number;
  papers: PaperRow[];
  references: ReferenceRow[];
  matched: Record<string, [reference: string, words: string][]>;
  begin: [number: number, shown: string];
};

export type ItemRow = {
  id: string;
  title: string;
  citation: string;
  isPaper: boolean;
  verdicts: (Verdict | "hidden" | null)[];
  final: "include" | "exclude" | null;
  reason: string;
  conflict: boolean;
};
export type ItemsData = { reviewers: string[]; me: string | null; items: ItemRow[] };

// Numbers refer to `texts`; missing values are left out.
export type Passage = { text: number; section?: number; page?: number; index: number };
export type Finding = {
  final?: string;
  verdict?: string;
  whose?: number;
  differ?: boolean;
  people?: [who: string, verdict: string, comment: number | null][];
  engine?: number;
  sure?: number;
  why?: number;
  check?: number;
  for?: Passage;
  against?: Passage;
  nearest?: Passage[];
  effect?: [words: string, value: number, sentence: number, printed: number | null];
};
export type EvidencePaper = { id: string; study: string; title: string; citation: string; notice?: string; screening?: string; note?: number; level?: Level; bias?: number; cells: Finding[] };
export type EvidenceRow = EvidencePaper & { place: number; shown: Finding[]; says: string };
export type EvidenceData = {
  project: string;
  stamp: string;
  hypotheses: string[];
  titles: { study: string; verdict: string; for: string; against: string; effect: string; screening: string; level: string };
  verdicts: { id: string; sign: string; meaning: string }[];
  screenings: string[];
  levels: LevelStyle[];
  papers: EvidencePaper[];
  texts: string[];
  begin: [number: number, hypothesis: string];
  judges: boolean;
};
export type Look = {
  hypothesis: string | null;
  words: string;
  verdict: string;
  screening: string;
  level: string;
  key: string | null;
  down: boolean;
  left: string | null;
};

// ---- Drawing ----

export type Child = Node | string | null | undefined;
type Listeners = {
  onclick?: (event: MouseEvent) => unknown;
  onchange?: (event: Event) => unknown;
  oninput?: (event: Event) => unknown;
  onkeydown?: (event: KeyboardEvent) => unknown;
};
export type Properties = Listeners & { [name: string]: unknown };
