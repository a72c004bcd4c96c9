import { createCard, givenAuthorized, givenCard } from "../charges/card.ts";
import { MARKED_BOLETO, MARKED_CARD, MARKED_PIX } from "../charges/marked-payer.ts";
import { givenPaid, givenTransaction, pay } from "../charges/transaction.ts";
import { givenDisputed, submitEvidence } from "../operations/dispute.ts";
import { refund, resolveDispute, simulate, updateSettings } from "../operations/refund.ts";
import { call, type Call } from "../requests/api.ts";
import { requestWithdraw, runPayout } from "../withdraws/withdraw.ts";
import { waitUntilDrained } from "./company.ts";
import { givenMarkedCompany, type MarkedCompany } from "./marked-company.ts";

/** A marked company that has also lived: charges, refunds, disputes and withdraws in every state. */
export async function givenLivedCompany(): Promise<MarkedCompany> {
  const marked = await givenMarkedCompany();
  const { company } = marked;
  const posted = (path: string, options: Call = {}) =>
    call(path, { method: "POST", company, ...options });
  await givenTransaction(company, MARKED_PIX);
  const { id: due } = await givenTransaction(company, MARKED_BOLETO);
  await pay(company, due);
  await givenTransaction(company, MARKED_BOLETO);
  await givenCard(company, MARKED_CARD.card, { ...MARKED_CARD, installments: 3 });
  await givenAuthorized(company);
  await createCard(company, { number: "4000000000000002" });
  await givenPaid(company, 30_000);
  const paid = await givenPaid(company, 20_000);
  await refund(company, paid.id, 5_000);
  const lost = await givenDisputed(company);
  await resolveDispute(company, lost.transactionId, "lost");
  const open = await givenDisputed(company);
  await submitEvidence(company, open.id, { text: "marked-evidence 4711 of the parcel" });
  const back = await givenPaid(company, 2_500);
  await simulate(company, back.id, "chargeback");
  const { id: expired } = await givenTransaction(company);
  await simulate(company, expired, "expire");
  for (const amount of [1_200, 1_398, 1_499]) {
    const { body } = await requestWithdraw(company, { amount });
    await runPayout(company, body.id);
  }
  await requestWithdraw(company, { amount: 1_800 });
  await posted("/api/v1/sandbox/withdraws/2/pay");
  await updateSettings(company, { fees: { PIX: { basisPoints: 99 } } });
  await waitUntilDrained(company);
  return marked;
}
