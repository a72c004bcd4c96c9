/** A page of a dense row of numbers from 1 to `total`: how many come before it, how many it holds. */
export interface PageWindow {
  offset: number;
  size: number;
  newestFirst: boolean;
}

/** The numbers a page covers; `last < first` where it lies beyond the end. No counting, no skipping. */
export function pageRange(page: PageWindow, total: number): { first: number; last: number } {
  if (page.newestFirst) {
    const last = total - page.offset;
    return { first: Math.max(1, last - page.size + 1), last };
  }
  return { first: page.offset + 1, last: Math.min(total, page.offset + page.size) };
}
