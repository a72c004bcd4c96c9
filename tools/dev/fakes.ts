/**
 * `npm run fakes`: a PSP and two houses, each with a counter at `/` to pay by hand, to choose what they lie about and to see
 * the calls that came, and a live company of the local service (`npm start`; SERVICE is its address) that sells through them.
 * The PSP's counter also disputes a payment, answers the dossier at its desk and is the payer's bank of subscriptions.
 * FAKES_PORT is the first of their three ports.
 */
import { setTimeout } from "node:timers/promises";
import { saoPauloDay } from "../../src/domain/shared/business-day.ts";
import { addDays } from "../../src/domain/shared/calendar-day.ts";
import { earliestDueDate } from "../../src/domain/subscriptions/debit-window.ts";
import { openShopAt, PAGARME_AMOUNT_TO, serveFakeHouses } from "../lib/fake-houses.ts";
import type { LiveCompany } from "../lib/live-company.ts";
import { ApiClient } from "../lib/merchant.ts";

const FIRST_PORT = Number(process.env["FAKES_PORT"] ?? 9_300);
const SERVICE = process.env["SERVICE"] ?? "http://localhost:8787";
const POLL_MS = 1_000;

const houses = await serveFakeHouses(FIRST_PORT);
const { urls } = houses;
console.log(`The counters: ${Object.values(urls).join("/ ")}/`);
await printExamples(await openedShop());

/** The live company, as soon as the service is there. */
async function openedShop(): Promise<LiveCompany> {
  for (let tries = 0; ; tries++) {
    const company = await openShopAt(SERVICE, houses);
    if (company !== null) return company;
    if (tries === 0) console.log(`No service answers at ${SERVICE} yet: start it (npm start).`);
    await setTimeout(POLL_MS);
  }
}

/** The page of a link that takes any amount by any method. */
async function linkOf({ clientId, key: apiKey }: LiveCompany): Promise<string> {
  const paymentMethods = ["PIX", "BOLETO", "CREDIT_CARD"];
  const link = { name: "Qualquer valor", minimum: 100, maximum: 1_000_000, paymentMethods };
  const merchant = new ApiClient(SERVICE, { clientId, apiKey });
  return (await merchant.call("POST", "/api/v1/payment-links", link)).body.data.url;
}

async function printExamples(company: LiveCompany): Promise<void> {
  const dueDate = earliestDueDate(addDays(saoPauloDay(Date.now()), 1), null);
  const headers = `-H "X-Client-Id: ${company.clientId}" -H "X-API-Key: ${company.key}" \\
  -H "Content-Type: application/json"`;
  console.log(`A live company sells by this link, and takes cards up to R$ ${PAGARME_AMOUNT_TO / 100} to Pagar.me, others to Efí:
${await linkOf(company)}
Or by its API:
curl ${SERVICE}/api/v1/transactions/create ${headers} \\
  -d '{"amount":2500,"paymentMethod":"PIX"}'
A subscription, which the PSP's counter approves and debits:
curl ${SERVICE}/api/v1/subscriptions ${headers} -d '{"amount":4990,
  "description":"Clube do livro","period":"MONTHLY","journey":"QR","firstDueDate":"${dueDate}",
  "customer":{"name":"Maria","document":{"number":"52998224725"}}}'
A token of a card: curl ${urls.pagarme}/tokens -d '{"card":{"number":"4242424242424242",
  "holder_name":"MARIA","exp_month":12,"exp_year":2035,"cvv":"123"}}'
Two answers that lie: curl ${urls.efi}/lies -d kind=page_502 -d count=2 -d "on=POST /v1/charge"`);
}
