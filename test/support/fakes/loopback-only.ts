const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

const unrestrictedFetch = globalThis.fetch;

/**
 * Rejects every host except loopback before its name is resolved. Queues really run in tests and
 * deliver to invented hosts; a failed lookup would be logged as an internal error.
 */
export function allowLoopbackOnly(): void {
  globalThis.fetch = async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    if (!LOOPBACK.has(hostname)) throw new TypeError(`tests reach loopback only, not ${hostname}`);
    return unrestrictedFetch(input, init);
  };
}
