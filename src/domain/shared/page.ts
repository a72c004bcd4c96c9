/** A page of the numbers 1 to `total`: `offset` numbers come before it, and it has up to `size`. */
export interface PageWindow {
  offset: number;
  size: number;
  newestFirst: boolean;
}

/** The first and last number of a page; `last < first` for a page beyond the end. */
export function pageRange(page: PageWindow, total: number): { first: number; last: number } {
  if (page.newestFirst) {
    const last = total - page.offset;
    return { first: Math.max(1, last - page.size + 1), last };
  }
  return { first: page.offset + 1, last: Math.min(total, page.offset + page.size) };
}
