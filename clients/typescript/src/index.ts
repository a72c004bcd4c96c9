export { Centavo } from "./centavo.ts";
export type { EventsOptions } from "./events.ts";
export {
  ApiError,
  CentavoError,
  ConnectionError,
  IgnoredFieldsError,
  MissingEventError,
  TimeoutError,
  WebhookError,
} from "./errors.ts";
export type { CallOptions, CentavoOptions } from "./http.ts";
export { brl } from "./money.ts";
export type { Event, Problem, Schemas, Transaction, Webhook, Withdraw } from "./types.ts";
export * as webhooks from "./webhooks.ts";
