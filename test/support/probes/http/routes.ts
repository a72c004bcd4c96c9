import { createApp } from "../../../../src/app.ts";

export interface Route {
  method: string;
  /** The app's path without parameter patterns: `/api/Withdraw/:id`. */
  path: string;
}

const API_PATH = /^\/(?:api|callbacks|receipts|\.well-known)\//;

/** Every API route once, without pages and the document itself. */
export function routesOf(): Route[] {
  return mountedRoutes().filter(({ path }) => API_PATH.test(path));
}

/** The path of every page and of the document. */
export function pagesOf(): string[] {
  const pages = mountedRoutes().filter(({ path }) => !API_PATH.test(path));
  return pages.map(({ path }) => path);
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
