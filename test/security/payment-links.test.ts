import { describe, expect, it } from "vitest";
import { createCard, NUMBERS } from "../support/builders/charges/card.ts";
import {
  actOnLink,
  formOf,
  fromAddress,
  givenLink,
  LINKS,
  openLink,
  sendForm,
  transactionOf,
  tryCard,
} from "../support/builders/charges/payment-links.ts";
import { createTransaction, pay } from "../support/builders/charges/transaction.ts";
import {
  configureObject,
  env,
  givenCompany,
  inAccount,
  waitUntilDrained,
  type TestCompany,
} from "../support/builders/companies/company.ts";
import { call, type Answer, type Call } from "../support/builders/requests/api.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { withAccounts } from "../support/faults/faulty-env.ts";
import { expectProblem } from "../support/probes/http/problem.ts";

const MINUTE = 60_000;
const DECLINED = { number: NUMBERS.declined };

/** As many addresses as asked. */
const addressOf = (index: number) => `198.51.${Math.floor(index / 200)}.${1 + (index % 200)}`;
const shown = async (company: TestCompany, id: string) => {
  await waitUntilDrained(company);
  return (await call(`${LINKS}/${id}`, { company })).body.data;
};
const find = async (company: TestCompany, id: string) =>
  (await call(`/api/v1/transactions/${id}`, { company })).body.data;
const renew = (page: string, options: Call) =>
  call(`${page}/renew`, {
    ...options,
    method: "POST",
    headers: { ...options.headers, Origin: "https://localhost", "Sec-Fetch-Site": "same-origin" },
  });
/** Moves the clock, also of an object that the platform has evicted meanwhile. */
async function later(company: TestCompany, clock: TestClock, ms: number): Promise<void> {
  clock.advance(ms);
  await configureObject(company.id, { clock });
}
const pageOf = ({ headers }: Answer) => headers.get("Location")!;

describe("anonymous charges", () => {
  it("use up the quota of links and leave the merchant his own", async () => {
    const company = await givenCompany();
    await env.DB.prepare("UPDATE companies SET quota_percent = 1 WHERE id = ?")
      .bind(company.id)
      .run();
    const { slug } = await givenLink(company, { metadata: { text: "x".repeat(4_000) } });

    const act = async () => (await actOnLink(slug)).status;
    for (let made = 0; made < 10; made++) expect(await act()).toBe(303);
    // As much as fourteen times so many store, of 2 MB.
    await inAccount(company.id, (_, { storage }) => {
      storage.sql.exec("UPDATE company SET usage_link_bytes = 14 * usage_link_bytes");
    });
    let last = 303;
    for (let made = 0; last === 303 && made < 20; made++) last = await act();

    expect(last).toBe(503);
    expect((await createTransaction(company)).status).toBe(200);
    expect((await call(LINKS, { company, body: { name: "Outro", amount: 100 } })).status).toBe(201);
    expect((await actOnLink(slug)).status).toBe(503);
  });

  it("by cards leave the merchant his own, too: a page's token counts for links", async () => {
    const company = await givenCompany();
    await inAccount(company.id, (account, { storage }) =>
      account
        .takeQuota({ companyId: company.id, quotaPercent: 1, bytes: 1 })
        .then(() => storage.sql.exec("UPDATE company SET usage_bytes = 4990000")),
    );
    await env.DB.prepare("UPDATE companies SET quota_percent = 1 WHERE id = ?")
      .bind(company.id)
      .run();
    const { slug } = await givenLink(company, { paymentMethods: ["CREDIT_CARD"] });
    for (let each = 0; each < 4; each++)
      await tryCard(slug, { ...DECLINED, expirationYear: 2030 + each });
    const token = await call("/api/v1/cards/tokens", {
      company,
      body: {
        number: "4242424242424242",
        holderName: "M",
        expirationMonth: 12,
        expirationYear: 2030,
        cvv: "123",
      },
    });
    expect(token.status).toBe(201);
  });
});

