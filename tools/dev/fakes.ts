import { servePsp } from "../../test/e2e/pix-api/server.ts";
import { EfiCounter } from "../../test/support/fakes/efi-cobrancas/counter.ts";
import { PagarMeCounter } from "../../test/support/fakes/pagarme/counter.ts";

// `npm run fakes`: the houses that a local company can sell through, each with a counter at `/` to pay by hand.
const FIRST_PORT = Number(process.env["FAKES_PORT"] ?? 9_300);

const HOUSES = [
  { provider: "efi-cobrancas", house: new EfiCounter() },
  { provider: "pagarme", house: new PagarMeCounter() },
];

for (const [at, { provider, house }] of HOUSES.entries()) {
  const { url } = await servePsp(house, { port: FIRST_PORT + at });
  console.log(`${provider}: ${url}`, JSON.stringify({ baseUrl: url, ...house.settings }));
}
