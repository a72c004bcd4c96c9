import { expect, it } from "vitest";
import { noteLostRefs, providerRefsOf, restoredAt } from "../../../src/db/provider-refs.ts";
import { systemClock } from "../../../src/domain/shared/clock.ts";
import { env, givenCompany } from "../../support/builders/companies/company.ts";

it("a ref is put in another's place once, of calls that have read the same", async () => {
  const { id: companyId } = await givenCompany();
  const refs = providerRefsOf(env, systemClock, { companyId, account: "efi" });
  const [one, other] = [{ efiId: 1 }, { efiId: 2, told: { value: 3, at: 4 } }];

  const first = await Promise.all([refs.swap("a", null, one), refs.swap("a", null, other)]);
  expect(first.filter(Boolean)).toHaveLength(1);
  const stored = (await refs.read("a")) as object;
  expect(stored).toEqual(first[0] ? one : other);

  const next = await Promise.all([
    refs.swap("a", stored, { efiId: 5 }),
    refs.swap("a", stored, { efiId: 6 }),
  ]);
  expect(next.filter(Boolean)).toHaveLength(1);
  expect(await refs.read("a")).toEqual({ efiId: next[0] ? 5 : 6 });
  expect(await refs.swap("b", one, other)).toBe(false);
  expect(await refs.read("b")).toBeNull();
});

it("refs of any account may be lost once the database was taken back", async () => {
  const [restored, other] = [await givenCompany(), await givenCompany()];
  const refsOf = ({ id: companyId }: typeof restored) =>
    providerRefsOf(env, systemClock, { companyId, account: "pagarme" });
  expect(await refsOf(restored).mayBeLost()).toBe(false);

  await noteLostRefs(env, restored.id, 1);
  await noteLostRefs(env, restored.id, 2);

  expect(await refsOf(restored).mayBeLost()).toBe(true);
  expect(await restoredAt(env, restored.id)).toBe(2);
  expect(await restoredAt(env, other.id)).toBeNull();
  expect(await refsOf(other).mayBeLost()).toBe(false);
});
