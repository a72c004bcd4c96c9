import { env as startEnvironment } from "cloudflare:workers";
import { createApp } from "./app.ts";
import { parseConfig, type Env } from "./config.ts";
import { handleQueue } from "./queue.ts";
import { handleScheduled } from "./scheduled.ts";

export { CompanyAccount } from "./company/account.ts";
export { ServiceState } from "./service-state/service-state.ts";

// A misconfigured Worker refuses to start: this throws while the module loads.
parseConfig(startEnvironment as Env);

const app = createApp();

export default {
  fetch: app.fetch,
  queue: handleQueue,
  scheduled: (_controller, env) => handleScheduled(env),
} satisfies ExportedHandler<Env>;
