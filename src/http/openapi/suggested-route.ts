import { editDistance } from "../../lib/edit-distance.ts";
import type { Api } from "../api.ts";

/** A longer path is no mistyped route of ours. */
const SEGMENTS_MAX = 10;
const SEGMENT_LENGTH_MAX = 60;
/** Edits that a mistyped segment may have, fewer than half of its letters. */
const EDITS_MAX = 2;

/** Every id of ours has one. */
const DIGIT = /\d/;
/** Segments of every route. */
const COMMON = /^(?:api|v\d+)$/;

/** What a difference costs. A letter's case, a slash too many and an id cost nothing. */
const COST = {
  edit: 0.5,
  /** A segment too many or too few, such as a forgotten `/create`. */
  segment: 2,
  /** An id that is forgotten, or a word in its place. */
  id: 1,
  /** More than a segment: `POST /api/v1/transactions` means the create more than the search by GET. */
  method: 2.5,
  /** A PUT for a PATCH of the same path: less than a letter, which may mean another thing. */
  change: 0.25,
};
/** A wrong method, or one segment too many or too few with two wrong letters. */
const COST_MAX = 3;

/** A path of a peer, without ids, and our route for it. */
interface PeerPath {
  method: string;
  /** Its only word beside `api` and a version. */
  words: string[];
  hasId: boolean;
  ours: string;
}

const CHARGES = ["charges", "charge", "payments", "orders", "cob", "cobv", "transactions"];
const PAYOUTS = ["payouts", "transfers", "withdrawals", "withdraws"];
const ACCOUNT = ["account", "accounts", "company", "companies", "merchant"];
const LINKS = ["links", "paymentlinks", "payment_links", "payment-links"];
const REFUND = "POST /api/v1/transactions/{id}/refund";

/** What peers call our routes. Spelling finds none of them, or one that does something else. */
export const PEER_PATHS: PeerPath[] = [
  { method: "POST", words: CHARGES, hasId: false, ours: "POST /api/v1/transactions/create" },
  { method: "GET", words: CHARGES, hasId: false, ours: "GET /api/v1/transactions" },
  { method: "GET", words: CHARGES, hasId: true, ours: "GET /api/v1/transactions/{id}" },
  { method: "DELETE", words: CHARGES, hasId: true, ours: "POST /api/v1/transactions/{id}/cancel" },
  { method: "POST", words: ["refunds", "refund"], hasId: false, ours: REFUND },
  { method: "POST", words: PAYOUTS, hasId: false, ours: "POST /api/Withdraw/request" },
  { method: "GET", words: PAYOUTS, hasId: false, ours: "GET /api/v1/withdraws" },
  { method: "GET", words: PAYOUTS, hasId: true, ours: "GET /api/Withdraw/{id}" },
  { method: "DELETE", words: PAYOUTS, hasId: true, ours: "POST /api/Withdraw/{id}/cancel" },
  { method: "GET", words: ACCOUNT, hasId: false, ours: "GET /api/v1/me" },
  { method: "GET", words: ACCOUNT, hasId: true, ours: "GET /api/v1/me" },
  { method: "GET", words: ["saldo", "wallet"], hasId: false, ours: "GET /api/v1/balance" },
  { method: "POST", words: LINKS, hasId: false, ours: "POST /api/v1/payment-links" },
  { method: "GET", words: LINKS, hasId: false, ours: "GET /api/v1/payment-links" },
  { method: "DELETE", words: LINKS, hasId: true, ours: "PATCH /api/v1/payment-links/{id}" },
];

/** Endings of a file's name, which here a header says. */
const MEDIA_TYPES: Record<string, string> = {
  csv: "text/csv",
  json: "application/json",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
};
const FILE = /^(.+)\.(csv|json|pdf|png|svg)$/;

/** A documented route: `segments` in lower case, an id as null. */
interface Route {
  method: string;
  path: string;
  segments: (string | null)[];
  /** The segments that tell what the route is about. */
  words: string[];
}

const routesOfApp = new WeakMap<Api, Route[]>();

