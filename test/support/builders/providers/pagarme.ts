import { vi } from "vitest";
import { createTransaction } from "../charges/transaction.ts";
import { callAsOperator } from "../companies/operator.ts";
import { REASON } from "../operations/decide.ts";
import { FakePagarMe } from "../../fakes/pagarme/house.ts";
import { connectAccount, pagarmeAccount } from "./accounts.ts";
import { givenPsp } from "./psp.ts";

const URL_OF = "https://pagarme.banco-de-teste.com.br/core/v5";
const SECRET_KEY = "sk_s3cret";
const CUSTOMER = {
  name: "Maria da Conceição",
  email: "maria@example.com",
  phone: "+55 11 98765-4321",
  document: { number: "12345678909" },
};
const CARD = {
  number: "4111111111111111",
  holderName: "MARIA DA CONCEICAO",
  expirationMonth: 12,
  expirationYear: 2040,
  cvv: "123",
};

/**
 * A live company that sells cards at Pagar.me, which the Worker reaches by HTTP, at 3% and one centavo, and is paid 30
 * days after each installment. The house's prices are these. A test that uses it restores its mocks.
 */
export async function givenPagarMe(kind: "psp" | "gateway" = "psp") {
  const world = await givenPsp();
  const { company, options, clock } = world;
  const house = new FakePagarMe(clock, kind, SECRET_KEY);
  const fee = { basisPoints: 300, fixed: 1 };
  house.book.payables.prices["credit_card"] = fee;
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(URL_OF)) return real(request);
    return house.fetch(new Request(request.url.replace(URL_OF, "https://house"), request));
  });
  const body = { fees: { CREDIT_CARD: fee }, releaseDays: { CREDIT_CARD: 30 }, reason: REASON };
  const terms = { ...options, method: "PUT", body };
  const changed = await callAsOperator(`/companies/${company.id}/terms`, terms);
  if (changed.status !== 200) throw new Error(`terms answered ${changed.status}: ${changed.text}`);
  await connectAccount(company, "pagarme", pagarmeAccount({ baseUrl: URL_OF, kind }), world);
  const token = (card: object = {}) => house.book.tokenize({ ...CARD, ...card });
  /** Sells on a card; returns the transaction's id. */
  const sell = async (amount: number, installments = 1): Promise<string> => {
    const card = { paymentMethod: "CREDIT_CARD", installments, card: { token: token() } };
    const sold = await createTransaction(company, { amount, customer: CUSTOMER, ...card }, options);
    if (sold.status !== 200) throw new Error(`create answered ${sold.status}: ${sold.text}`);
    return sold.body.data.id;
  };
  return { ...world, house, payables: house.book.payables, token, sell };
}
