import { fetchFromApp } from "../requests/app.ts";
import type { Dependencies } from "../../../../src/http/context.ts";
import type { env } from "../companies/env.ts";
import { freshIsolate } from "../companies/isolate.ts";

const CONSOLE_ORIGIN = "http://localhost:8787";

export interface Page {
  status: number;
  headers: Headers;
  html: string;
}

export interface Asked {
  form?: Record<string, string>;
  /** What a script posts, instead of a form. */
  json?: unknown;
  /** A body as it is, of the type in `headers`, instead of a form. */
  body?: string | FormData;
  /** Scheme and host; by default those of `npm start`. */
  origin?: string;
  headers?: Record<string, string>;
  language?: "pt-BR" | "en";
  deps?: Partial<Dependencies>;
  env?: typeof env;
}

/** A browser with its own cookies that follows no redirect. */
export class Browser {
  #cookies = new Map<string, string>();

  constructor(cookie?: string) {
    if (cookie !== undefined) this.#keep(cookie);
  }

  /** Asks for a page, or posts a form. */
  async ask(path: string, options: Asked = {}): Promise<Page> {
    const { form, json, origin = CONSOLE_ORIGIN, language = "pt-BR" } = options;
    const asked = json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json);
    const body = options.body ?? asked;
    const request = new Request(new URL(path, origin), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Accept-Language": language,
        Origin: CONSOLE_ORIGIN,
        Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...options.headers,
      },
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    const deps = { ...freshIsolate(), ...options.deps };
    const response = await fetchFromApp(request, { deps, env: options.env });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return { status: response.status, headers: response.headers, html: await response.text() };
  }

  #keep(cookie: string): void {
    const [pair = "", ...attributes] = cookie.split(/; */);
    const [name = "", value = ""] = pair.split("=");
    if (value === "" || attributes.includes("Max-Age=0")) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
