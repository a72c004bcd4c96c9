import { Hono } from "hono";
import { accepts } from "hono/accepts";
import { configOf, publicOrigin } from "../../config.ts";
import type { AppContext } from "../../http/context.ts";
import { versionOf } from "../../version.ts";
import type { CheckoutContext, CheckoutEnv } from "../checkout/context.ts";
import { failedPage } from "../checkout/errors.tsx";
import { textsOf } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import { fill } from "../shared/language.ts";

/** Where everything is, by the names of the answer for machines. */
const PATHS = {
  docs: "/docs",
  reference: "/docs/api",
  console: "/console",
  openapi: "/openapi.json",
  llms: "/llms.txt",
  mcp: "/mcp",
  health: "/health",
  ready: "/ready",
  verifyReceipt: "/receipts/verify",
} as const;

type Link = keyof typeof PATHS;

/** What a person looks for, in order; the rest is for machines. */
const SHOWN = ["docs", "reference", "console", "verifyReceipt", "ready"] as const satisfies Link[];

const frontApp = new Hono<CheckoutEnv>();
frontApp.get("/", async (c) => {
  const answer = await (isForPeople(c) ? frontPage(c) : c.json(frontDocument(c)));
  answer.headers.append("Vary", "Accept");
  return answer;
});
frontApp.onError(failedPage);

/** The answer to a request of the address itself. */
export async function serveFront(outer: AppContext): Promise<Response> {
  return frontApp.fetch(outer.req.raw, { outer });
}

/** A browser prefers HTML; a client that takes anything gets JSON. */
function isForPeople(c: CheckoutContext): boolean {
  const supports = ["application/json", "text/html"];
  return accepts(c, { header: "Accept", supports, default: "application/json" }) === "text/html";
}

function frontDocument(c: CheckoutContext) {
  const { env } = c.env.outer;
  const origin = publicOrigin(env, c.req.url);
  const links = Object.fromEntries(
    Object.entries(PATHS).map(([name, path]) => [name, `${origin}${path}`]),
  );
  const { environment } = configOf(env);
  return { name: "Centavo", version: versionOf(env).version, environment, links };
}

function frontPage(c: CheckoutContext) {
  const { front } = textsOf(c);
  const { env } = c.env.outer;
  const { environment } = configOf(env);
  return page(
    c,
    { title: front.title, brand: null },
    <main>
      <h1>{front.title}</h1>
      <p>{front.what}</p>
      <p>{front.environments[environment]}</p>
      <ul>
        {SHOWN.map((name) => (
          <li>
            <a href={PATHS[name]}>{front.links[name]}</a>
          </li>
        ))}
      </ul>
      <p class="quiet">{fill(front.version, versionOf(env))}</p>
    </main>,
  );
}
