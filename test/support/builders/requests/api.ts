import type { Dependencies } from "../../../../src/http/context.ts";
import type { env, TestCompany } from "../companies/env.ts";
import { fetchFromApp } from "./app.ts";

const JSON_TYPE = { "Content-Type": "application/json", Accept: "application/json" };
const ORIGIN = "https://localhost";

export interface Call {
  method?: string;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  rawBody?: BodyInit;
  /** Scheme and host; by default an https loopback. */
  origin?: string;
  headers?: Record<string, string>;
  company?: Pick<TestCompany, "credentials">;
  deps?: Partial<Dependencies>;
  env?: typeof env;
}

export interface Answer<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

/** One request through the whole app, in this isolate. */
export async function call(path: string, options: Call = {}): Promise<Answer> {
  const body =
    options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetchFromApp(
    new Request(`${options.origin ?? ORIGIN}${path}`, {
      method: options.method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(body === undefined ? {} : JSON_TYPE),
        ...options.company?.credentials,
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    }),
    { deps: options.deps, env: options.env },
  );
  const text = await response.text();
  const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== "" ? JSON.parse(text) : text,
    text,
  };
}
