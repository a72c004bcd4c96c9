import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll } from "vitest";
import { ROOT } from "../../../tools/lib/wrangler.ts";

const EXAMPLE = join(ROOT, "docs/examples/embed");
/** The gateway of the example. */
const EXAMPLE_GATEWAY = "http://localhost:8787";

const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

/**
 * Serves the example of the docs as a shop of another origin than the gateway `base`, with the strictest policy that
 * docs/checkout.md names. A page's query names the element's attribute. Returns the shop's origin.
 */
export async function openShop(base: string): Promise<string> {
  const read = (file: string) =>
    readFileSync(join(EXAMPLE, file), "utf8").replaceAll(EXAMPLE_GATEWAY, base);
  const policy = `default-src 'none'; script-src 'self' ${base}; frame-src ${base}`;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop");
    if (pathname === "/shop.js") {
      response.setHeader("Content-Type", "text/javascript; charset=utf-8");
      response.end(read("shop.js"));
      return;
    }
    const [first] = searchParams;
    if (first === undefined) {
      response.writeHead(204).end();
      return;
    }
    const [attribute, value] = first;
    const page = read("index.html")
      .replace('secure-id="SECURE_ID"', `${attribute}="${value}"`)
      .replace("checkout/SECURE_ID", attribute === "slug" ? `l/${value}` : `checkout/${value}`);
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.setHeader("Content-Security-Policy", policy);
    response.end(page);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
