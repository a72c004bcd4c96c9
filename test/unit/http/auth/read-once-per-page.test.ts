import { expect, it, vi } from "vitest";
import { requestWithin } from "../../../../src/http/auth/person-requests.ts";
import { ReadOncePerPage } from "../../../../src/http/auth/read-once-per-page.ts";

const URL = "https://pay.example.com/api/v1/events";

function within(page: Request, method = "GET"): Request {
  return requestWithin(page, new Request(URL, { method }));
}

function givenReads() {
  const reads = new ReadOncePerPage<number>();
  let count = 0;
  const find = vi.fn<() => Promise<number>>(async () => (count += 1));
  return { find, read: (request: Request) => reads.read(request, find) };
}

it("the requests of a page that read share one read, also at once", async () => {
  const { read, find } = givenReads();
  const page = new Request(URL);
  expect(await Promise.all([read(within(page)), read(within(page))])).toEqual([1, 1]);
  expect(await read(within(page))).toBe(1);
  expect(find).toHaveBeenCalledTimes(1);
});

it("another page reads for itself, and so does each request from outside", async () => {
  const { read } = givenReads();
  const outside = new Request(URL);
  expect(await read(within(new Request(URL)))).toBe(1);
  expect(await read(within(new Request(URL)))).toBe(2);
  expect(await read(outside)).toBe(3);
  expect(await read(outside)).toBe(4);
});

it("a request that may write reads for itself, and after it so does each", async () => {
  const { read } = givenReads();
  const page = new Request(URL);
  expect(await read(within(page))).toBe(1);
  expect(await read(within(page, "POST"))).toBe(2);
  expect(await read(within(page))).toBe(3);
  expect(await read(within(page))).toBe(4);
});

it("all requests of a page fail with the read that they share", async () => {
  const { read, find } = givenReads();
  find.mockRejectedValue(new Error("closed"));
  const page = new Request(URL);
  const answers = await Promise.allSettled([read(within(page)), read(within(page))]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(find).toHaveBeenCalledTimes(1);
});
