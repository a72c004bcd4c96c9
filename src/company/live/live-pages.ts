import type { OutboxEntry } from "../../domain/events/outbox-entry.ts";
import type { LiveAudience, LiveMessage, LiveNews, LiveScope } from "../../domain/events/live.ts";

/** RFC 6455: the endpoint goes away; the page asks again with its session. */
const GOING_AWAY = 1001;
/** RFC 6455: the page breaks the rules. */
const POLICY_VIOLATION = 1008;
/** Open pages of a company: each costs every announcement a send. */
export const PAGES_MAX = 1_000;

const SCOPE_OF_NEWS: Record<LiveNews["kind"], LiveScope> = {
  payment: "transactions:read",
  dispute: "transactions:read",
  unexpected: "transactions:read",
  approval: "withdraws:read",
};

type Balance = NonNullable<LiveMessage["balance"]>;

/** The open pages of a company's people. Their sockets hibernate: they keep neither the object nor a Worker awake. */
export class LivePages {
  readonly #state: DurableObjectState;
  readonly #now: () => number;

  constructor({ state, now }: { state: DurableObjectState; now: () => number }) {
    this.#state = state;
    this.#now = now;
  }

  /**
   * Takes a page's socket and tells it the balance, which may have changed since the page was made. Answers 503 to a
   * page beyond `PAGES_MAX`, which is as old as its load.
   */
  accept(audience: LiveAudience, balance: () => Balance): Response {
    if (this.#openPages().length >= PAGES_MAX) return new Response(null, { status: 503 });
    const { 0: page, 1: own } = new WebSocketPair();
    this.#state.acceptWebSocket(own);
    own.serializeAttachment(audience);
    own.send(JSON.stringify(messageFor(audience, [], balance())));
    return new Response(null, { status: 101, webSocket: page });
  }

  /** Tells what entries changed: one send for each page, nothing read without a page. */
  announce(entries: readonly OutboxEntry[], balance: () => Balance): void {
    const pages = this.#openPages();
    if (pages.length === 0) return;
    const news = entries.flatMap(newsOf);
    const now = balance();
    const texts = new Map<string, string>();
    for (const { page, audience } of pages) {
      const key = audience.scopes.join(" ");
      const text = texts.get(key) ?? JSON.stringify(messageFor(audience, news, now));
      texts.set(key, text);
      page.send(text);
    }
  }

  /** Closes a page that sends something: no page of the console does. */
  refuse(page: WebSocket): void {
    page.close(POLICY_VIOLATION);
  }

  /** The pages that may be told something. Closes those whose time is over. */
  #openPages(): { page: WebSocket; audience: LiveAudience }[] {
    return this.#state.getWebSockets().flatMap((page) => {
      if (page.readyState !== WebSocket.OPEN) return [];
      const audience = page.deserializeAttachment() as LiveAudience;
      if (audience.until > this.#now()) return [{ page, audience }];
      page.close(GOING_AWAY);
      return [];
    });
  }
}

function messageFor({ scopes }: LiveAudience, news: LiveNews[], balance: Balance): LiveMessage {
  return {
    news: news.filter(({ kind }) => scopes.includes(SCOPE_OF_NEWS[kind])),
    ...(scopes.includes("balance:read") ? { balance } : {}),
  };
}

/** What people want to hear of an entry. */
function newsOf(entry: OutboxEntry): LiveNews[] {
  const type = entry.event?.type;
  if (entry.kind === "transaction" && type === "transaction.paid") {
    return [{ kind: "payment", amount: entry.state.paidAmount }];
  }
  if (entry.kind === "withdraw" && type === "withdraw.awaiting_approval") {
    return [{ kind: "approval", amount: entry.withdraw.amount }];
  }
  if (entry.kind === "dispute" && type === "dispute.opened") {
    return [{ kind: "dispute", amount: entry.dispute.amount }];
  }
  if (entry.kind === "payment" && type === "payment.unexpected") {
    return [{ kind: "unexpected", amount: entry.payment.amount }];
  }
  return [];
}
