import type { Context, Hono } from "hono";
import type { AppContext } from "../../http/context.ts";

export interface CheckoutEnv {
  Bindings: {
    /** The service's own context of the request: its environment, dependencies and trace id. */
    outer: AppContext;
  };
}

export type CheckoutContext = Context<CheckoutEnv>;
export type CheckoutApp = Hono<CheckoutEnv, Record<string, never>, "/checkout">;
