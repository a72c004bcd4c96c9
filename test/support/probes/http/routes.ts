import { createApp } from "../../../../src/app.ts";

export interface Route {
  method: string;
  /** As the app knows it, without what a parameter must look like: `/api/Withdraw/:id`. */
  path: string;
}

const API_PATH = /^\/(?:api|callbacks|\.well-known)\//;

/** Every route of the API, each once. Pages and the document itself are not of it. */
export function routesOf(): Route[] {
  const names = createApp()
    .routes.filter((route) => route.method !== "ALL" && API_PATH.test(route.path))
    .map((route) => `${route.method} ${route.path}`);
  return [...new Set(names)].map((name) => {
    const [method = "", path = ""] = name.split(" ");
    return { method, path: path.replaceAll(/(?<=:\w+)\{[^}]+\}/g, "") };
  });
}
