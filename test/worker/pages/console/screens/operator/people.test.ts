import { beforeAll, describe, expect, it } from "vitest";
import {
  callAsOperator,
  givenOperator,
} from "../../../../../support/builders/companies/operator.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import {
  beginSession,
  givenOperatorPerson,
  type TestOperatorPerson,
} from "../../../../../support/builders/console/people.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";

const PEOPLE = "/console/operator/people";

let admin: TestOperatorPerson;
let browser: Browser;

beforeAll(async () => {
  admin = await givenOperatorPerson("admin");
  browser = new Browser(admin.cookie);
});

const show = async (id: string) => (await callAsOperator(`/people/${id}`)).body.data;
const keysOf = async (id: string) => (await callAsOperator(`/people/${id}/keys`)).body.items;

describe("the operators in the console", () => {
  it.each(["pt-BR", "en"] as const)("are listed with e-mail and role in %s", async (language) => {
    const list = await browser.ask(PEOPLE, { language });
    expect(list.status).toBe(200);
    expectClean(list.html);
    for (const text of [admin.email, "Olga", "Local approver"]) expect(list.html).toContain(text);
    const one = await browser.ask(`${PEOPLE}/operator`, { language });
    expectClean(one.html);
    expect(one.html).toContain("sk_test_loca");
    expectClean((await browser.ask(`${PEOPLE}/new`, { language })).html);
  });

  it("are added without a key; the link is shown in this answer only, and works", async () => {
    const form = { name: "Rui <b>Lima</b>", role: "finance" };
    const made = await browser.ask(PEOPLE, { form, language: "en" });
    expect(made.status).toBe(200);
    expect(made.headers.get("Cache-Control")).toBe("no-store");
    expectClean(made.html);
    const [, path = ""] = /<code>https?:\/\/[^/]+([^<]+)<\/code>/.exec(made.html) ?? [];
    const [, id = ""] = /people\/(op_[0-9a-f]{32})/.exec(made.html) ?? [];
    expect(await show(id)).toMatchObject({ name: form.name, role: "finance", email: null });
    expect(await keysOf(id)).toEqual([]);
    expect((await browser.ask(`${PEOPLE}/${id}`)).html).not.toContain(path);
    expect((await new Browser().ask(path)).status).toBe(200);
    const next = await browser.ask(`${PEOPLE}/${id}/link`, { form: {} });
    expect(next.html).toContain("/console/operator/set-up/");
    expect((await new Browser().ask(path)).status).toBe(404);
  });

  it("are refused without a name, and what was typed stays", async () => {
    const { status, html } = await browser.ask(PEOPLE, { form: { name: "", role: "finance" } });
    expect(status).toBe(400);
    expect(html).toContain('aria-invalid="true"');
    expect(html).toMatch(/value="finance" selected/);
  });

  it("change name and role, lose a key, and are removed", async () => {
    const { clientId } = await givenOperator("read");
    const path = `${PEOPLE}/${clientId}`;
    const post = async (action: string, form: Record<string, string> = {}) =>
      (await browser.ask(`${path}/${action}`, { form })).headers.get("Location");
    expect(await post("change", { name: "Eva", role: "support" })).toBe(`${path}?done=changed`);
    expect(await show(clientId)).toMatchObject({ name: "Eva", role: "support" });
    const [key] = await keysOf(clientId);
    expect(await post(`keys/${key.id}/revoke`)).toBe(`${path}?done=revoked`);
    expect((await keysOf(clientId))[0].revokedAt).not.toBeNull();
    expect(await post("remove")).toBe(`${PEOPLE}?done=removed`);
    expect(await show(clientId)).toBeUndefined();
    expect(await post("remove")).toBe(`${PEOPLE}?done=removed`);
    expect((await browser.ask(path)).status).toBe(404);
  });

  it("are changed only after a fresh second factor", async () => {
    const nowMs = Date.now();
    const stale = new Browser(
      await beginSession(admin.userId, { nowMs, secondFactorAt: nowMs - 6 * 60_000 }),
    );
    expect((await stale.ask(PEOPLE)).status).toBe(200);
    for (const path of [PEOPLE, `${PEOPLE}/approver/change`, `${PEOPLE}/approver/remove`]) {
      const { status, html } = await stale.ask(path, { form: { name: "Eve", role: "admin" } });
      expect(status).toBe(401);
      expect(html).toContain('action="/console/confirm"');
    }
    expect(await show("approver")).toMatchObject({ name: "Local approver" });
  });
});
