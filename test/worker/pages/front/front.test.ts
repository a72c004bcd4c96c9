import { expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

it("is a page in the reader's language for a browser, with links that lead somewhere", async () => {
  const page = await call("/", { headers: { Accept: BROWSER } });
  expect([page.status, page.headers.get("Content-Language")]).toEqual([200, "pt-BR"]);
  expect(page.headers.get("Vary")).toBe("Accept-Language, Accept");
  expect(page.text).toContain("Nenhum dinheiro se move");
  const paths = [...page.text.matchAll(/<a href="(\/[^"]*)"/g)].map(([, path]) => path!);
  expect([paths[0], paths.includes("/console")]).toEqual(["/docs", true]);
  for (const path of paths) {
    const { status } = await call(path, { headers: { Accept: BROWSER } });
    // No cron runs in tests: the service says that it is not ready.
    expect([path, status < 400 || path === "/ready"]).toEqual([path, true]);
  }
  const english = await call("/", { headers: { Accept: BROWSER, "Accept-Language": "en-GB" } });
  expect(english.text).toContain("No money moves");
});

it.each([{}, { Accept: "*/*" }, { Accept: "application/json" }])(
  "is JSON for a client that sends %o",
  async (headers) => {
    const { status, body } = await call("/", { headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "Centavo", environment: "local" });
    expect(body.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(body.links).toMatchObject({
      console: "https://localhost/console",
      docs: "https://localhost/docs",
      reference: "https://localhost/docs/api",
    });
  },
);
