import type {
  Contradiction,
  Decision,
  OperatorEventType,
  Proposal,
} from "../../domain/reconciliation/contradiction.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { assert } from "../../lib/assert.ts";
import { log } from "../../lib/log.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** A new contradiction; `held` centavos of it cannot be withdrawn until it is decided. */
export type Finding = Pick<
  Contradiction,
  "finding" | "kind" | "object" | "said" | "booked" | "amount" | "held"
>;

/** Times that a provider may change its mind about something, each with findings of its own, while nobody decides. */
export const CHANGES_MAX = 3;
/** The author of a decision that no operator made. */
const SYSTEM = "system";

type ContradictionRow = {
  number: number;
  finding: string;
  kind: Contradiction["kind"];
  object: string;
  said: string;
  booked: string;
  amount: number;
  held: number;
  status: Contradiction["status"];
  since: number;
  proposal: string | null;
  decision: string | null;
  version: number;
};

const CONTRADICTIONS = new Table<ContradictionRow>("contradictions");

/**
 * Contradictions, one for each finding. Each change adds an operator event to the outbox. Every
 * method that writes runs inside one `transactionSync`.
 */
export class ContradictionStore {
  readonly #sql: SqlStorage;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: { sql: SqlStorage; meta: MetaStore; outbox: OutboxStore }) {
    this.#sql = deps.sql;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  /** Opens a contradiction. A known finding, even a decided one, changes nothing. */
  open(found: Finding, nowMs: number): Contradiction {
    const known = this.findByKey(found.finding);
    if (known !== null) return known;
    const opened: Contradiction = {
      ...found,
      number: this.#meta.numberAfter(this.newest(), "contradiction_floor"),
      status: "open",
      since: nowMs,
      proposal: null,
      decision: null,
      version: 1,
    };
    this.#save(opened, "contradiction.opened", nowMs);
    const { kind, object, amount, held, number } = opened;
    const companyId = this.#meta.get("company_id");
    log("error", "contradiction_opened", { companyId, number, kind, object, amount, held });
    return opened;
  }

  /**
   * Opens a finding that may come again, under a key of its own: after one that later events ended, or that operators
   * decided where the provider said something else. What they decided of the same report stays decided, until the
   * provider said the opposite (the key of that finding, or null).
   */
  openAnew(found: Finding, opposite: string | null, nowMs: number): void {
    const before = this.#allOf(found.finding);
    const since = opposite === null ? 0 : this.#newestOf(opposite);
    const isSame = ({ said }: Contradiction) => JSON.stringify(said) === JSON.stringify(found.said);
    const isTold = (each: Contradiction) =>
      each.decision === null || (isDecidedAfter(each, since) && isSame(each));
    if (before.some(isTold)) return;
    this.open({ ...found, finding: anew(found.finding, before.length + 1) }, nowMs);
  }

  /** Whether operators decided a finding that may come again since the provider last said the opposite. */
  isDecidedSince(finding: string, opposite: string): boolean {
    const since = this.#newestOf(opposite);
    return this.#allOf(finding).some((each) => isDecidedAfter(each, since));
  }

