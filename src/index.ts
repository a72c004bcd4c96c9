import { env as startEnvironment } from "cloudflare:workers";
import { createApp } from "./app.ts";
import { parseConfig, type Env } from "./env.ts";

export { CompanyAccount } from "./company/account.ts";

// A misconfigured Worker refuses to start: this throws while the module loads.
parseConfig(startEnvironment as Env);

const app = createApp();

export default {
  fetch: app.fetch,
  // What no request waits for is loaded by the first batch and the first minute, not by the start.
  queue: async (batch, env, context) =>
    (await import("./queue.ts")).handleQueue(batch, env, context),
  scheduled: async (_controller, env) => (await import("./scheduled.ts")).handleScheduled(env),
} satisfies ExportedHandler<Env>;