describe("the reservations of a limited link", () => {
  it("are not for one address: it gets five of a hundred, a neighbour in its IPv6 network none, others theirs", async () => {
    const company = await givenCompany();
    const { id, slug } = await givenLink(company, { maxPayments: 100 });
    const answers: Answer[] = [];
    for (let each = 0; each < 12; each++)
      answers.push(await actOnLink(slug, {}, fromAddress("2001:db8:1:2::1")));

    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 5 }, () => 303),
      ...Array.from({ length: 7 }, () => 429),
    ]);
    expect(answers.at(-1)!.text).toContain("Muitas vagas reservadas daqui");
    expect(await shown(company, id)).toMatchObject({ openCount: 5 });
    expect((await actOnLink(slug, {}, fromAddress("2001:db8:1:2::beef"))).status).toBe(429);
    const other = await actOnLink(slug, {}, fromAddress("2001:db8:1:3::1"));
    expect(other.status).toBe(303);
    const unlimited = await givenLink(company);
    const paying = await actOnLink(unlimited.slug, {}, fromAddress("2001:db8:1:2::1"));
    expect(paying.status, "a link without an end of its reservations").toBe(303);
    await pay(company, transactionOf(answers[0]!));
    expect((await actOnLink(slug, {}, fromAddress("2001:db8:1:2::1"))).status).toBe(303);
  });

  it("are given back after fifteen minutes, even if nobody asks the provider; money after it is LATE", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const { id, slug } = await givenLink(company, { maxPayments: 1 });
    const options = { deps: { platformClock: clock } };
    const first = transactionOf(await actOnLink(slug, {}, options));
    const { createdAt, pix } = await find(company, first);
    expect(Date.parse(pix.expirationDate) - Date.parse(createdAt)).toBe(15 * MINUTE);
    await later(company, clock, 15 * MINUTE);
    const page = await openLink(slug, options);
    expect(page.status).toBe(409);
    await later(company, clock, 2 * MINUTE);
    await inAccount(company.id, (account) => account.runNow());
    expect(await shown(company, id)).toMatchObject({ openCount: 0 });
    expect(await find(company, first)).toMatchObject({
      status: "CANCELLED",
      cancelReason: "EXPIRED",
    });
    const second = transactionOf(await actOnLink(slug, {}, options));
    expect((await pay(company, second)).status).toBe(200);

    await pay(company, first);

    const { items } = (await call("/api/v1/payments/unexpected", { company })).body;
    expect(items[0]).toMatchObject({ reason: "LATE", status: "kept", transactionId: first });
    expect(await shown(company, id)).toMatchObject({ paidCount: 1, openCount: 0 });
  });

  it("last as long as the page is open, fifteen minutes twice more, and not a moment longer", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const { slug } = await givenLink(company, { maxPayments: 1 });
    const options = { deps: { platformClock: clock } };
    const answer = await actOnLink(slug, {}, options);
    const [page, charge] = [pageOf(answer), transactionOf(answer)];
    const begun = clock.now();
    expect((await renew(page, options)).status).toBe(409);
    for (const renewal of [1, 2]) {
      await later(company, clock, 13 * MINUTE);
      // A reservation that was not renewed lapses now.
      await inAccount(company.id, (account) => account.runNow());
      expect((await renew(page, options)).status).toBe(204);
      // A second tab, or an answer that was lost, uses up nothing.
      expect((await renew(page, options)).status).toBe(409);
      const { pix } = await find(company, charge);
      expect(Date.parse(pix.expirationDate) - begun).toBe((1 + renewal) * 15 * MINUTE);
      await later(company, clock, 2 * MINUTE);
    }
    await later(company, clock, 13 * MINUTE);
    expect((await renew(page, options)).status).toBe(409);
    await later(company, clock, 4 * MINUTE);
    await inAccount(company.id, (account) => account.runNow());
    await waitUntilDrained(company);
    expect(await find(company, charge)).toMatchObject({ status: "CANCELLED" });
    expect((await renew(page, options)).status).toBe(409);
    expect((await openLink(slug, options)).status).toBe(200);
  });

  it("are over at their end, however late a request for more time arrives", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const { slug } = await givenLink(company, { maxPayments: 1 });
    const answer = await actOnLink(slug, {}, { deps: { platformClock: clock } });
    await later(company, clock, 15 * MINUTE - 1_000);
    const late = withAccounts(env, (label, run) => {
      if (label === "renewReservation") clock.advance(1_000);
      return run();
    });
    expect(
      (await renew(pageOf(answer), { deps: { platformClock: clock }, env: late })).status,
    ).toBe(409);
    const { pix, createdAt } = await find(company, transactionOf(answer));
    expect(Date.parse(pix.expirationDate) - Date.parse(createdAt)).toBe(15 * MINUTE);
  });

  it("last no longer by a new PIX each time in the same checkout", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const { slug } = await givenLink(company, {
      maxPayments: 1,
      paymentMethods: ["PIX", "BOLETO"],
    });
    const options = { deps: { platformClock: clock } };
    const form = formOf((await openLink(slug, options)).text);
    const statuses: number[] = [];
    for (let each = 0; each < 4; each++) {
      const key = `${each}`.repeat(22);
      statuses.push((await sendForm(slug, { ...form, key }, options)).status);
      await later(company, clock, 14 * MINUTE);
    }
    expect(statuses).toEqual([303, 303, 303, 409]);
  });

  it("are one for a payer who comes back: the same browser gets its own charge again", async () => {
    const company = await givenCompany();
    const { id, slug } = await givenLink(company, { maxPayments: 3 });
    const first = await actOnLink(slug);
    const cookie = first.headers.get("Set-Cookie")!;
    expect(cookie).toMatch(new RegExp(`Path=/l/${slug}; HttpOnly; Secure; SameSite=Lax`));
    const back = { headers: { Cookie: cookie.split(";")[0]! } };
    const fresh = formOf((await openLink(slug)).text);

    for (const again of [await openLink(slug, back), await sendForm(slug, fresh, back)]) {
      expect(again.status).toBe(303);
      expect(pageOf(again)).toBe(pageOf(first));
    }
    expect(await shown(company, id)).toMatchObject({ openCount: 1 });
    await pay(company, transactionOf(first));
    expect((await openLink(slug, back)).status).toBe(200);
    const other = await givenLink(company, { maxPayments: 3 });
    expect((await openLink(other.slug, back)).status).toBe(200);
  });
});

