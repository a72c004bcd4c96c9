import { env as workerEnv } from "cloudflare:workers";
import type { Env } from "../../../../src/config.ts";

export const env = workerEnv as unknown as Env;

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
