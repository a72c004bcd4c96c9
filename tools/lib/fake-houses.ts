import { servePsp, type Served } from "../../test/e2e/pix-api/server.ts";
import { EfiCounter } from "../../test/support/fakes/efi-cobrancas/counter.ts";
import { PSP_RECEIVER } from "../../test/support/fakes/fake-psp/book.ts";
import { PspCounter } from "../../test/support/fakes/fake-psp/counter.ts";
import { PagarMeCounter } from "../../test/support/fakes/pagarme/counter.ts";
import { openLiveCompany, type LiveCompany } from "./live-company.ts";

/** Centavos up to which Pagar.me takes a card; Efí takes larger ones. */
export const PAGARME_AMOUNT_TO = 50_000;

/** A PSP and two houses on loopback, each with its counter. */
export interface FakeHouses {
  psp: PspCounter;
  efi: EfiCounter;
  pagarme: PagarMeCounter;
  urls: Record<"psp" | "efi" | "pagarme", string>;
  close: () => Promise<void>;
}

/** Serves them at three ports from the first one on, or at any. */
export async function serveFakeHouses(firstPort?: number): Promise<FakeHouses> {
  const houses = { psp: new PspCounter(), efi: new EfiCounter(), pagarme: new PagarMeCounter() };
  const served: Served[] = [];
  for (const [at, house] of Object.values(houses).entries()) {
    served.push(await servePsp(house, firstPort === undefined ? {} : { port: firstPort + at }));
  }
  const [psp = "", efi = "", pagarme = ""] = served.map(({ url }) => url);
  const close = async () => void (await Promise.all(served.map((each) => each.close())));
  return { ...houses, urls: { psp, efi, pagarme }, close };
}

/** Makes a live company of a local service that sells through them; null where no service answers. */
export async function openShopAt(
  service: string,
  { psp, efi, pagarme, urls }: FakeHouses,
): Promise<LiveCompany | null> {
  const { clientSecret: pspSecret, ...pspClient } = psp.settings;
  const { clientSecret: efiSecret, ...efiClient } = efi.settings;
  const { secretKey, ...pagarmeAccess } = pagarme.settings;
  const company = await openLiveCompany(service, {
    psp: {
      provider: "pix-api",
      methods: ["PIX", "AUTOMATIC_PIX"],
      priority: 1,
      settings: {
        baseUrl: urls.psp,
        receiver: PSP_RECEIVER,
        tokenUrl: `${urls.psp}/oauth/token`,
        ...pspClient,
        disputeDesk: { url: `${urls.psp}/med`, takesFurther: true },
      },
      secrets: { clientSecret: pspSecret },
    },
    efi: {
      provider: "efi-cobrancas",
      methods: ["BOLETO", "CREDIT_CARD"],
      priority: 2,
      settings: { baseUrl: urls.efi, ...efiClient },
      secrets: { clientSecret: efiSecret },
    },
    pagarme: {
      provider: "pagarme",
      methods: ["CREDIT_CARD"],
      priority: 1,
      conditions: { amountTo: PAGARME_AMOUNT_TO },
      settings: { baseUrl: urls.pagarme, ...pagarmeAccess },
      secrets: { secretKey },
    },
  });
  pagarme.notifyAt(company?.callbackUrls["pagarme"] ?? "");
  return company;
}
