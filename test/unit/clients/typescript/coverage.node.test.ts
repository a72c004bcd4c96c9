import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Centavo } from "../../../../clients/typescript/src/index.ts";

const GENERATED = join(import.meta.dirname, "../../../../clients/typescript/src/generated/api.ts");

/** Merchants' operations without a call, by why. */
const LEFT_OUT = {
  "an older shape; the client has the newer one": [
    "getTransactionDetailRecord",
    "listTransactions",
    "listWithdraws",
    "getBalance",
    "getWebhookEndpoint",
    "setWebhookEndpoint",
    "rotateWebhookSecret",
    "endPreviousWebhookSecrets",
  ],
  "its filters would stand in an address; the client sends them in a body": [
    "searchTransactions",
    "searchWithdraws",
  ],
  "whole books, for whoever keeps them: the console downloads them": [
    "getStatement",
    "getStatementArchive",
    "verifyStatement",
    "getForecast",
  ],
  "administration, which people do in the console": [
    "getOwnTerms",
    "listCompanyProviders",
    "refusePendingSetting",
    "listApplications",
    "createApplication",
    "changeApplication",
    "deleteApplication",
    "refusePendingLimit",
    "listApplicationKeys",
    "issueApplicationKey",
    "revokeApplicationKey",
    "listRequests",
    "getRequest",
    "listPeople",
    "invitePerson",
    "revokeInvitation",
    "changePerson",
    "deletePerson",
    "listSavedViews",
    "createSavedView",
    "renameSavedView",
    "deleteSavedView",
    "listAllowedPixKeys",
    "allowPixKey",
    "deleteAllowedPixKey",
    "backtestWithdrawPolicy",
    "listAuditEntries",
    "listPayers",
    "exportPayer",
    "erasePayer",
  ],
  "files that a person adds to a dispute": [
    "addDisputeFile",
    "getDisputeFile",
    "deleteDisputeFile",
  ],
  "public: needs no credentials, so no client": [
    "getCheckoutStatus",
    "decodePixCode",
    "getCalendarDay",
    "decodeBoleto",
    "listWebhookKeys",
    "verifyReceipt",
    "getHealth",
    "checkReadiness",
  ],
};

/** The operations of the document by method and path, such as `get /api/v1/payers/{id}`. */
function operationsOf(text: string): Map<string, string> {
  const [paths = ""] = /export interface paths \{.+?\n\}/s.exec(text) ?? [];
  const found = new Map<string, string>();
  for (const [, path = "", item = ""] of paths.matchAll(/^ {4}"(.+?)": \{(.+?)^ {4}\};/gms)) {
    for (const [, method, name = ""] of item.matchAll(/^ {8}(\w+): operations\["(\w+)"\];/gm))
      found.set(`${method} ${path.replaceAll(/\{\w+\}/g, "{id}")}`, name);
  }
  return found;
}

/** Calls everything that an object has, with nonsense: only where the calls go counts. */
async function callAll(object: object): Promise<void> {
  const names = [
    ...Object.keys(object),
    ...Object.getOwnPropertyNames(Object.getPrototypeOf(object)),
  ];
  for (const name of names.filter((each) => each !== "constructor")) {
    const member: unknown = Reflect.get(object, name);
    if (typeof member === "object" && member !== null) await callAll(member);
    else if (typeof member === "function") await callOne(member.bind(object));
  }
}

async function callOne(call: (...args: unknown[]) => unknown): Promise<void> {
  const made = call("ID", {}, {});
  if (isIterable(made)) await made[Symbol.asyncIterator]().next();
  else await Promise.resolve(made).catch(() => null);
}

function isIterable(made: unknown): made is AsyncIterable<unknown> {
  return typeof made === "object" && made !== null && Symbol.asyncIterator in made;
}

test("the client reaches every operation of a merchant, but those with a reason", async () => {
  const called = new Set<string>();
  const centavo = new Centavo({
    baseUrl: "https://pay.example.com",
    clientId: "app_loja",
    apiKey: "sk_live_loja",
    fetch: async ({ method, url }) => {
      const path = new URL(url).pathname.replaceAll(/\/(?:ID\b|%5Bobject%20Object%5D)/g, "/{id}");
      called.add(`${method.toLowerCase()} ${path}`);
      return Response.json({ items: [], hasMore: false });
    },
  });
  await callAll(centavo);

  const operations = operationsOf(readFileSync(GENERATED, "utf8"));
  const unreached = [...operations].filter(([place]) => !called.has(place));
  const leftOut = Object.values(LEFT_OUT).flat();
  expect(unreached.map(([, name]) => name).sort()).toEqual(leftOut.sort());
  expect([...called].filter((place) => !operations.has(place))).toEqual([]);
});
