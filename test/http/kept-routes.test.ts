import { expect, it } from "vitest";
import { KeptRoutes } from "../../src/http/kept-routes.ts";

const handlersOf = (routes: KeptRoutes<string>, method: string, path: string) =>
  routes.match(method, path)[0].map(([handler]) => handler);

it("finds for a path without parameters the same at every look", () => {
  const routes = new KeptRoutes<string>();
  routes.add("ALL", "*", "first");
  routes.add("POST", "/things/new", "new");
  routes.add("POST", "/things/:id", "one");
  const looks = [1, 2, 3].map(() => handlersOf(routes, "POST", "/things/new"));
  expect(looks).toEqual(Array.from({ length: 3 }, () => ["first", "new", "one"]));
  expect(handlersOf(routes, "GET", "/things/new")).toEqual(["first"]);
});

it("reads the parameters of each path by itself", () => {
  const routes = new KeptRoutes<string>();
  routes.add("GET", "/things/:id", "one");
  const idOf = (path: string) => routes.match("GET", path)[0][0]?.[1];
  expect([idOf("/things/1"), idOf("/things/2"), idOf("/things/1")]).toEqual([
    { id: "1" },
    { id: "2" },
    { id: "1" },
  ]);
});

it("finds what was added after the first look", () => {
  const routes = new KeptRoutes<string>();
  routes.add("GET", "/things", "early");
  expect(handlersOf(routes, "GET", "/things")).toEqual(["early"]);
  routes.add("GET", "/things", "late");
  expect(handlersOf(routes, "GET", "/things")).toEqual(["early", "late"]);
});
