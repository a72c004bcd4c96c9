import { describe, expect, it } from "vitest";
import { dueNotice, nextAlarm } from "../../../../../src/api/operator/alarms/evaluate.ts";
import type { AlarmRow, NoticeRow } from "../../../../../src/db/watch/alarms.ts";

const MINUTE = 60_000;
const ALARM = { id: "outbox_late", severity: "critical" } as const;

/** The alarm after evaluations a minute apart, each with these findings. */
function after(...found: string[][]): AlarmRow | null {
  return found.reduce<AlarmRow | null>(
    (row, findings, minute) => nextAlarm(row, ALARM, findings, minute * MINUTE) ?? row,
    null,
  );
}

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
    const findings = Array.from({ length: 12 }, (_, index) => `finding ${index}`);
    expect(after(findings)?.detail).toMatch(/finding 9\nand 2 more$/);
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
});
