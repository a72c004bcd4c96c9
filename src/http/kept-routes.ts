import type { Result } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** Paths with parameters or wildcards, of which there are as many as there are requests. */
const OPEN_PATH = /[:*]/;

/**
 * Hono's router of tries, which walks the tree for every request, and keeps what it has found for the
 * paths that are registered as they are: all day it is asked for the same few.
 */
export class KeptRoutes<Handler> extends TrieRouter<Handler> {
  readonly #fixed = new Set<string>();
  readonly #found = new Map<string, Result<Handler>>();

  override add(method: string, path: string, handler: Handler): void {
    super.add(method, path, handler);
    if (!OPEN_PATH.test(path)) this.#fixed.add(nameOf(method, path));
    this.#found.clear();
  }

  override match(method: string, path: string): Result<Handler> {
    const name = nameOf(method, path);
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const found = super.match(method, path);
    if (this.#fixed.has(name)) this.#found.set(name, found);
    return found;
  }
}

function nameOf(method: string, path: string): string {
  return `${method} ${path}`;
}
