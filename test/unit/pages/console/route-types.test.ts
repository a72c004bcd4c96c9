import { expectTypeOf, it } from "vitest";
import type {
  changeCompanyQuotas,
  getCompanyQuotas,
} from "../../../../src/api/operator/quotas/routes.ts";
import type {
  createPaymentLink,
  getPaymentLink,
  getPaymentLinkQr,
  listPaymentLinks,
} from "../../../../src/api/payment-links/routes.ts";
import type { requestWithdraw } from "../../../../src/api/withdraws/routes.ts";
import { asTyped } from "../../../../src/pages/console/form.ts";
import type {
  FileTypeOf,
  JsonOf,
  RouteAnswer,
  RouteArguments,
  RouteBody,
  RouteInput,
} from "../../../../src/http/openapi/route-types.ts";

// The compiler (`npm run check:static`) runs these tests: an error that it does not find is one itself.

it("an answer has the fields of its route's schema and no others", () => {
  expectTypeOf<RouteBody<typeof getCompanyQuotas>["percent"]>().toEqualTypeOf<number>();
  // @ts-expect-error The quotas have a `percent`.
  expectTypeOf<RouteBody<typeof getCompanyQuotas>["percentage"]>();
});

it("a body is read once the answer is known to be good", () => {
  expectTypeOf(urlOf).returns.toBeString();
});

function urlOf(answer: RouteAnswer<typeof getPaymentLink>): string {
  // @ts-expect-error It may be a problem.
  if (answer.status === 404) return answer.body.data.url;
  return answer.ok ? answer.body.data.url : answer.body.detail;
}

it("answers of one route are told apart by their status", () => {
  type DryRun = Extract<RouteAnswer<typeof requestWithdraw>, { status: 200 }>["body"];
  type Made = Extract<RouteAnswer<typeof requestWithdraw>, { status: 201 }>["body"];
  expectTypeOf<DryRun["accepted"]>().toBeBoolean();
  expectTypeOf<Made["id"]>().toBeNumber();
});

it("a parameter of the path is asked for by its name", () => {
  const input: RouteInput<typeof getPaymentLink> = { params: { id: "pl_1" } };
  // @ts-expect-error Its name is `id`.
  const misspelt: RouteInput<typeof getPaymentLink> = { params: { linkId: "pl_1" } };
  // @ts-expect-error It is not optional.
  const without: RouteArguments<typeof getPaymentLink> = [];
  expectTypeOf([input, misspelt, without]).toBeArray();
});

it("a query has the names of the route's schema; all of it may be left out where nothing is required", () => {
  const input: RouteInput<typeof listPaymentLinks> = { query: { limit: 50, after: undefined } };
  // @ts-expect-error Its name is `after`.
  const misspelt: RouteInput<typeof listPaymentLinks> = { query: { cursor: "1" } };
  const without: RouteArguments<typeof listPaymentLinks> = [];
  expectTypeOf([input, misspelt, without]).toBeArray();
});

it("a body has the fields of the route's schema", () => {
  const json: JsonOf<typeof changeCompanyQuotas> = { percent: 200 };
  // @ts-expect-error The quotas have a `percent`.
  const misspelt: JsonOf<typeof changeCompanyQuotas> = { percentage: 200 };
  // @ts-expect-error It is a number.
  const text: JsonOf<typeof changeCompanyQuotas> = { percent: "200" };
  // @ts-expect-error There is no such method.
  const cheque: JsonOf<typeof createPaymentLink> = { name: "Shop", paymentMethods: ["CHEQUE"] };
  expectTypeOf([json, misspelt, text, cheque]).toBeArray();
});

it("what a person typed may stand for any value: the route says what is wrong with it", () => {
  const json: JsonOf<typeof changeCompanyQuotas> = { percent: asTyped("a lot") };
  const methods: JsonOf<typeof createPaymentLink> = { name: "Shop", amount: asTyped("1,0,0") };
  expectTypeOf([json, methods]).toBeArray();
});

it("a route that knows no idempotency key, no dry run or no such file takes none", () => {
  const kept: RouteInput<typeof createPaymentLink> = { json: { name: "" }, idempotencyKey: "1" };
  // @ts-expect-error It reads no key.
  const ignored: RouteInput<typeof listPaymentLinks> = { idempotencyKey: "1" };
  // @ts-expect-error It has no dry run.
  const run: RouteInput<typeof createPaymentLink> = { json: { name: "" }, dryRun: true };
  expectTypeOf([kept, ignored, run]).toBeArray();
  type QrType = "image/svg+xml" | "image/png";
  expectTypeOf<FileTypeOf<typeof getPaymentLinkQr>>().toEqualTypeOf<QrType>();
});
