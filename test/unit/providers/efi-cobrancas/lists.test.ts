import { expect, it } from "vitest";
import { readPage } from "../../../../src/providers/efi-cobrancas/lists.ts";

const pageOf = (page: number, entries: number, limit = 2) => ({
  kind: "ok" as const,
  body: {
    data: Array.from({ length: entries }, (_, id) => ({ id })),
    params: { pagination: { limit, page } },
  },
});

it("a page that is as long as its limit has another after it", () => {
  expect(readPage(pageOf(1, 2), 0)).toMatchObject({ hasMore: true });
  expect(readPage(pageOf(2, 1), 1)).toEqual({ entries: [{ id: 0 }], hasMore: false });
});

it("another page than the one that was asked for says nothing", () => {
  expect(readPage(pageOf(1, 2), 1)).toBeNull();
  expect(readPage({ kind: "unknown" }, 0)).toBeNull();
});