const cardLink = (company: TestCompany) => givenLink(company, { paymentMethods: ["CREDIT_CARD"] });

describe("stolen cards on a link's page", () => {
  it("are tried ten times, not a hundred: a new token, page and address for each try change nothing", async () => {
    const company = await givenCompany();
    const { slug } = await cardLink(company);
    const statuses: number[] = [];
    for (let each = 0; each < 14; each++)
      statuses.push((await tryCard(slug, DECLINED, fromAddress(addressOf(each)))).status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual([409, 409, 409, 409]);
    const other = { number: NUMBERS.approved };
    expect((await tryCard(slug, other, fromAddress(addressOf(0)))).status).toBe(303);
  });

  it("are tried ten times from one address, whatever the cards; a payer elsewhere pays", async () => {
    const company = await givenCompany();
    const { slug } = await cardLink(company);
    const statuses: number[] = [];
    for (let each = 0; each < 13; each++) {
      const card = { ...DECLINED, expirationYear: 2030 + each };
      statuses.push((await tryCard(slug, card, fromAddress("203.0.113.9"))).status);
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual([409, 409, 409]);
    const good = { number: NUMBERS.approved };
    expect((await tryCard(slug, good, fromAddress("203.0.113.9"))).status).toBe(409);
    expect((await tryCard(slug, good, fromAddress("203.0.113.10"))).status).toBe(303);
  });

  it("never close the merchant's API, however many are declined", async () => {
    const company = await givenCompany();
    const { slug } = await cardLink(company);
    let declined = 0;
    for (let each = 0; each < 110; each++) {
      const card = {
        ...DECLINED,
        expirationYear: 2030 + (each % 12),
        expirationMonth: 1 + (each % 11),
      };
      const { status } = await tryCard(slug, card, fromAddress(addressOf(each)));
      if (status === 422) declined += 1;
    }
    expect(declined).toBe(100);
    const good = { number: NUMBERS.approved };
    expect((await tryCard(slug, good, fromAddress(addressOf(300)))).status).toBe(409);
    expect((await createCard(company)).body.data.status).toBe("PAID");
    expect((await createCard(company, DECLINED)).body.data.status).toBe("REFUSED");
  });

  it("and the merchant's own declines close no link", async () => {
    const company = await givenCompany();
    const { slug } = await cardLink(company);
    for (let each = 0; each < 10; each++) await createCard(company, DECLINED);
    await expectProblem(await createCard(company, DECLINED), {
      status: 429,
      code: "CARD_ATTEMPTS_EXCEEDED",
      retryAfter: true,
    });
    expect((await tryCard(slug, DECLINED, fromAddress(addressOf(0)))).status).toBe(422);
  });
});
