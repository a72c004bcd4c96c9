import { Hono } from "hono";

/** The framework alone: no storage, no rules. */
const app = new Hono();

app.get("*", (c) => c.json({ ok: true }));
app.post("*", async (c) => c.json(await c.req.json()));

export default app;