  /** Ends a contradiction. The caller books the decision in the same commit. */
  decide(contradiction: Contradiction, proposal: Proposal, agreedBy: string, nowMs: number): void {
    const decision = { ...proposal, agreedBy, decidedAt: nowMs };
    this.#saveNextVersion(
      { ...contradiction, status: "decided", proposal, decision },
      "contradiction.decided",
      nowMs,
    );
  }

  /** Ends a contradiction that later events resolved; no effect on a decided or unknown one. */
  close(
    finding: string,
    reason: string,
    nowMs: number,
    made: Pick<Decision, "action" | "transactionId"> = { action: "apply", transactionId: null },
  ): void {
    const known = this.findByKey(finding);
    if (known === null || known.status === "decided") return;
    const decision: Decision = { ...made, amount: null, reason };
    this.decide(known, { ...decision, by: SYSTEM, at: nowMs }, SYSTEM, nowMs);
  }

  /** Ends, as `close`, whatever is open of a finding that may have come again. */
  closeAll(
    { finding, kind, object }: Pick<Finding, "finding" | "kind" | "object">,
    reason: string,
    nowMs: number,
  ): void {
    for (const key of this.openFindingKeys(kind, object))
      if (key === finding || chainOf(key) === finding) this.close(key, reason, nowMs);
  }

  /**
   * Ends, as `closeAll`, what is open of a finding, as the provider says the opposite. One that changes its mind again and
   * again is followed `CHANGES_MAX` times: then what is open stays so until operators decide.
   */
  closeByOpposite(
    found: Pick<Finding, "finding" | "kind" | "object">,
    opposite: string,
    reason: string,
    nowMs: number,
  ): void {
    const all = this.#allOf(found.finding);
    const decided = [...all, ...this.#allOf(opposite)].filter((each) => isDecidedAfter(each, 0));
    const since = Math.max(0, ...decided.map(({ number }) => number));
    const changes = all.filter(({ number, decision }) => number > since && decision !== null);
    if (changes.length < CHANGES_MAX) this.closeAll(found, reason, nowMs);
  }

  /** The number of the newest; 0 before the first. */
  newest(): number {
    return this.#sql
      .exec<{ newest: number }>("SELECT coalesce(max(number), 0) AS newest FROM contradictions")
      .one().newest;
  }

  find(number: number): Contradiction | null {
    const [found] = this.after(number - 1, 1);
    return found?.number === number ? found : null;
  }

  /** The contradictions after a number, ascending. */
  after(number: number, limit: number): Contradiction[] {
    return named("SELECT * FROM contradictions WHERE number > :number ORDER BY number LIMIT :limit")
      .exec<ContradictionRow>(this.#sql, { number, limit })
      .toArray()
      .map(fromRow);
  }

  findByKey(finding: string): Contradiction | null {
    const [row] = this.#sql
      .exec<ContradictionRow>("SELECT * FROM contradictions WHERE finding = ?", finding)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** Centavos that a finding holds, or that its correction took from the company. */
  accountedBy(finding: string): Cents {
    const found = this.findByKey(finding);
    return found === null ? 0 : Math.max(0, accountedOf(found));
  }

  /** The same of findings and of each that was opened anew after them, less what their corrections gave back, in centavos. */
  accountedByAll(...findings: string[]): Cents {
    const all = findings.flatMap((finding) => this.#allOf(finding));
    const total = all.reduce((sum, found) => sum + accountedOf(found), 0);
    return Math.max(0, total);
  }

  /** Centavos that the corrections of one kind of findings about an object took, less what they gave. Never negative. */
  takenBy(kind: Contradiction["kind"], object: string): Cents {
    const decisions = this.allAbout(kind, object).flatMap(({ decision }) => decision ?? []);
    return Math.max(0, -decisions.reduce((sum, { amount }) => sum + (amount ?? 0), 0));
  }

  /** The contradictions of one kind about an object, oldest first. */
  allAbout(kind: Contradiction["kind"], object: string): Contradiction[] {
    return named(
      `SELECT * FROM contradictions INDEXED BY contradictions_object
         WHERE object = :object AND kind = :kind ORDER BY number`,
    )
      .exec<ContradictionRow>(this.#sql, { kind, object })
      .toArray()
      .map(fromRow);
  }

  /** The number of the newest of a finding and of each that was opened anew after it; 0 where none is known. */
  #newestOf(finding: string): number {
    return this.#allOf(finding).at(-1)?.number ?? 0;
  }

  /** A finding and each that was opened anew after it, oldest first. */
  #allOf(finding: string): Contradiction[] {
    const all: Contradiction[] = [];
    for (;;) {
      const next = this.findByKey(anew(finding, all.length + 1));
      if (next === null) return all;
      all.push(next);
    }
  }

  /** Findings of the open contradictions of one kind about an object. */
  openFindingKeys(kind: Contradiction["kind"], object: string): string[] {
    return named(
      `SELECT finding FROM contradictions INDEXED BY contradictions_object
         WHERE status <> 'decided' AND kind = :kind AND object = :object`,
    )
      .exec<{ finding: string }>(this.#sql, { kind, object })
      .toArray()
      .map(({ finding }) => finding);
  }

  /** Whether a contradiction is open. */
  hasOpen(): boolean {
    const rows = this.#sql.exec(
      `SELECT 1 FROM contradictions INDEXED BY contradictions_open
       WHERE status <> 'decided' LIMIT 1`,
    );
    return !rows.next().done;
  }

  /** Centavos that cannot be withdrawn until their contradictions are decided. */
  heldTotal(): Cents {
    return this.#sql
      .exec<{ total: number }>(
        `SELECT coalesce(sum(held), 0) AS total FROM contradictions INDEXED BY contradictions_open
         WHERE status <> 'decided' AND held > 0`,
      )
      .one().total;
  }

  #saveNextVersion(contradiction: Contradiction, type: OperatorEventType, nowMs: number): void {
    const known = this.find(contradiction.number);
    assert(known !== null && known.status !== "decided", "a decision is final");
    this.#save({ ...contradiction, version: known.version + 1 }, type, nowMs);
  }

  #save(contradiction: Contradiction, type: OperatorEventType, nowMs: number): void {
    CONTRADICTIONS.replace(this.#sql, {
      number: contradiction.number,
      finding: contradiction.finding,
      kind: contradiction.kind,
      object: contradiction.object,
      said: JSON.stringify(contradiction.said),
      booked: JSON.stringify(contradiction.booked),
      amount: contradiction.amount,
      held: contradiction.held,
      status: contradiction.status,
      since: contradiction.since,
      proposal: contradiction.proposal === null ? null : JSON.stringify(contradiction.proposal),
      decision: contradiction.decision === null ? null : JSON.stringify(contradiction.decision),
      version: contradiction.version,
    });
    const number = this.#meta.next("newest_operator_event");
    const event = { number, type, at: nowMs };
    this.#outbox.add({ kind: "contradiction", contradiction, event }, nowMs);
  }
}

/** The key of a finding that came for the `time`-th time, from 1. */
function anew(finding: string, time: number): string {
  return time === 1 ? finding : `${finding}:${time}`;
}

/** The key of a finding that may come again, as it was for the first time. Not of a key that itself ends with a number. */
export function chainOf(finding: string): string {
  return finding.replace(/:\d+$/, "");
}

/** Whether operators decided a contradiction that came after the one of a number. */
function isDecidedAfter(found: Contradiction, since: number): boolean {
  return found.number > since && isByOperators(found);
}

/** Whether operators decided a contradiction. */
export function isByOperators({ decision }: Contradiction): boolean {
  return decision !== null && decision.by !== SYSTEM;
}

function accountedOf({ decision, held }: Contradiction): Cents {
  return decision === null ? held : -(decision.amount ?? 0);
}

function fromRow(row: ContradictionRow): Contradiction {
  return {
    ...row,
    said: JSON.parse(row.said) as Contradiction["said"],
    booked: JSON.parse(row.booked) as Contradiction["booked"],
    proposal: row.proposal === null ? null : (JSON.parse(row.proposal) as Proposal),
    decision:
      row.decision === null ? null : (JSON.parse(row.decision) as Contradiction["decision"]),
  };
}
