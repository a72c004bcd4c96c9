import { PAYMENT_LINKS_MAX, type PaymentLink } from "../../domain/links/payment-link.ts";
import { jsonBytes, SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { withoutUndefined } from "../../lib/without-undefined.ts";
import type {
  ChangeLink,
  CreateLink,
  UseCardSession,
  UseCardSessionAnswer,
  WritePaymentLink,
  WritePaymentLinkAnswer,
} from "./command-types.ts";
import type { DailyUsage } from "../storage/daily-usage.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { CardSessionStore } from "./card-session-store.ts";
import { toLink, type LinkStore } from "./link-store.ts";
import type { LinkTransitions } from "./link-transitions.ts";

/** The operation of the idempotency keys of new links. */
const OPERATION = "payment_link";

/** Makes and changes payment links. Every method runs inside one `transactionSync`. */
export class LinkCommands {
  readonly #links: LinkStore;
  readonly #meta: MetaStore;
  readonly #transitions: LinkTransitions;
  readonly #keys: IdempotencyStore;
  readonly #usage: DailyUsage;
  readonly #cardSessions: CardSessionStore;

  constructor(deps: {
    links: LinkStore;
    meta: MetaStore;
    transitions: LinkTransitions;
    keys: IdempotencyStore;
    usage: DailyUsage;
    cardSessions: CardSessionStore;
  }) {
    this.#links = deps.links;
    this.#meta = deps.meta;
    this.#transitions = deps.transitions;
    this.#keys = deps.keys;
    this.#usage = deps.usage;
    this.#cardSessions = deps.cardSessions;
  }

  /** Makes a link once per key and id, or changes one. A refusal leaves the key free. */
  write(command: WritePaymentLink, nowMs: number): WritePaymentLinkAnswer {
    return command.kind === "create" ? this.#create(command, nowMs) : this.#change(command, nowMs);
  }

  /** Uses a checkout session once. A refusal for the quota of links leaves it unused. */
  useCardSession(command: UseCardSession, nowMs: number): UseCardSessionAnswer {
    const refusal = this.#usage.linkRefusal(command, nowMs);
    if (refusal !== null) return refusal;
    if (!this.#cardSessions.use(command.id, command.expiresAt, nowMs))
      return { kind: "used_before" };
    this.#usage.addLinkBytes(command.bytes, nowMs);
    return { kind: "used" };
  }

  #create(command: CreateLink, nowMs: number): WritePaymentLinkAnswer {
    const { id, key, requestHash, link } = command;
    const known = key === null ? null : this.#keys.find(OPERATION, key);
    if (known !== null && known.requestHash !== requestHash) return { kind: "key_reused" };
    if (known !== null && known.answer !== null)
      return { kind: "written", link: JSON.parse(known.answer) as PaymentLink, replayed: true };
    const repeated = this.#links.find(id);
    if (repeated !== null) return { kind: "written", link: toLink(repeated), replayed: false };
    if (!command.isPossible) return { kind: "impossible" };
    const number = this.#meta.numberAfter(this.#links.newest(), "link_floor");
    if (number > PAYMENT_LINKS_MAX) return { kind: "too_many" };
    const refusal = this.#takeQuota(command, link, nowMs);
    if (refusal !== null) return refusal;
    const counts = { paidCount: 0, openCount: 0, version: 0, eventSequence: 0 };
    const times = { createdAt: nowMs, updatedAt: nowMs };
    const initial = { ...link, ...counts, ...times, id, number, isActive: true };
    const made = toLink(this.#transitions.apply(initial, {}, null, nowMs));
    if (key !== null) {
      this.#keys.add(OPERATION, key, requestHash, number);
      this.#keys.saveAnswer(OPERATION, key, JSON.stringify(made));
    }
    return { kind: "written", link: made, replayed: false };
  }

  /** The limit never goes below what was paid and what payers hold. */
  #change(command: ChangeLink, nowMs: number): WritePaymentLinkAnswer {
    const link = this.#links.find(command.id);
    if (link === null) return { kind: "not_found" };
    const change = withoutUndefined(command.change);
    const { maxPayments } = change;
    const taken = link.paidCount + link.openCount;
    if (maxPayments != null && maxPayments < taken) return { kind: "below_taken", taken };
    const refusal = this.#takeQuota(command, change, nowMs);
    if (refusal !== null) return refusal;
    const changed = this.#transitions.apply(link, change, null, nowMs);
    return { kind: "written", link: toLink(changed), replayed: false };
  }

  #takeQuota({ companyId, quotaPercent }: WritePaymentLink, stored: object, nowMs: number) {
    const bytes = SMALL_WRITE_BYTES + jsonBytes(stored);
    return this.#usage.take({ companyId, quotaPercent, bytes }, nowMs);
  }
}
