import { expect, it } from "vitest";
import { firstQueue, simulate } from "../../../bench/lib/queueing.ts";

const one = { name: "server", instances: 1, servers: 1 };

it.each([0.3, 0.7])("the mean wait at one server with a load of %f is that of M/D/1", (load) => {
  const options = { perSecond: load * 1_000, seconds: 300, seed: 1 };
  const reports = simulate([one], [{ station: "server", ms: 1 }], options);
  const expected = load / (2 * (1 - load));
  expect(reports.map((report) => report.load)).toEqual([expect.closeTo(load, 1)]);
  expect(reports.map((report) => report.meanWaitMs / expected)).toEqual([expect.closeTo(1, 1)]);
});

it("names the station whose queue builds up first, also where another is visited more often", () => {
  const stations = [
    { name: "wide", instances: 10, servers: 1 },
    { name: "narrow", instances: 1, servers: 2 },
  ];
  const visits = [
    { station: "wide", ms: 5 },
    { station: "narrow", ms: 3 },
    { station: "wide", ms: 5 },
  ];
  const reports = simulate(stations, visits, { perSecond: 800, seconds: 10, seed: 2 });
  expect(firstQueue(reports)).toMatchObject({ name: "narrow", instances: 1 });
  expect(firstQueue(reports)!.load).toBeCloseTo(1.2, 1);
});

const run = (seed: number) =>
  simulate([one], [{ station: "server", ms: 1 }], { perSecond: 500, seconds: 5, seed });

it("repeats its figures with the same seed", () => {
  expect(run(3)).toEqual(run(3));
  expect(run(3)).not.toEqual(run(4));
});

it("refuses a visit to a station that is not there", () => {
  expect(() =>
    simulate([one], [{ station: "other", ms: 1 }], { perSecond: 1, seconds: 10, seed: 5 }),
  ).toThrow("no station is called other");
});
