import { expect, it, vi } from "vitest";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { env } from "../../../../../support/builders/companies/env.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import {
  givenPerson,
  PASSWORD,
  RECOVERY_CODES,
} from "../../../../../support/builders/console/people.ts";
import { call } from "../../../../../support/builders/requests/api.ts";
import { postOffice } from "../../../../../support/fakes/post-office.ts";

const RESET = "/console/password-reset";
const NEW_PASSWORD = "another long password";

async function signIn(email: string, password: string) {
  const browser = new Browser();
  const { status } = await browser.ask("/console/sign-in", { form: { email, password } });
  return { browser, status };
}

async function givenLink() {
  const company = await givenCompany();
  const person = await givenPerson(company, "viewer");
  const office = postOffice();
  const asked = await new Browser().ask(RESET, { env: office.env, form: { email: person.email } });
  await vi.waitFor(() => expect(office.sent).toHaveLength(1), { timeout: 20_000 });
  const [url = ""] = /https:\/\/\S+/.exec(office.sent[0]?.text ?? "") ?? [];
  return { company, person, asked, path: new URL(url).pathname };
}

it("a link by e-mail sets a new password once, ends the sessions and is in the trail", async () => {
  const { company, person, asked, path } = await givenLink();
  expectClean(asked.html);
  const before = await signIn(person.email, PASSWORD);
  expect(before.status).toBe(303);
  const form = { password: NEW_PASSWORD };
  expectClean((await new Browser().ask(path)).html);
  expect((await new Browser().ask(path, { form: { password: "short" } })).status).toBe(400);
  expect((await new Browser().ask(path, { form })).headers.get("Location")).toBe(
    "/console/sign-in",
  );
  expect((await new Browser().ask(path, { form })).status).toBe(404);
  expect((await before.browser.ask("/console")).headers.get("Location")).toContain("sign-in");
  expect((await signIn(person.email, PASSWORD)).status).toBe(401);
  expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(303);
  const trail = await call("/api/v1/audit", { company });
  expect(trail.body.items).toContainEqual(
    expect.objectContaining({ action: "password.reset", target: `person:${person.userId}` }),
  );
});

it("an unknown e-mail gets the same answer and no e-mail, and the database holds no link", async () => {
  const { asked, path } = await givenLink();
  const office = postOffice();
  const form = { email: "nobody@example.com" };
  const unknown = await new Browser().ask(RESET, { env: office.env, form });
  expect([unknown.status, unknown.html]).toEqual([asked.status, asked.html]);
  expect(office.sent).toEqual([]);
  const { results } = await env.DB.prepare("SELECT identifier FROM verifications").all();
  expect(JSON.stringify(results)).not.toContain(path.slice(`${RESET}/`.length));
});

it("the sign-in says which way there is, and a service without e-mail what to do", async () => {
  const without = await new Browser().ask("/console/sign-in");
  expect(without.html).toContain("Esqueci a senha: usar um código de recuperação");
  expect((await new Browser().ask(RESET)).html).toContain("Este serviço não envia e-mails.");
  const sending = await new Browser().ask("/console/sign-in", { env: postOffice().env });
  expect(sending.html).toContain("receber um link por e-mail");
});

it("of two uses of a link at once one counts, and a used link ends the person's others", async () => {
  const { person, path } = await givenLink();
  const office = postOffice();
  await new Browser().ask(RESET, { env: office.env, form: { email: person.email } });
  await vi.waitFor(() => expect(office.sent).toHaveLength(1), { timeout: 20_000 });
  const [url = ""] = /https:\/\/\S+/.exec(office.sent[0]?.text ?? "") ?? [];
  const form = { password: NEW_PASSWORD };
  const uses = await Promise.all([1, 2].map(() => new Browser().ask(path, { form })));
  expect(uses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    303, 404,
  ]);
  expect((await new Browser().ask(new URL(url).pathname)).status).toBe(404);
});

const askRecovery = (form: Record<string, string>) =>
  new Browser().ask(`${RESET}/recovery`, { form });

it("a recovery code sets a new password once, where no e-mail is sent, and the second factor stays", async () => {
  const company = await givenCompany();
  const { email, userId } = await givenPerson(company, "owner", { hasAuthenticator: true });
  const [code = ""] = RECOVERY_CODES;
  const form = { email, code, password: NEW_PASSWORD };
  const short = await askRecovery({ ...form, password: "short" });
  expect(short.status).toBe(400);
  expectClean(short.html);
  expect((await askRecovery({ ...form, code: "wrong-00000" })).status).toBe(401);
  const answers = await Promise.all([askRecovery(form), askRecovery(form)]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    303, 401,
  ]);
  expect((await signIn(email, PASSWORD)).status).toBe(401);
  const again = await signIn(email, NEW_PASSWORD);
  expect(again.status).toBe(303);
  expect((await again.browser.ask("/console")).headers.get("Location")).toContain("sign-in");
  const trail = await call("/api/v1/audit", { company });
  expect(trail.body.items).toContainEqual(
    expect.objectContaining({
      action: "password.reset",
      target: `person:${userId}`,
      reason: "RECOVERY_CODE",
    }),
  );
});

it("a recovery code of another person and an unknown e-mail get the same answer", async () => {
  const company = await givenCompany();
  const { email } = await givenPerson(company, "owner");
  const [code = ""] = RECOVERY_CODES;
  const ask = (to: string) =>
    new Browser().ask(`${RESET}/recovery`, { form: { email: to, code, password: NEW_PASSWORD } });
  const [known, unknown] = [await ask(email), await ask("nobody@example.com")];
  expect([known.status, unknown.status]).toEqual([401, 401]);
  expect(known.html.replace(email, "")).toBe(unknown.html.replace("nobody@example.com", ""));
  expect((await signIn(email, PASSWORD)).status).toBe(303);
});
