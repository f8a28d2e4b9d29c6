// The reviewer's own judgements with one tool on one paper. They are sent as a whole, { raised, domains }, where each
// domain has { answers, level, comment, decisions }, and like `raised` also { edit, version }: how often it was changed
// here, and from which stored version. One domain is on the desk; its decisions are the desk's.

const chosenDomains = new Map(); // question -> the domain on the desk; outlives a switch of the page

let begun = 0; // the number of Python's last word on which domain to begin at

const untouched = ({ answers, level, comment, decisions }) =>
  !level && !comment && !decisions.length && !Object.keys(answers).length;

class Judgements extends Decisions {
  constructor(send) {
    super(send, ({ domains }) => Object.values(domains).every(untouched));
  }

  receive(view) {
    const { domains, raised, levels } = view.judging;
    takeLevels(levels);
    const value = { raised, domains: Object.fromEntries(domains.map(({ id, own }) => [id, own])) };
    this.value = this.kept.receive(view, value);
    this.question = view.question;
    this.domains = domains;
    const [number, id] = view.judging.beginAt;
    if (number > begun) chosenDomains.set(this.question, id);
    begun = number;
    this.#readWords();
  }

  // The domain on the desk: what Python sent of it, and what the reviewer has set.
  get domain() {
    return this.domains.find(({ id }) => id === chosenDomains.get(this.question)) ?? this.domains[0];
  }

  get own() {
    return this.value.domains[this.domain.id];
  }

  choose(id) {
    chosenDomains.set(this.question, id);
    this.#readWords();
  }

  change(part) {
    const domains = { ...this.value.domains, [this.domain.id]: { ...this.own, ...part, edit: this.own.edit + 1 } };
    this.#keep({ ...this.value, domains });
  }

  raise(on) {
    const { raised } = this.value;
    this.#keep({ ...this.value, raised: { ...raised, on, edit: raised.edit + 1 } });
  }

  #keep(value) {
    this.value = value;
    this.kept.set(value);
  }

  #readWords() {
    this.words = new Map(this.own.decisions);
  }

  store(pairs) {
    this.change({ decisions: pairs });
  }
}
