/** Longest wait for a token that another request asks for: that request may have died. */
const SHARED_WAIT_MS = 5_000;
/** A waiting request polls for the other one's answer at this interval. */
const POLL_MS = 25;
/** A token this close to its end is not begun with: the call must get there in time. */
const EXPIRY_MARGIN_MS = 30_000;
/** Tokens in an isolate's memory; a company beyond them asks for its own again. */
const TOKENS_MAX = 1_000;

/** An access token (RFC 6749 section 4.4.3); `expiresAt` in epoch milliseconds. */
export interface Token {
  value: string;
  expiresAt: number;
}

/** A token that a request is asking for; `answer` is undefined while it waits for the PSP. */
interface TokenRequest {
  answer?: Token | null;
}

/**
 * Access tokens of PSPs in the memory of one isolate. One request serves all that need a token at the
 * same time; a failed one is not kept. What the requests share is values, never a promise: the runtime
 * refuses a request that goes on in the context of another one.
 */
export class TokenCache {
  readonly #tokens = new Map<string, Token>();
  readonly #pending = new Map<string, TokenRequest>();

  /** The token under `key`, else the result of `ask`, which never throws; null where it gives none. */
  async get(
    key: string,
    nowMs: number,
    fetchToken: () => Promise<Token | null>,
  ): Promise<string | null> {
    const known = this.#tokens.get(key);
    if (known !== undefined && known.expiresAt - EXPIRY_MARGIN_MS > nowMs) return known.value;
    const other = this.#pending.get(key);
    const shared = other === undefined ? undefined : await waitForToken(other);
    const token = shared === undefined ? await this.#fetch(key, fetchToken) : shared;
    return token?.value ?? null;
  }

  /** Forgets a token that the PSP refused, unless another one has come meanwhile. */
  invalidate(key: string, value: string): void {
    if (this.#tokens.get(key)?.value === value) this.#tokens.delete(key);
  }

  async #fetch(key: string, fetchToken: () => Promise<Token | null>): Promise<Token | null> {
    const asking: TokenRequest = {};
    this.#pending.set(key, asking);
    try {
      const token = await fetchToken();
      asking.answer = token;
      if (token !== null) this.#set(key, token);
      return token;
    } finally {
      asking.answer ??= null;
      if (this.#pending.get(key) === asking) this.#pending.delete(key);
    }
  }

  #set(key: string, token: Token): void {
    this.#tokens.delete(key);
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size >= TOKENS_MAX && oldest !== undefined) this.#tokens.delete(oldest);
    this.#tokens.set(key, token);
  }
}

/** The other request's answer; undefined where that takes too long. */
async function waitForToken(asking: TokenRequest): Promise<Token | null | undefined> {
  for (let waitedMs = 0; waitedMs < SHARED_WAIT_MS; waitedMs += POLL_MS) {
    if (asking.answer !== undefined) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return asking.answer;
}
