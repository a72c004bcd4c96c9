/**
 * The alternative to Centavo's withdraw that a team would write: Hono on Node with PostgreSQL, one process.
 * PGHOST is the socket's folder, PGUSER the role. Prints its port when it is ready.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Pool } from "pg";
import { requestWithdraw } from "./withdraws.ts";

/** Withdraws of one company wait for its row lock anyway, so more connections would not help. */
const CONNECTIONS_MAX = 10;
const MIN_AMOUNT = 1_000;

const pool = new Pool({ max: CONNECTIONS_MAX });
const { rows: keys } = await pool.query<{
  client_id: string;
  company_id: number;
  key_hash: Buffer;
}>("SELECT client_id, company_id, key_hash FROM api_keys");
/** Read once at start, like a credentials cache that always hits. */
const credentials = new Map(keys.map((row) => [row.client_id, row]));

const app = new Hono<{ Variables: { companyId: number } }>();

app.use(async (c, next) => {
  const found = credentials.get(c.req.header("X-Client-Id") ?? "");
  const hash = createHash("sha256")
    .update(c.req.header("X-API-Key") ?? "")
    .digest();
  if (found === undefined || !timingSafeEqual(found.key_hash, hash)) {
    return c.json({ code: "INVALID_CREDENTIALS" }, 401);
  }
  c.set("companyId", found.company_id);
  await next();
  return;
});

app.post("/api/Withdraw/request", async (c) => {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return c.json({ code: "IDEMPOTENCY_KEY_REQUIRED" }, 400);
  const { amount } = await c.req.json<{ amount: unknown }>();
  if (!Number.isSafeInteger(amount) || Number(amount) < MIN_AMOUNT) {
    return c.json({ code: "WITHDRAW_BELOW_MINIMUM" }, 400);
  }
  const answer = await requestWithdraw(pool, c.get("companyId"), key, Number(amount));
  switch (answer.kind) {
    case "accepted":
      return c.json(answer.withdraw, 201);
    case "replayed":
      return c.json(answer.withdraw, 201, { "Idempotent-Replayed": "true" });
    case "key_reused":
      return c.json({ code: "IDEMPOTENCY_KEY_REUSED" }, 409);
    case "insufficient":
      return c.json({ code: "INSUFFICIENT_BALANCE" }, 422);
  }
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => console.log(port));
