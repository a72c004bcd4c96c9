import { describe, expect, it } from "vitest";
import { createApp } from "../../../../src/app.ts";
import { PEER_PATHS, suggestedRoute } from "../../../../src/http/openapi/suggested-route.ts";

const app = createApp();
const CREATE = "POST /api/v1/transactions/create";
const BALANCE = "GET /api/Balance/balance/{companyId}";
const DETAIL = "GET /api/Transaction/transactionByTransactionId/{transactionId}";

describe("the route that was meant", () => {
  it.each([
    ["POST", "/API/v1/Transactions/CREATE", CREATE],
    ["POST", "/api/v1/transactions/create/", CREATE],
    ["POST", "//api/v1//transactions/create", CREATE],
    ["POST", "/api/v1/transactions", CREATE],
    ["POST", "/api/transactions/create", CREATE],
    ["POST", "/v1/transactions/create", CREATE],
    ["POST", "/api/v1/transaction/craete", CREATE],
    ["PUT", "/api/v1/transactions/creat", CREATE],
    ["HEAD", "/api/balance/balance/7", BALANCE],
    ["GET", "/api/Balance/balance", BALANCE],
    ["GET", "/api/transaction/transactionbytransactionid/01a1fda4-5e00", DETAIL],
    ["POST", "/v1/transactions", CREATE],
    ["POST", "/api/v1/charges", CREATE],
    ["POST", "/v3/payments", CREATE],
    ["GET", "/api/v1/charges/7", "GET /api/v1/transactions/{id}"],
    ["DELETE", "/api/v1/transactions/01a1fda4", "POST /api/v1/transactions/{id}/cancel"],
    ["POST", "/api/v1/refunds", "POST /api/v1/transactions/{id}/refund"],
    ["POST", "/api/v1/withdraws", "POST /api/Withdraw/request"],
    ["POST", "/api/v1/payouts", "POST /api/Withdraw/request"],
    ["GET", "/api/v1/companies/1", "GET /api/v1/me"],
    ["GET", "/api/v1/account", "GET /api/v1/me"],
    ["GET", "/api/v1/saldo", "GET /api/v1/balance"],
    ["POST", "/api/v1/links", "POST /api/v1/payment-links"],
    ["DELETE", "/api/v1/payment-links/01a1fda4", "PATCH /api/v1/payment-links/{id}"],
    ["PUT", "/api/v1/webhooks/endpoints/endpoint_2", "PATCH /api/v1/webhooks/endpoints/{id}"],
    ["GET", "/api/v1/transactions.csv", "GET /api/v1/transactions with Accept: text/csv"],
    [
      "GET",
      "/api/v1/transactions/01a1fda4/qr.png",
      "GET /api/v1/transactions/{id}/qr with Accept: image/png",
    ],
    ["POST", "/api/withdraws/request", "POST /api/Withdraw/request"],
  ])("by %s %s is named", (method, path, expected) => {
    expect(suggestedRoute(app, method, path)).toBe(expected);
  });

  it("of each peer's path is one of ours", () => {
    const ours = PEER_PATHS.map((peer) => peer.ours);
    const known = app.openAPIRegistry.definitions.flatMap((each) =>
      each.type === "route" ? [`${each.route.method.toUpperCase()} ${each.route.path}`] : [],
    );
    expect(known).toEqual(expect.arrayContaining(ours));
  });

  it.each([
    ["GET", "/"],
    ["GET", "/api"],
    ["GET", "/api/v1"],
    ["GET", "/wp-login.php"],
    ["GET", "/api/v1/invoices/7"],
    ["POST", `/api/v1/transactions/${"x".repeat(61)}`],
    ["POST", `/${"api/".repeat(11)}`],
  ])("by %s %s is none", (method, path) => {
    expect(suggestedRoute(app, method, path)).toBeNull();
  });
});
