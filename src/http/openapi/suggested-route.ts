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
};
/** A wrong method, or one segment too many or too few with two wrong letters. */
const COST_MAX = 3;

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
  const segments = segmentsOf(path.toLowerCase());
  if (segments.length > SEGMENTS_MAX) return null;
  if (segments.some((segment) => segment.length > SEGMENT_LENGTH_MAX)) return null;
  const asked = method === "HEAD" ? "GET" : method;
  let nearest: Route | null = null;
  let least = COST_MAX;
  for (const route of routesOf(app)) {
    if (!route.words.some((word) => segments.some((each) => isTypoOf(each, word)))) continue;
    const distance = pathDistance(segments, route.segments);
    const cost = distance + (route.method === asked ? 0 : COST.method);
    if (cost < least || (cost === least && nearest === null)) {
      nearest = route;
      least = cost;
    }
  }
  return nearest === null ? null : `${nearest.method} ${nearest.path}`;
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
