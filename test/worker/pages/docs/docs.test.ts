import { beforeAll, describe, expect, it } from "vitest";
import { scenarioSchema } from "../../../../src/domain/scenarios/scenario.ts";
import { PROBLEMS } from "../../../../src/domain/shared/problem.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { openApi } from "../../../support/probes/http/documented.ts";

const ENGLISH = "/docs/";
const PORTUGUESE = "/docs/pt-br/";

/** Each page of the site by its address. */
const pages = new Map<string, string>();

beforeAll(async () => {
  const found = new Set([ENGLISH, PORTUGUESE]);
  for (const path of found) {
    const { status, text } = await call(path);
    expect([path, status]).toEqual([path, 200]);
    pages.set(path, text);
    for (const { file } of linksOf(text)) if (/^\/docs\/.*\/$/.test(file)) found.add(file);
  }
});

/** The addresses on the service to which a page leads. */
function linksOf(html: string) {
  return Array.from(
    html.matchAll(/ (?:href|src)="(\/?[^":]*?)(?:#([^"]*))?"/g),
    ([, file = "", anchor]) => ({ file, anchor }),
  ).filter(({ file }) => file === "" || file.startsWith("/"));
}

function operationsOf(document: any): string[] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
}

function anchorsOf(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id));
}

it("has the same pages in both languages, each with its title", () => {
  const english = [...pages.keys()].filter((path) => !path.startsWith(PORTUGUESE));
  const portuguese = [...pages.keys()].filter((path) => path.startsWith(PORTUGUESE));
  expect(english.length).toBeGreaterThan(12);
  expect(portuguese.map((path) => path.replace(PORTUGUESE, ENGLISH)).toSorted()).toEqual(
    english.toSorted(),
  );
  for (const [path, html] of pages) {
    expect(html, path).toContain(`lang="${path.startsWith(PORTUGUESE) ? "pt-BR" : "en"}"`);
    expect(html.match(/<h1[ >]/g), path).toHaveLength(1);
  }
});

it("leads only to files, pages and places that exist, all of this service", async () => {
  const files = new Map<string, number>();
  const dead: string[] = [];
  for (const [path, html] of pages) {
    expect(html, path).not.toMatch(
      /<(?:script|link|img|iframe)[^>]* (?:src|href)="(?:https?:)?\/\//,
    );
    for (const { file, anchor } of linksOf(html)) {
      const target = file === "" ? path : file;
      if (!files.has(target)) files.set(target, (await call(target)).status);
      const place = decodeURIComponent(anchor ?? "");
      const isThere = place === "" || anchorsOf(pages.get(target) ?? "").has(place);
      // MCP asks for credentials, and an address without a slash leads to the reader's language.
      if (![200, 302, 401].includes(files.get(target) ?? 0) || !isThere) {
        dead.push(`${path}: ${file}#${anchor ?? ""}`);
      }
    }
  }
  expect(dead).toEqual([]);
});

