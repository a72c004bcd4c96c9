import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";

interface BaselineEnv {
  Bindings: { DB: D1Database; ACCOUNT: DurableObjectNamespace<BaselineAccount> };
  Variables: { companyId: number };
}

/** The used fields of a create request. Nothing is validated. */
interface Create {
  amount: number;
  paymentMethod: string;
  externalRef?: string;
  customer?: { document?: { number?: string } };
}

/** Rows of a page. */
const PAGE = 20;
/** The provider's answer, stored as one text. */
const PIX = "00020126580014br.gov.bcb.pix0136".padEnd(170, "0");

/** The table of the endpoints below, with the indices that a claim needs. */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS payments (company_id INTEGER NOT NULL, seq INTEGER NOT NULL,
     id TEXT NOT NULL, idempotency_key TEXT NOT NULL, payer TEXT NOT NULL, amount INTEGER NOT NULL,
     request TEXT NOT NULL, answer TEXT, status TEXT NOT NULL, created_at INTEGER NOT NULL,
     PRIMARY KEY (company_id, seq)) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX IF NOT EXISTS payments_id ON payments (id)`,
  `CREATE UNIQUE INDEX IF NOT EXISTS payments_key ON payments (company_id, idempotency_key)`,
  `CREATE INDEX IF NOT EXISTS payments_payer ON payments (company_id, payer, seq)`,
];

/** Centavo's credentials query (`findCredentials` in `src/db/companies/credentials.ts`). */
const CREDENTIALS = `
  SELECT a.scopes, c.*, k.key_hash, k.expires_at, p.settings, p.sealed
  FROM applications a
  JOIN companies c ON c.id = a.company_id
  LEFT JOIN api_keys k ON k.company_id = c.id AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > ?)
  LEFT JOIN company_providers p ON p.company_id = c.id AND p.provider = 'PixApi'
  WHERE a.client_id = ?`;

const app = new Hono<BaselineEnv>();

/** Reads the caller's credentials before each request. Does not hash the key. */
const credentials = createMiddleware<BaselineEnv>(async (c, next) => {
  const { results } = await c.env.DB.prepare(CREDENTIALS)
    .bind(Date.now(), c.req.header("X-Client-Id") ?? "")
    .all<{ id: number; key_hash: string | null }>();
  const [found] = results;
  if (found === undefined || found.key_hash === null) return c.json({}, 401);
  c.set("companyId", found.id);
  await next();
  return;
});

app.post("/setup", async (c) => {
  await c.env.DB.batch(SCHEMA.map((sql) => c.env.DB.prepare(sql)));
  return c.json({});
});

/** Claims key and next number, then stores the answer: 5 rows in two round trips. */
app.post("/create", credentials, async (c) => {
  const { DB } = c.env;
  const companyId = c.get("companyId");
  const body = await c.req.text();
  const request = JSON.parse(body) as Create;
  const id = crypto.randomUUID();
  const claimed = await DB.prepare(
    `INSERT INTO payments SELECT ?1,
       coalesce((SELECT max(seq) FROM payments WHERE company_id = ?1), 0) + 1,
       ?2, ?3, ?4, ?5, ?6, NULL, 'creating', ?7 WHERE true ON CONFLICT DO NOTHING RETURNING seq`,
  )
    .bind(
      companyId,
      id,
      c.req.header("Idempotency-Key") ?? id,
      request.customer?.document?.number ?? "",
      request.amount,
      body,
      Date.now(),
    )
    .first<{ seq: number }>();
  const seq = claimed?.seq ?? 0;
  const answered = await DB.prepare(
    `UPDATE payments SET answer = ?, status = 'waiting_payment'
     WHERE company_id = ? AND seq = ? RETURNING status`,
  )
    .bind(PIX, companyId, seq)
    .first();
  return c.json({ ...request, ...answered, id, seq, pix: PIX });
});

app.get("/get/:id", credentials, async (c) => {
  const found = await c.env.DB.prepare("SELECT * FROM payments WHERE id = ? AND company_id = ?")
    .bind(c.req.param("id"), c.get("companyId"))
    .first();
  return c.json(found);
});

/** The payer's page needs no credentials. */
app.get("/status/:id", async (c) => {
  const id = c.req.param("id");
  const found = await c.env.DB.prepare("SELECT status FROM payments WHERE id = ?").bind(id).first();
  return c.json(found);
});

app.get("/list", credentials, async (c) => {
  const { results } = await c.env.DB.prepare(
    `SELECT * FROM payments WHERE company_id = ?1
       AND seq > (SELECT max(seq) FROM payments WHERE company_id = ?1) - ${PAGE}
     ORDER BY seq DESC`,
  )
    .bind(c.get("companyId"))
    .all();
  return c.json(results);
});

app.get("/newest", async (c) => {
  const found = await c.env.DB.prepare("SELECT id FROM payments ORDER BY seq DESC LIMIT 1").first();
  return c.json(found);
});

app.get("/balance", credentials, async (c) =>
  c.json(await account(c.env, c.get("companyId")).balances()),
);

app.post("/withdraw", credentials, async (c) => {
  const { amount } = await c.req.json<{ amount: number }>();
  const key = c.req.header("Idempotency-Key") ?? crypto.randomUUID();
  return c.json(await account(c.env, c.get("companyId")).withdraw(key, amount), 201);
});

export default app;

function account(
  env: BaselineEnv["Bindings"],
  companyId: number,
): DurableObjectStub<BaselineAccount> {
  return env.ACCOUNT.getByName(`company-${companyId}`);
}

/** A company's rows without rules, projection or events. */
export class BaselineAccount extends DurableObject<BaselineEnv["Bindings"]> {
  constructor(ctx: DurableObjectState, env: BaselineEnv["Bindings"]) {
    super(ctx, env);
    ctx.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS accounts (account TEXT PRIMARY KEY, balance INTEGER NOT NULL)
        STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS movements (sequence INTEGER PRIMARY KEY, type TEXT NOT NULL,
        withdraw_id INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS postings (sequence INTEGER PRIMARY KEY, movement INTEGER NOT NULL,
        account TEXT NOT NULL, amount INTEGER NOT NULL, balance INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS withdraws (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL,
        status TEXT NOT NULL, created_at INTEGER NOT NULL, next_check_at INTEGER) STRICT;
      CREATE INDEX IF NOT EXISTS withdraws_due ON withdraws (next_check_at)
        WHERE next_check_at IS NOT NULL;
      CREATE TABLE IF NOT EXISTS idempotency (key TEXT PRIMARY KEY, record_id INTEGER NOT NULL)
        STRICT, WITHOUT ROWID;
      INSERT INTO accounts VALUES ('available', 1000000000000), ('awaiting', 0), ('blocked', 0),
        ('payout', 0), ('suspense', 0), ('debt', 0) ON CONFLICT DO NOTHING;`);
  }

  async balances(): Promise<Record<string, SqlStorageValue>[]> {
    return this.ctx.storage.sql.exec("SELECT account, balance FROM accounts").toArray();
  }

  /** Writes key, withdraw, movement, two postings and both balances: 8 rows in one commit. */
  async withdraw(key: string, amount: number): Promise<{ id: number; amount: number }> {
    const { sql } = this.ctx.storage;
    return this.ctx.storage.transactionSync(() => {
      const [known] = sql.exec("SELECT record_id FROM idempotency WHERE key = ?", key).toArray();
      if (known !== undefined) return { id: Number(known["record_id"]), amount };
      const now = Date.now();
      const { id } = sql
        .exec<{ id: number }>(
          `INSERT INTO withdraws (amount, status, created_at, next_check_at)
           VALUES (?, 'Awaiting', ?, ?) RETURNING id`,
          amount,
          now,
          now,
        )
        .one();
      sql.exec("INSERT INTO idempotency VALUES (?, ?)", key, id);
      sql.exec("INSERT INTO movements VALUES (NULL, 'withdraw', ?, ?)", id, now);
      for (const [name, change] of [["available", -amount] as const, ["payout", amount] as const]) {
        sql.exec(
          `INSERT INTO postings SELECT NULL, (SELECT max(sequence) FROM movements), account, ?1,
             balance + ?1 FROM accounts WHERE account = ?2`,
          change,
          name,
        );
        sql.exec("UPDATE accounts SET balance = balance + ? WHERE account = ?", change, name);
      }
      return { id, amount };
    });
  }
}
