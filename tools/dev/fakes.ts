import { servePsp } from "../../test/e2e/pix-api/server.ts";
import { EfiCounter } from "../../test/support/fakes/efi-cobrancas/counter.ts";

// `npm run fakes`: the houses that a local company can sell through, each with a counter at `/` to pay by hand.
const FIRST_PORT = Number(process.env["FAKES_PORT"] ?? 9_300);

const HOUSES = [{ provider: "efi-cobrancas", ...new EfiCounter() }];

for (const [at, { provider, answer, settings }] of HOUSES.entries()) {
  const { url } = await servePsp({ answer }, { port: FIRST_PORT + at });
  console.log(`${provider}: ${url}`, JSON.stringify({ baseUrl: url, ...settings }));
}