it("has each page as Markdown, without marks of the build, and an index of those with a text of their own", async () => {
  const index = await call("/llms.txt");
  expect(index.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const listed = Array.from(index.text.matchAll(/\]\((\/docs\/[^)]+\.md)\)/g), ([, path]) => path);
  expect(new Set(listed).size).toBe(listed.length);
  for (const [path, html] of pages) {
    const own =
      path === ENGLISH || path === PORTUGUESE ? `${path}index.md` : `${path.slice(0, -1)}.md`;
    const { status, text, headers } = await call(own);
    expect([own, status]).toEqual([own, 200]);
    expect(headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
    expect(text).toMatch(/^# .+\n/);
    expect(text, own).not.toMatch(/<!--|<Tab|<span/);
    // A page that exists only in English is listed once.
    const isFallback = html.includes("Esta página existe só em inglês");
    expect([own, listed.includes(own)]).toEqual([own, !isFallback]);
  }
});

it("has the JSON Schema of a scenario's file", async () => {
  const { status, body } = await call("/docs/scenario.schema.json");
  expect([status, body]).toEqual([200, scenarioSchema()]);
});

it("links of the Markdown lead to Markdown that exists", async () => {
  const { text } = await call("/docs/first-charge.md");
  const links = Array.from(text.matchAll(/\]\((\/docs\/[^)#]+)/g), ([, path = ""]) => path);
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) expect([link, (await call(link)).status]).toEqual([link, 200]);
});

describe("an address without a slash at its end", () => {
  it.each([
    ["pt-BR,pt;q=0.9,en;q=0.8", PORTUGUESE],
    ["en-GB,en;q=0.9", null],
  ])("with %s is in that language", async (language, location) => {
    const answer = await call("/docs", { headers: { "Accept-Language": language } });
    expect(answer.headers.get("Location")).toBe(location);
    expect(answer.headers.get("Vary")).toContain("Accept-Language");
    expect(answer.status).toBe(location === null ? 200 : 302);
  });

  it("of a file or of nothing is not found", async () => {
    for (const path of [
      "/docs/nothing",
      "/docs/nothing/",
      "/docs/nothing.js",
      "/docs/pt-br/nothing",
    ]) {
      expect([path, (await call(path)).status]).toEqual([path, 404]);
    }
  });
});

it("the type of a problem leads to its place on a page, in both languages", async () => {
  const company = await givenCompany();
  const { body } = await call("/api/v1/transactions/unknown-1", { company });
  const type = new URL(body.type);
  expect(type.pathname).toBe("/docs/errors");
  for (const [path, word] of [
    ["/docs/errors/", "Cure:"],
    ["/docs/pt-br/errors/", "O que fazer:"],
  ] as const) {
    const html = pages.get(path) ?? "";
    expect(html).toContain(word);
    expect(anchorsOf(html)).toContain(type.hash.slice(1));
    expect([...anchorsOf(html)].filter((id) => id in PROBLEMS)).toEqual(Object.keys(PROBLEMS));
  }
});

it("pages run nothing inline but what their policy has by its hash, and no style", async () => {
  const { headers } = await call(ENGLISH);
  const policy = headers.get("Content-Security-Policy") ?? "";
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')|https?:/);
  expect((await call("/docs/api")).headers.get("Content-Security-Policy")).not.toContain("wasm");
  for (const [path, html] of pages) {
    for (const [, script = ""] of html.matchAll(/<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g)) {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
      expect(policy, path).toContain(`'sha256-${Buffer.from(digest).toString("base64")}'`);
    }
    expect(html, path).not.toMatch(/ on[a-z]+="|style="--/);
  }
});

it("hashed files are kept for good, and a page that is known is not sent again", async () => {
  const [, script = ""] = /src="(\/docs\/_astro\/[^"]+)"/.exec(pages.get(ENGLISH) ?? "") ?? [];
  expect((await call(script)).headers.get("Cache-Control")).toContain("immutable");
  const first = await call(ENGLISH);
  expect(first.headers.get("Cache-Control")).toBe("public, max-age=300");
  const again = await call(ENGLISH, { headers: { "If-None-Match": first.headers.get("ETag")! } });
  expect([again.status, again.text]).toEqual([304, ""]);
});

describe("the documents of the references", () => {
  it("together have every operation, and none in both", async () => {
    const [whole, merchant, operator] = await Promise.all(
      ["/openapi.json", "/openapi/merchant.json", "/openapi/operator.json"].map(
        async (path) => (await call(path)).body,
      ),
    );
    expect([...operationsOf(merchant), ...operationsOf(operator)].toSorted()).toEqual(
      operationsOf(whole).toSorted(),
    );
    expect(operationsOf(operator).every((one) => !one.includes("/api/v1/transactions"))).toBe(true);
    expect(operationsOf(merchant).every((one) => !one.includes("/operator/"))).toBe(true);
    expect(Object.keys(merchant.webhooks)).toEqual(Object.keys((await openApi()).webhooks));
  });

  it.each(["merchant", "operator"])(
    "the one for %s has every component it refers to",
    async (name) => {
      const { text, body } = await call(`/openapi/${name}.json`);
      const references = [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)];
      expect(references.length).toBeGreaterThan(100);
      for (const [, kind = "", component = ""] of references) {
        expect(body.components[kind], component).toHaveProperty([component]);
      }
    },
  );
});
