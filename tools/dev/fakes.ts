/**
 * `npm run fakes`: a PSP and two houses, each with a counter at `/` to pay by hand, the PSP's also to dispute a payment,
 * to answer the dossier at its desk, and to be the payer's bank of subscriptions, and a live company of the local service
 * (`npm start`; SERVICE is its address) that sells through them. FAKES_PORT is the first of their three ports.
 */
import { saoPauloDay } from "../../src/domain/shared/business-day.ts";
import { addDays } from "../../src/domain/shared/calendar-day.ts";
import { earliestDueDate } from "../../src/domain/subscriptions/debit-window.ts";
import { servePsp } from "../../test/e2e/pix-api/server.ts";
import { EfiCounter } from "../../test/support/fakes/efi-cobrancas/counter.ts";
import { PSP_KEY, PSP_RECEIVER } from "../../test/support/fakes/fake-psp/book.ts";
import { PspCounter } from "../../test/support/fakes/fake-psp/counter.ts";
import { PagarMeCounter } from "../../test/support/fakes/pagarme/counter.ts";
import { openLiveCompany } from "../lib/live-company.ts";

const FIRST_PORT = Number(process.env["FAKES_PORT"] ?? 9_300);
const SERVICE = process.env["SERVICE"] ?? "http://localhost:8787";

const [psp, efi, pagarme] = [new PspCounter(), new EfiCounter(), new PagarMeCounter()];
const urls: string[] = [];
for (const [at, house] of [psp, efi, pagarme].entries()) {
  urls.push((await servePsp(house, { port: FIRST_PORT + at })).url);
}
const [pspUrl = "", efiUrl = "", pagarmeUrl = ""] = urls;
for (const url of urls) console.log(`counter: ${url}/`);

const { clientSecret: pspSecret, ...pspClient } = psp.settings;
const { clientSecret: efiSecret, ...efiClient } = efi.settings;
const { secretKey, ...pagarmeAccess } = pagarme.settings;
const company = await openLiveCompany(SERVICE, {
  psp: {
    provider: "pix-api",
    methods: ["PIX", "AUTOMATIC_PIX"],
    priority: 1,
    settings: {
      baseUrl: pspUrl,
      receiver: PSP_RECEIVER,
      tokenUrl: `${pspUrl}/oauth/token`,
      ...pspClient,
      pixKey: PSP_KEY,
      disputeDesk: { url: `${pspUrl}/med`, takesFurther: true },
    },
    secrets: { clientSecret: pspSecret },
  },
  efi: {
    provider: "efi-cobrancas",
    methods: ["BOLETO"],
    priority: 1,
    settings: { baseUrl: efiUrl, ...efiClient },
    secrets: { clientSecret: efiSecret },
  },
  pagarme: {
    provider: "pagarme",
    methods: ["CREDIT_CARD"],
    priority: 1,
    settings: { baseUrl: pagarmeUrl, ...pagarmeAccess },
    secrets: { secretKey },
  },
});
const dueDate = earliestDueDate(addDays(saoPauloDay(Date.now()), 1), null);
if (company === null) {
  console.log(`No service answers at ${SERVICE}: start it (npm start), then this again.`);
} else {
  pagarme.notifyAt(company.callbackUrls["pagarme"] ?? "");
  console.log(`A live company, for example:
curl ${SERVICE}/api/v1/transactions/create -H "X-Client-Id: ${company.clientId}" \\
  -H "X-API-Key: ${company.key}" -H "Content-Type: application/json" \\
  -d '{"amount":2500,"paymentMethod":"PIX"}'
A subscription, which the PSP's counter approves and debits:
curl ${SERVICE}/api/v1/subscriptions -H "X-Client-Id: ${company.clientId}" \\
  -H "X-API-Key: ${company.key}" -H "Content-Type: application/json" -d '{"amount":4990,
  "description":"Clube do livro","period":"MONTHLY","journey":"QR","firstDueDate":"${dueDate}",
  "customer":{"name":"Maria","document":{"number":"52998224725"}}}'
A token of a card: curl ${pagarmeUrl}/tokens -d '{"card":{"number":"4242424242424242",
  "holder_name":"MARIA","exp_month":12,"exp_year":2035,"cvv":"123"}}'`);
}
