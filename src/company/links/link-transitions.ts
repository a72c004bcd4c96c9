import type { PaymentLinkEventType } from "../../domain/events/event-types.ts";
import {
  isExhausted,
  linkStatus,
  type LinkPayment,
  type LinkStatus,
} from "../../domain/links/payment-link.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import { toLink, type LinkStore, type StoredLink } from "./link-store.ts";

/**
 * The only way to change a link: stores it with the next version, and adds it and its events to the outbox.
 * Runs inside one `transactionSync`.
 */
export class LinkTransitions {
  readonly #links: LinkStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: { links: LinkStore; meta: MetaStore; outbox: OutboxStore }) {
    this.#links = deps.links;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  /** Stores a change; announces a payment, if it is one, and that the link has had all of its payments. */
  apply(
    before: StoredLink,
    change: Partial<StoredLink>,
    payment: LinkPayment | null,
    nowMs: number,
  ): StoredLink {
    const previousStatus = linkStatus(before, nowMs);
    const link = { ...before, ...change };
    const type = payment === null ? null : ("payment_link.paid" as const);
    const saved = this.#save(link, { type, payment, previousStatus }, nowMs);
    if (isExhausted(before) || !isExhausted(saved)) return saved;
    const exhausted = { type: "payment_link.exhausted", payment, previousStatus } as const;
    return this.#save(saved, exhausted, nowMs);
  }

  #save(
    before: StoredLink,
    about: {
      type: PaymentLinkEventType | null;
      payment: LinkPayment | null;
      previousStatus: LinkStatus;
    },
    nowMs: number,
  ): StoredLink {
    const { type, payment, previousStatus } = about;
    const sequence = before.eventSequence + (type === null ? 0 : 1);
    const version = before.version + 1;
    const saved = { ...before, version, updatedAt: nowMs, eventSequence: sequence };
    this.#links.save(saved);
    const link = toLink(saved);
    const event =
      type === null
        ? null
        : {
            type,
            ...this.#meta.nextEvent({ nowMs, bytes: jsonBytes(link) }),
            sequence,
            previousStatus,
            timestamp: nowMs,
          };
    this.#outbox.add({ kind: "payment_link", link, payment, event }, nowMs);
    return saved;
  }
}
