import { BOLETO_REQUEST, CARD_REQUEST } from "../../support/builders/requests/full-request.ts";

/** Sends a POST of a shop. Resolves to the `data` of its answer; rejects for a refusal. */
export type Post = (path: string, body: object) => Promise<{ id: string | number }>;

export const MONTHS_OF_YEAR = 12;
const WITHDRAWS_A_MONTH = 4;
/** One in so many of the charges of a method. */
const ONE_IN = { unpaid: 4, refunded: 7, partlyRefunded: 5, disputed: 9 };
const METHODS = [
  { paymentMethod: "PIX", amount: 10_000, pix: { expiresInDays: 2 } },
  { ...BOLETO_REQUEST, amount: 20_000, boleto: { expiresInDays: 5 } },
  { ...CARD_REQUEST, amount: 30_000, installments: 3 },
] as const;

/** What happens to a shop in the nth month: charges of three methods, refunds, disputes and withdraws. */
export async function liveMonth(
  post: Post,
  { month, charges }: { month: number; charges: number },
): Promise<void> {
  for (let made = 0; made < charges; made++) await liveCharge(post, month * charges + made);
  for (let number = 0; number < WITHDRAWS_A_MONTH; number++) {
    await post("/api/Withdraw/request", { amount: 1_000 + number });
  }
}

async function liveCharge(post: Post, number: number): Promise<void> {
  const method = METHODS[number % METHODS.length] ?? METHODS[0];
  const turn = Math.floor(number / METHODS.length) + 1;
  const isDue = (every: number) => turn % every === 0;
  const { id } = await post("/api/v1/transactions/create", method);
  const act = (action: string, body: object = {}) =>
    post(`/api/v1/sandbox/transactions/${id}/${action}`, body);
  if (method.paymentMethod !== "CREDIT_CARD") {
    if (isDue(ONE_IN.unpaid)) return;
    await act("pay");
  }
  if (isDue(ONE_IN.refunded)) await post(`/api/v1/transactions/${id}/refund`, {});
  else if (isDue(ONE_IN.partlyRefunded))
    await post(`/api/v1/transactions/${id}/refund`, { amount: 1_000 });
  else if (isDue(ONE_IN.disputed) && method.paymentMethod === "PIX") {
    await act("dispute");
    if (turn % 2 === 0) await act("dispute/resolve", { outcome: "won" });
  }
}
