import type { Seeded } from "../support/builders/requests/property.ts";
import type { Ids } from "./ids.ts";
import type { Caller, FuzzRequest } from "./request.ts";
import { encoded, PROTOTYPE_NAMES, STRINGS, type Junk } from "./values.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "LOCK"];
const CONTENT_TYPES = [
  "",
  "text/plain",
  "application/xml",
  "application/json; charset=utf-16",
  "application/json ; a=b",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "application/problem+json",
  "APPLICATION/JSON",
];
const ACCEPTS = [
  "",
  "text/html",
  "*/*;q=0",
  "text/csv",
  "application/json;q=0.1",
  "a",
  "*/*, x/y;q=2",
];
const TRACES = [
  "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  "00-00000000000000000000000000000000-b7ad6b7169203331-01",
  "ff-x",
];

interface Tools {
  random: Seeded;
  junk: Junk;
  ids: Ids;
  caller: Caller;
}

type Mutation = (request: FuzzRequest, tools: Tools) => void;

/** Ways to make a request wrong or strange; some leave it valid. */
export const MUTATIONS: readonly Mutation[] = [
  // Body, field by field.
  setSomewhere(({ junk }) => junk.value()),
  setSomewhere(({ junk }) => junk.value()),
  setSomewhere(({ junk }) => junk.number()),
  setSomewhere(({ junk }) => junk.text()),
  setSomewhere(({ ids, caller, random }) => foreignId(ids, caller, random)),
  setSomewhere(() => null),
  atSomewhere((parent, name) => {
    delete parent[name];
  }),
  (request, { random, junk }) => {
    if (isObject(request.body)) request.body[`x${random.integer(0, 9)}`] = junk.value();
  },
  (request, { random, caller, ids }) => {
    if (!isObject(request.body)) return;
    const foreign = foreignId(ids, caller, random);
    Object.assign(request.body, {
      companyId: caller.otherCompanyId,
      status: "PAID",
      paidAt: "2026-01-01T00:00:00.000Z",
      id: foreign,
      providerTxId: foreign,
    });
  },
  (request, { random, junk }) => {
    if (!isObject(request.body)) return;
    const name = random.pick(PROTOTYPE_NAMES);
    const text = JSON.stringify(request.body) ?? "{}";
    const value = JSON.stringify(junk.value()) ?? "null";
    request.rawBody =
      text === "{}" ? `{"${name}":${value}}` : `{"${name}":${value},${text.slice(1)}`;
  },
  // Body, as text.
  (request, { random }) => {
    const text = textOf(request);
    request.rawBody = text.slice(0, random.integer(0, Math.max(0, text.length - 1)));
  },
  (request) => {
    const text = textOf(request);
    request.rawBody = `${text.slice(0, -1)},${text.slice(1)}`;
  },
  (request) => {
    request.rawBody = `\ufeff${textOf(request)}`;
  },
  (request) => {
    const bytes = new TextEncoder().encode(textOf(request));
    request.rawBody = Uint8Array.from([...bytes.slice(0, -1), 0xc3, 0x28, 0x7d]);
  },
  (request, { random }) => {
    request.rawBody = "[".repeat(random.pick([10, 1_000, 60_000]));
  },
  (request, { random }) => {
    request.rawBody = random.pick([
      "",
      " ",
      "null",
      "[]",
      "1",
      '"a"',
      "{}",
      "true",
      "{a:1}",
      "\u0000",
    ]);
  },
  (request) => {
    request.rawBody = `{"a":"${"b".repeat(70_000)}"}`;
  },
  // Headers.
  (request, { random }) => setHeader(request, "Content-Type", random.pick(CONTENT_TYPES)),
  (request, { random }) => setHeader(request, "Accept", random.pick(ACCEPTS)),
  (request, { random }) => setHeader(request, "traceparent", random.pick(TRACES)),
  (request, { junk }) => setHeader(request, "Idempotency-Key", junk.headerText()),
  (request, { junk }) => setHeader(request, "If-None-Match", junk.headerText()),
  (request, { random, junk }) => {
    if (request.headers.length === 0) return;
    const [name] = random.pick(request.headers);
    setHeader(request, name, junk.headerText());
  },
  (request, { random }) => {
    if (request.headers.length === 0) return;
    request.headers.push([...random.pick(request.headers)]);
  },
  (request, { random }) => {
    request.headers.splice(random.integer(0, request.headers.length - 1), 1);
  },
  (request, { random, caller }) => {
    const name = random.pick([
      "X-HTTP-Method-Override",
      "X-Forwarded-Host",
      "X-Original-URL",
      "Host",
    ]);
    setHeader(request, name, `/api/Balance/balance/${caller.otherCompanyId}`);
  },
  // Query.
  (request, { random, junk }) => {
    const [name] = request.query.length > 0 ? random.pick(request.query) : ["limit"];
    request.query.push([name, junk.text().slice(0, 500)]);
  },
  (request, { random, junk }) => {
    const name = random.pick([
      "after",
      "limit",
      "page",
      "pageSize",
      "sort",
      "from",
      "to",
      "ids",
      "x",
    ]);
    request.query = [[name, random.pick([junk.text().slice(0, 9_000), String(junk.number())])]];
  },
  (request, { random, ids, caller }) => {
    request.query.push(
      ["after", ids.pick(caller.otherCompanyId, "cursors", random) ?? "0"],
      ["ids", foreignId(ids, caller, random)],
      ["companyId", String(caller.otherCompanyId)],
    );
  },
  // Path and method.
  (request, { random }) => {
    const parts = request.pathname.split("/");
    parts[random.integer(1, parts.length - 1)] = encoded(random.pick(STRINGS)).slice(0, 3_000);
    request.pathname = parts.join("/");
  },
  (request, { random }) => {
    const { pathname } = request;
    request.pathname = random.pick([
      `${pathname}/`,
      `/${pathname}`,
      `${pathname}//`,
      `${pathname}%00`,
      `${pathname}%`,
      `${pathname}/..%2f..`,
      `${pathname};a=b`,
      pathname.toUpperCase(),
      pathname.replace("/", "/%2e/"),
      pathname.slice(0, -1) || "/",
    ]);
  },
  (request, { random }) => {
    // A browser's preflight of the payer's status is answered (CORS).
    const isPreflightable = request.pathname.startsWith("/api/checkout/");
    const methods = isPreflightable ? METHODS.filter((each) => each !== "OPTIONS") : METHODS;
    request.method = random.pick(methods);
  },
];

/** A mutation that gives a random member of the body a value. */
function setSomewhere(value: (tools: Tools) => unknown): Mutation {
  return atSomewhere((parent, name, tools) => {
    parent[name] = value(tools);
  });
}

function atSomewhere(change: (parent: any, name: string, tools: Tools) => void): Mutation {
  return (request, tools) => {
    const places = placesIn(request.body);
    if (places.length === 0) return;
    const [parent, name] = tools.random.pick(places);
    change(parent, name, tools);
  };
}

function placesIn(value: any): [parent: any, name: string][] {
  if (!isObject(value)) return [];
  const own = Object.keys(value).map((name): [any, string] => [value, name]);
  return own.concat(Object.values(value).flatMap(placesIn));
}

function foreignId(ids: Ids, caller: Caller, random: Seeded): string {
  return ids.pick(caller.otherCompanyId, "transactions", random) ?? String(caller.otherCompanyId);
}

function setHeader(request: FuzzRequest, name: string, value: string): void {
  request.headers = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  request.headers.push([name, value]);
}

const textOf = (request: FuzzRequest): string => JSON.stringify(request.body ?? {}) ?? "{}";
const isObject = (value: unknown): value is any => typeof value === "object" && value !== null;
