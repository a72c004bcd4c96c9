const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

const unrestrictedFetch = globalThis.fetch;

/**
 * Refuses every host but loopback before the runtime looks its name up. Queues really run in tests, so
 * deliveries are sent to the names of invented merchants; a lookup that fails is printed as an internal error.
 */
export function allowLoopbackOnly(): void {
  globalThis.fetch = async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    if (!LOOPBACK.has(hostname)) throw new TypeError(`tests reach loopback only, not ${hostname}`);
    return unrestrictedFetch(input, init);
  };
}
