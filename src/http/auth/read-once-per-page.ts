import { pageOfRequest } from "./person-requests.ts";

/** After a request of the page that may write: it may have changed what was read. */
const CHANGED = "changed";

/**
 * What the requests of a page read of whom it is for, such as the company. Those that read share one read. One that
 * may write reads for itself, and after it so does each. No other request awaits what a page's has begun.
 */
export class ReadOncePerPage<Found> {
  readonly #byPage = new WeakMap<Request, Promise<Found> | typeof CHANGED>();

  /** What `find` finds, or has found for an earlier request of the page; rejects as it does. */
  read(request: Request, find: () => Promise<Found>): Promise<Found> {
    const page = pageOfRequest(request);
    if (page === undefined) return find();
    if (request.method !== "GET") this.#byPage.set(page, CHANGED);
    const known = this.#byPage.get(page);
    if (known === CHANGED) return find();
    const found = known ?? find();
    this.#byPage.set(page, found);
    return found;
  }
}