/**
 * The documented route that a request to an unknown path most likely meant, such as
 * `POST /api/v1/transactions/create`; null if none is near. It repeats nothing of the request.
 */
export function suggestedRoute(app: Api, method: string, path: string): string | null {
  const [, withoutEnding = path, ending = ""] = FILE.exec(path) ?? [];
  const route = nearestRoute(app, method, withoutEnding);
  const mediaType = MEDIA_TYPES[ending];
  return route === null || mediaType === undefined ? route : `${route} with Accept: ${mediaType}`;
}

function nearestRoute(app: Api, method: string, path: string): string | null {
  const segments = segmentsOf(path.toLowerCase());
  if (segments.length > SEGMENTS_MAX) return null;
  if (segments.some((segment) => segment.length > SEGMENT_LENGTH_MAX)) return null;
  const asked = method === "HEAD" ? "GET" : method;
  const ofPeer = routeOfPeer(asked, segments);
  if (ofPeer !== null) return ofPeer;
  let nearest: Route | null = null;
  let least = COST_MAX;
  for (const route of routesOf(app)) {
    if (!route.words.some((word) => segments.some((each) => isTypoOf(each, word)))) continue;
    const distance = pathDistance(segments, route.segments);
    const cost = distance + methodCost(asked, route.method, distance);
    if (cost < least || (cost === least && nearest === null)) {
      nearest = route;
      least = cost;
    }
  }
  return nearest === null ? null : `${nearest.method} ${nearest.path}`;
}

function routeOfPeer(method: string, segments: string[]): string | null {
  const [word, ...ids] = segments.filter((segment) => !COMMON.test(segment));
  if (word === undefined || ids.length > 1) return null;
  const hasId = ids.length === 1;
  if (hasId && !DIGIT.test(ids[0] ?? "")) return null;
  const found = PEER_PATHS.find(
    (peer) => peer.method === method && peer.hasId === hasId && peer.words.includes(word),
  );
  return found?.ours ?? null;
}

function methodCost(asked: string, method: string, distance: number): number {
  if (asked === method) return 0;
  return asked === "PUT" && method === "PATCH" && distance === 0 ? COST.change : COST.method;
}

function routesOf(app: Api): Route[] {
  const known = routesOfApp.get(app);
  if (known !== undefined) return known;
  const routes = app.openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== "route") return [];
    const { method, path } = definition.route;
    const segments = segmentsOf(path).map((segment) =>
      segment.startsWith("{") ? null : segment.toLowerCase(),
    );
    const words = segments.filter(
      (segment) => segment !== null && !COMMON.test(segment),
    ) as string[];
    return [{ method: method.toUpperCase(), path, segments, words }];
  });
  routesOfApp.set(app, routes);
  return routes;
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** The cheapest way from the request's segments to the route's, as the edit distance of two texts. */
function pathDistance(asked: string[], route: (string | null)[]): number {
  let last = [0];
  for (const segment of route) last.push((last.at(-1) ?? 0) + missingCost(segment));
  for (const segment of asked) {
    const current = [(last[0] ?? 0) + COST.segment];
    for (const [index, expected] of route.entries()) {
      current.push(
        Math.min(
          (last[index] ?? Infinity) + segmentDistance(segment, expected),
          (last[index + 1] ?? Infinity) + COST.segment,
          (current[index] ?? Infinity) + missingCost(expected),
        ),
      );
    }
    last = current;
  }
  return last.at(-1) ?? Infinity;
}

function missingCost(segment: string | null): number {
  return segment === null ? COST.id : COST.segment;
}

/** Infinity where one is no misspelling of the other. */
function segmentDistance(segment: string, expected: string | null): number {
  if (expected === null) return DIGIT.test(segment) ? 0 : COST.id;
  return isTypoOf(segment, expected)
    ? editDistance(segment, expected, EDITS_MAX) * COST.edit
    : Infinity;
}

function isTypoOf(segment: string, expected: string): boolean {
  const edits = editDistance(segment, expected, EDITS_MAX);
  return edits <= EDITS_MAX && edits * 2 < Math.min(segment.length, expected.length);
}
