import { env as workerEnv } from "cloudflare:workers";
import type { Env } from "../../../../src/config.ts";

/** Without the limiters of wrangler.toml: hundreds of tests are one address. */
export const env = Object.fromEntries(
  Object.entries(workerEnv).filter(([name]) => !name.startsWith("LIMIT_")),
) as unknown as Env;

export interface TestCompany {
  id: number;
  name: string;
  providerCompanyId: string;
  clientId: string;
  apiKey: string;
  webhookSecret: string;
  /** The two credential headers. */
  credentials: Record<string, string>;
}
