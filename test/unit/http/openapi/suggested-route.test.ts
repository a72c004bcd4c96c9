import { describe, expect, it } from "vitest";
import { createApp } from "../../../../src/app.ts";
import { suggestedRoute } from "../../../../src/http/openapi/suggested-route.ts";

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
    ["POST", "/api/withdraws/request", "POST /api/Withdraw/request"],
  ])("by %s %s is named", (method, path, expected) => {
    expect(suggestedRoute(app, method, path)).toBe(expected);
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
