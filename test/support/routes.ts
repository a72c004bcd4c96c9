import { createApp } from "../../src/app.ts";

export interface Route {
  method: string;
  /** As the app knows it, without what a parameter must look like: `/api/Withdraw/:id`. */
  path: string;
}

/** Every route of the API, each once. Pages and the document itself are not of it. */
export function routesOf(): Route[] {
  const names = createApp()
    .routes.filter((route) => route.method !== "ALL" && route.path.startsWith("/api/"))
    .map((route) => `${route.method} ${route.path}`);
  return [...new Set(names)].map((name) => {
    const [method = "", path = ""] = name.split(" ");
    return { method, path: path.replaceAll(/(?<=:\w+)\{[^}]+\}/g, "") };
  });
}
