import { afterAll, afterEach, expect } from "vitest";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchChromium } from "../../../tools/lib/chromium.ts";

/** Much more than a page needs, also beside other work. */
const WAIT_MS = 60_000;

interface Visit {
  page: Page;
  complaints: string[];
  /** Answers a test asked for; every other one of 400 or more is a complaint. */
  expected: Set<number>;
  /** Complaints that a test asked for. */
  ignored: RegExp | null;
}

interface VisitOptions extends BrowserContextOptions {
  /** Statuses of refusals that the test provokes. */
  expectedStatuses?: number[];
  /** What the browser says of a block that the test provokes. */
  expectedComplaints?: RegExp;
}

let browser: Promise<Browser> | undefined;
const visits: Visit[] = [];

afterEach(async () => {
  const ended = visits.splice(0);
  await Promise.all(ended.map(({ page }) => page.context().close()));
  const unexpected = ended.flatMap(({ complaints, ignored }) =>
    complaints.filter((complaint) => ignored?.test(complaint) !== true),
  );
  expect(unexpected).toEqual([]);
});

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

/**
 * A page of a browser without cookies. The test fails afterwards on any message of the console's script, request that
 * failed or refusal that it did not expect.
 */
export async function openPage(base: string, options: VisitOptions = {}): Promise<Page> {
  const { expectedStatuses = [], expectedComplaints = null, ...contextOptions } = options;
  browser ??= launchChromium();
  const context = await (await browser).newContext({ baseURL: base, ...contextOptions });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const visit: Visit = {
    page,
    complaints: [],
    expected: new Set(expectedStatuses),
    ignored: expectedComplaints,
  };
  visits.push(visit);
  listen(visit);
  return page;
}

function listen({ page, complaints, expected }: Visit): void {
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // The browser also reports a refused answer here; the response says more.
    const isStatus = message.text().startsWith("Failed to load resource");
    const isBad = message.type() === "error" || message.type() === "warning";
    if (isBad && !isStatus) complaints.push(`console: ${message.text()}`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // A page that is left cancels its own polls.
    if (reason !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() < 400 || expected.has(response.status())) return;
    complaints.push(`${response.status()} ${response.url()}`);
  });
}
