/** Longest wait for a token that another caller is getting: its request may have died with it. */
const SHARED_WAIT_MS = 5_000;
/** A token this close to its end is not begun with: the call must get there in time. */
const EXPIRY_MARGIN_MS = 30_000;
/** Tokens in an isolate's memory; a company beyond them asks for its own again. */
const TOKENS_MAX = 1_000;

/** An access token (RFC 6749 section 4.4.3); `expiresAt` in epoch milliseconds. */
export interface Token {
  value: string;
  expiresAt: number;
}

/**
 * Access tokens of PSPs in the memory of one isolate. One request serves all who ask at the same
 * time; a failed one is not kept.
 */
export class TokenCache {
  readonly #tokens = new Map<string, Token>();
  readonly #pending = new Map<string, Promise<Token | null>>();

  /** The token under `key`, or what `ask`, which never throws, brings; null where it brings none. */
  async get(key: string, nowMs: number, ask: () => Promise<Token | null>): Promise<string | null> {
    const known = this.#tokens.get(key);
    if (known !== undefined && known.expiresAt - EXPIRY_MARGIN_MS > nowMs) return known.value;
    const pending = this.#pending.get(key);
    const shared = pending === undefined ? "late" : await within(pending, SHARED_WAIT_MS);
    const token = shared === "late" ? await this.#ask(key, ask) : shared;
    return token?.value ?? null;
  }

  /** Forgets a token that the PSP refused, unless another one has come meanwhile. */
  drop(key: string, value: string): void {
    if (this.#tokens.get(key)?.value === value) this.#tokens.delete(key);
  }

  async #ask(key: string, ask: () => Promise<Token | null>): Promise<Token | null> {
    const pending = ask();
    this.#pending.set(key, pending);
    try {
      const token = await pending;
      if (token !== null) this.#keep(key, token);
      return token;
    } finally {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    }
  }

  #keep(key: string, token: Token): void {
    this.#tokens.delete(key);
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size >= TOKENS_MAX && oldest !== undefined) this.#tokens.delete(oldest);
    this.#tokens.set(key, token);
  }
}

/** What `work` brings, where it does so in time. */
async function within<Value>(work: Promise<Value>, limitMs: number): Promise<Value | "late"> {
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
