import type { OutboxEntry } from "../../domain/events/outbox-entry.ts";
import type { LiveAudience, LiveMessage, LiveNews, LiveScope } from "../../domain/events/live.ts";

/** RFC 6455: the endpoint goes away; the page asks again with its session. */
const GOING_AWAY = 1001;

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

  /** Takes a page's socket and tells it the balance, which may have changed since the page was made. */
  accept(audience: LiveAudience, balance: () => Balance): Response {
    const { 0: page, 1: own } = new WebSocketPair();
    this.#state.acceptWebSocket(own);
    own.serializeAttachment(audience);
    own.send(JSON.stringify(messageFor(audience, [], balance())));
    return new Response(null, { status: 101, webSocket: page });
  }

  /** Tells what entries changed: one send for each page, nothing read without a page. */
  announce(entries: readonly OutboxEntry[], balance: () => Balance): void {
    const pages = this.#state.getWebSockets();
    if (pages.length === 0) return;
    const news = entries.flatMap(newsOf);
    const now = balance();
    const texts = new Map<string, string>();
    for (const page of pages) {
      const audience = page.deserializeAttachment() as LiveAudience;
      if (audience.until <= this.#now()) {
        page.close(GOING_AWAY);
        continue;
      }
      const key = audience.scopes.join(" ");
      const text = texts.get(key) ?? JSON.stringify(messageFor(audience, news, now));
      texts.set(key, text);
      page.send(text);
    }
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
