import { describe, expect, it } from "vitest";
import {
  changesOf,
  dueNotice,
  nextAlarm,
} from "../../../../../src/api/operator/alarms/evaluate.ts";
import type { AlarmRow, NoticeRow } from "../../../../../src/db/watch/alarms.ts";

const MINUTE = 60_000;
const ALARM = { id: "outbox_late", severity: "critical" } as const;

/** The alarm after evaluations a minute apart, each with these findings. */
function after(...found: string[][]): AlarmRow | null {
  return found.reduce<AlarmRow | null>(
    (row, texts, minute) => nextAlarm(row, ALARM, findingsOf(texts), minute * MINUTE) ?? row,
    null,
  );
}

/** What a finding is about is the first word of its text. */
const findingsOf = (texts: string[]) =>
  texts.map((text) => ({ about: text.split(" ")[0] ?? "", text }));

describe("an alarm", () => {
  it("begins with the first finding, and keeps its beginning while it lasts", () => {
    expect(after([])).toBeNull();
    expect(after([], ["late"], ["later"])).toMatchObject({
      since: MINUTE,
      detail: "later",
      resolvedAt: null,
    });
  });

  it("that comes and goes within two minutes is one alarm", () => {
    const row = after(["late"], [], ["late"], [], [], ["late"]);
    expect(row).toMatchObject({ since: 0, clearSince: null, resolvedAt: null });
  });

  it("is over after two minutes without a finding, and a later one is a new alarm", () => {
    expect(after(["late"], [], [])).toMatchObject({ resolvedAt: null });
    expect(after(["late"], [], [], [])).toMatchObject({ since: 0, resolvedAt: 3 * MINUTE });
    expect(after(["late"], [], [], [], ["late"])).toMatchObject({
      since: 4 * MINUTE,
      resolvedAt: null,
    });
  });

  it("shows ten findings and counts the others", () => {
    const findings = Array.from({ length: 12 }, (_, index) => `finding${index} late`);
    expect(after(findings)?.detail).toMatch(/finding9 late\nand 2 more$/);
  });
});

describe("a target", () => {
  const firing = after(["late"])!;
  const resolved = after(["late"], [], [], [])!;
  const told = (kind: NoticeRow["kind"], fields: Partial<NoticeRow> = {}): NoticeRow => ({
    alarm: ALARM.id,
    target: "slack",
    kind,
    since: firing.since,
    severity: ALARM.severity,
    sentAt: 0,
    told: findingsOf(["late"]),
    ...fields,
  });

  it.each<[string, AlarmRow, NoticeRow | null, number, NoticeRow["kind"] | null]>([
    ["that knows nothing hears that it fires", firing, null, 0, "firing"],
    ["that knows hears nothing", firing, told("firing"), MINUTE, null],
    ["hears again after four hours", firing, told("firing"), 240 * MINUTE, "firing"],
    ["hears of another severity", firing, told("firing", { severity: "warning" }), 1, "firing"],
    ["hears of a new firing", firing, told("firing", { since: -1 }), 1, "firing"],
    ["that knows hears that it is over", resolved, told("firing"), 4 * MINUTE, "resolved"],
    ["hears once that it is over", resolved, told("resolved"), 4 * MINUTE, null],
    ["that never heard of it does not hear that it is over", resolved, null, 4 * MINUTE, null],
  ])("%s", (_, alarm, last, now, kind) => {
    expect(dueNotice(alarm, last, now)).toBe(kind);
  });

  it("hears at once of a finding that it does not know, and which are new, stay and are over", () => {
    const row = after(["company2 late"], ["company2 late", "company3 late"])!;
    const last = told("firing", { told: findingsOf(["company1 late", "company2 late"]) });
    expect(dueNotice(row, last, MINUTE)).toBe("firing");
    const { gained, still, over } = changesOf(row, last);
    const texts = [gained, still, over].map((each) => each.map(({ text }) => text));
    expect(texts).toEqual([["company3 late"], ["company2 late"], ["company1 late"]]);
  });

  it("hears nothing of a finding that comes and goes within two minutes", () => {
    const row = after(["company1 late", "company2 late"], ["company1 late"], ["company1 late"])!;
    const last = told("firing", { told: findingsOf(["company1 late", "company2 late"]) });
    expect(changesOf(row, last).over).toEqual([]);
    const back = nextAlarm(row, ALARM, findingsOf(["company1 late", "company2 late"]), 3 * MINUTE)!;
    expect(dueNotice(back, last, 3 * MINUTE)).toBeNull();
  });

  it("hears of merchants' own faults once a day, and not of their end", () => {
    const day = 24 * 60 * MINUTE;
    expect(dueNotice(firing, null, 0, true)).toBe("firing");
    const row = after(["late"], ["late", "later"])!;
    expect(dueNotice(row, told("firing"), day - 1, true)).toBeNull();
    expect(dueNotice(row, told("firing"), day, true)).toBe("firing");
    expect(dueNotice(resolved, told("firing"), day, true)).toBeNull();
  });

  it("that keeps nothing of a hundred more findings is not told each minute", () => {
    const many = Array.from({ length: 150 }, (_, index) => `company${index} late`);
    const row = after(many, many)!;
    const last = told("firing", { told: row.findings });
    expect(dueNotice(row, last, MINUTE)).toBeNull();
  });
});
