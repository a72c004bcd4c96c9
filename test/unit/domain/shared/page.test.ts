import { describe, expect, test } from "vitest";
import { pageRange } from "../../../../src/domain/shared/page.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

const SORTS = [
  ["newest first", true],
  ["oldest first", false],
] as const;

describe.each(SORTS)("%s", (_sort, newestFirst) => {
  test("the pages contain every number from 1 to N once, in order", () => {
    forAll(300, (random) => {
      const total = random.integer(0, 250);
      const size = random.integer(1, 100);
      const upwards = Array.from({ length: total }, (_, index) => index + 1);
      expect(readAll(total, size, newestFirst)).toEqual(
        newestFirst ? upwards.toReversed() : upwards,
      );
    });
  });

  test("every page but the last is full", () => {
    forAll(300, (random) => {
      const total = random.integer(1, 250);
      const size = random.integer(1, 100);
      const pages = Math.ceil(total / size);
      for (let page = 1; page < pages; page++) {
        const { first, last } = pageRange({ offset: (page - 1) * size, size, newestFirst }, total);
        expect(last - first + 1).toBe(size);
      }
    });
  });

  test("a page beyond the last one is empty", () => {
    forAll(300, (random) => {
      const total = random.integer(0, 250);
      const size = random.integer(1, 100);
      const offset = Math.ceil(total / size) * size + size * random.integer(0, 10 ** 9);
      const { first, last } = pageRange({ offset, size, newestFirst }, total);
      expect(last).toBeLessThan(first);
    });
  });
});

test("the newest page of a million rows is computed without counting them", () => {
  const page = { offset: 0, size: 50, newestFirst: true };
  expect(pageRange(page, 1_000_000)).toEqual({ first: 999_951, last: 1_000_000 });
});

/** Reads pages until one is empty. */
function readAll(total: number, size: number, newestFirst: boolean): number[] {
  const read: number[] = [];
  for (let offset = 0; offset <= total; offset += size) {
    const { first, last } = pageRange({ offset, size, newestFirst }, total);
    const page = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
    read.push(...(newestFirst ? page.toReversed() : page));
  }
  return read;
}
