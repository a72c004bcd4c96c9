import { createApp } from "../../../../src/app.ts";

export interface Route {
  method: string;
  /** The app's path without parameter patterns: `/api/Withdraw/:id`. */
  path: string;
}

const API_PATH = /^\/(?:(?:api|callbacks|receipts|\.well-known)\/|(?:health|ready|metrics)$)/;

/** Pages that stand beside a route of the API. */
const PAGES = new Set(["GET /receipts/verify", "POST /receipts/check"]);

/** Every API route once, without pages and the document itself. */
export function routesOf(): Route[] {
  return mountedRoutes().filter(isApi);
}

/** The method and path of every page and of the document. */
export function pagesOf(): string[] {
  const pages = mountedRoutes().filter((route) => !isApi(route));
  return pages.map(({ method, path }) => `${method} ${path}`);
}

function isApi({ method, path }: Route): boolean {
  return API_PATH.test(path) && !PAGES.has(`${method} ${path}`);
}

function mountedRoutes(): Route[] {
  const names = createApp()
    .routes.filter((route) => route.method !== "ALL")
    .map((route) => `${route.method} ${route.path}`);
  return [...new Set(names)].map((name) => {
    const [method = "", path = ""] = name.split(" ");
    return { method, path: path.replaceAll(/(?<=:\w+)\{[^}]+\}/g, "") };
  });
}
