import { expect, it } from "vitest";
import type { ScenarioService } from "../../../../src/domain/scenarios/service.ts";
import { withTerms } from "../../../../src/domain/scenarios/terms.ts";

const FREE = { basisPoints: 0, fixed: 0 };
const BEFORE = {
  fees: { PIX: { basisPoints: 99, fixed: 0 }, WITHDRAW: { basisPoints: 0, fixed: 150 } },
  releaseDays: { CREDIT_CARD: 17 },
};
const SCENARIO = { fees: { PIX: FREE }, releaseDays: { CREDIT_CARD: 2 } };

/** A company with these terms, as a scenario sees it. */
function givenTerms() {
  let terms = BEFORE;
  const service: ScenarioService = {
    send: async ({ method, body = {} }) => {
      const { fees, releaseDays }: Partial<typeof BEFORE> = method === "PUT" ? body : {};
      terms = {
        fees: { ...terms.fees, ...fees },
        releaseDays: { ...terms.releaseDays, ...releaseDays },
      };
      return { status: 200, body: terms };
    },
    pause: async () => undefined,
  };
  return { service, terms: () => terms };
}

it("the terms of before come back, also after a play that fails", async () => {
  const { service, terms } = givenTerms();
  const played = withTerms(service, SCENARIO, async () => {
    expect(terms()).toEqual({
      fees: { ...BEFORE.fees, PIX: FREE },
      releaseDays: { CREDIT_CARD: 2 },
    });
    throw new Error("a step fails");
  });
  await expect(played).rejects.toThrow("a step fails");
  expect(terms()).toEqual(BEFORE);
});

it.each(["the first", "the second"])(
  "two plays at once leave the terms of before, where %s ends first",
  async (first) => {
    const { service, terms } = givenTerms();
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const play = (index: number) =>
      withTerms(service, SCENARIO, async () => {
        begun[index]?.resolve();
        await ends[index]?.promise;
      });
    const plays = [play(0)];
    await begun[0]?.promise;
    plays.push(play(1));
    await begun[1]?.promise;
    const order = first === "the first" ? [0, 1] : [1, 0];
    for (const index of order) {
      ends[index]?.resolve();
      await plays[index];
    }
    expect(terms()).toEqual(BEFORE);
  },
);

it("what somebody sets meanwhile stays", async () => {
  const { service, terms } = givenTerms();
  const fees = { PIX: { basisPoints: 120, fixed: 5 } };
  await withTerms(service, SCENARIO, async () => {
    await service.send({ method: "PUT", path: "", body: { fees } });
  });
  expect(terms()).toEqual({ ...BEFORE, fees: { ...BEFORE.fees, ...fees } });
});
