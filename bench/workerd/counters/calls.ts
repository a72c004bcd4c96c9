import { call } from "../../../test/support/builders/requests/api.ts";
import type { Usage } from "../../lib/counted.ts";
import { givenTransaction, pay } from "../../../test/support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../test/support/builders/withdraws/withdraw.ts";
import { PAYER, usageOf, requireSuccess } from "./lifecycles.ts";
import { deliverAll, givenShop } from "./world.ts";

const REFERENCE = "order-77";

/** The reading calls, by the name in the report. */
function pathsOf(companyId: number, transactionId: string): Record<string, string> {
  return {
    get: `/api/Transaction/transactionByTransactionId/${transactionId}`,
    list: "/api/Transaction/company/transactions?pageSize=20",
    balance: `/api/Balance/balance/${companyId}?currency=BRL`,
    status: `/api/checkout/status/${transactionId}`,
    statement: `/api/Balance/statement/${companyId}?currency=BRL`,
    forecast: `/api/Balance/forecast/${companyId}?currency=BRL`,
    events: "/api/v1/events?limit=20",
    "event by id": `/api/v1/events/evt_${companyId}_1`,
    deliveries: "/api/v1/webhooks/deliveries?limit=20",
    timeline: `/api/v1/transactions/${transactionId}/timeline`,
    "withdraw by id": "/api/Withdraw/1",
    "list of withdraws": "/api/Withdraw/company/withdraws?pageSize=20",
    "search, no filter": search(""),
    "search by ids": search(`ids=${transactionId}`),
    "search by externalRef": search(`externalRef=${REFERENCE}`),
    "search by document": search(`document=${PAYER.document.number}`),
    "search by status": search("status=PAID"),
    "search by paymentMethod": search("paymentMethod=PIX"),
    "search by time": search("from=2020-01-01&to=2099-01-01"),
  };
}

function search(query: string): string {
  return `/api/v1/transactions?limit=20&${query}`;
}

/** Measures each call on a warm isolate, after one call of the same kind. */
export async function measureCalls(): Promise<Record<string, Usage>> {
  const shop = await givenShop(100_000);
  const { company, meter, options } = shop;
  const body = { customer: PAYER, externalRef: REFERENCE };
  const { id } = await givenTransaction(company, body, options);
  await pay(company, id, undefined, options);
  await requireSuccess(requestWithdraw(company, { amount: 1_500 }, options));
  await deliverAll(shop);
  const spent: Record<string, Usage> = {};
  for (const [name, path] of Object.entries(pathsOf(company.id, id))) {
    const read = () => requireSuccess(call(path, { company, ...options }));
    await read();
    await meter.takeUsage();
    spent[name] = await usageOf(meter, read);
  }
  spent["withdraw"] = await usageOf(meter, () =>
    requireSuccess(requestWithdraw(company, {}, options)),
  );
  return spent;
}
