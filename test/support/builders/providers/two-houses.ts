import { vi } from "vitest";
import { createTransaction } from "../charges/transaction.ts";
import { EFI_CLIENT, FakeEfi } from "../../fakes/efi-cobrancas/efi.ts";
import { FakePagarMe } from "../../fakes/pagarme/house.ts";
import { transactionOfCharge } from "../../../../src/domain/charges/transaction.ts";
import { accountsOf, connectAccount, efiAccount, pagarmeAccount } from "./accounts.ts";
import { givenPsp, postCallback, type PspSetup } from "./psp.ts";

const EFI_HOST = "cobrancas.banco-de-teste.com.br";
const PAGARME_URL = "https://pagarme.banco-de-teste.com.br/core/v5";
/** A payer with all that both houses ask. */
const CUSTOMER = {
  name: "Maria da Conceição",
  email: "maria@example.com",
  phone: "+55 11 98765-4321",
  document: { number: "12345678909" },
};

const ADDRESS = {
  street: "Rua Um",
  streetNumber: "1",
  neighborhood: "Centro",
  city: "São Paulo",
  state: "SP",
  zipCode: "01310100",
};

/** Efí's first call of a boleto, which makes what nobody can pay, and its second. */
export const EFI_FIRST = /^POST \/v1\/charge$/;
export const EFI_SECOND = /^POST \/v1\/charge\/\d+\/pay$/;

/** Which house is asked first. */
export type First = "efi" | "pagarme";

/** A live company that sells boletos at two houses, which the Worker reaches by HTTP. */
export interface TwoHouses extends PspSetup {
  efi: FakeEfi;
  pagarme: FakePagarMe;
}

/** Two houses that both take boletos, one after the other. A test that uses it restores its mocks. */
export async function givenTwoHouses(first: First = "efi"): Promise<TwoHouses> {
  const world = await givenPsp();
  const { company, clock } = world;
  const clientId = `client-${company.id}`;
  const efi = new FakeEfi(clock, { ...EFI_CLIENT, clientId, clientSecret: "efi-s3cret" });
  const pagarme = new FakePagarMe(clock, "psp", "sk_s3cret");
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).host === EFI_HOST) return efi.fetch(request);
    if (!request.url.startsWith(PAGARME_URL)) return real(request);
    return pagarme.fetch(new Request(request.url.replace(PAGARME_URL, "https://house"), request));
  });
  const methods = ["BOLETO"];
  const priorityOf = (name: First) => (name === first ? 1 : 2);
  const settings = { clientId, payeeCode: `payee-${company.id}` };
  const atEfi = efiAccount(settings, { methods, priority: priorityOf("efi") });
  const atPagarMe = { methods, priority: priorityOf("pagarme") };
  await connectAccount(company, "efi", atEfi, world);
  await connectAccount(
    company,
    "pagarme",
    pagarmeAccount({ baseUrl: PAGARME_URL }, atPagarMe),
    world,
  );
  return { ...world, efi, pagarme };
}

/** Asks for a boleto of 25 reais, with a payer that both houses take. */
export function createBoleto(
  { company, options }: TwoHouses,
  { key, env = options.env }: { key?: string; env?: PspSetup["env"] } = {},
) {
  const payer = { customer: CUSTOMER, shipping: { address: ADDRESS } };
  const body = { amount: 2_500, paymentMethod: "BOLETO", ...payer };
  const given = { ...options, ...(env === undefined ? {} : { env }) };
  return createTransaction(company, body, { ...given, ...(key === undefined ? {} : { key }) });
}

/** What the payers of a transaction may find at both houses: the ids of its boletos that can be paid. */
export function payableBoletos({ efi, pagarme }: TwoHouses, transactionId: string): string[] {
  const atEfi = efi.book.charges
    .filter(({ status }) => status === "waiting")
    .map(({ custom_id: code }) => code ?? "");
  const atPagarMe = pagarme.book.orders
    .filter(({ charges: [charge] }) => charge.status === "pending")
    .map(({ code }) => code as string);
  return [...atEfi, ...atPagarMe].filter((code) => transactionOfCharge(code)?.id === transactionId);
}

/** Efí posts what has changed; answers the statuses that it got. */
export async function notifyOfEfi(world: TwoHouses): Promise<Set<number>> {
  const statuses: number[] = [];
  for (const { url, token } of world.efi.book.notices.splice(0)) {
    const body = new URLSearchParams({ notification: token });
    statuses.push((await postCallback(world, url, body)).status);
  }
  return new Set(statuses);
}

/** Pagar.me posts what has changed. */
export async function notifyOfPagarMe(world: TwoHouses): Promise<Set<number>> {
  const accounts = await accountsOf(world.company, world);
  const { callbackUrl } = accounts.find(({ account }) => account === "pagarme");
  const statuses: number[] = [];
  for (const notice of world.pagarme.notices.splice(0))
    statuses.push((await postCallback(world, callbackUrl, JSON.stringify(notice))).status);
  return new Set(statuses);
}
