import { describe, expect, test } from "vitest";
import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newTraceId, traceIdOf } from "../../../src/http/tracing.ts";
import vectors from "../../vectors/http_headers.json";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const ZEROS = "0".repeat(32);

describe("the trace id of a traceparent equals the one that OpenTelemetry reads", () => {
  test.each(vectors.traceparent)("$traceparent", ({ traceparent, otel }) => {
    expect(traceIdOf(traceparent)).toBe(otel?.traceId ?? null);
  });
});

describe("a later version may have additional fields", () => {
  test.each([
    `01-${TRACE}-${PARENT}-01-more`,
    `cc-${TRACE}-${PARENT}-01-`,
    `fe-${TRACE}-${PARENT}-ff-a-b`,
  ])("%s", (traceparent) => {
    expect(traceIdOf(traceparent)).toBe(TRACE);
  });
});

describe("an invalid traceparent starts a new trace", () => {
  test.each([
    ["no header", undefined],
    ["an empty one", ""],
    ["version ff", `ff-${TRACE}-${PARENT}-01`],
    ["an all-zero trace id", `00-${ZEROS}-${PARENT}-01`],
    ["an all-zero parent id", `00-${TRACE}-${ZEROS.slice(16)}-01`],
    ["capitals", `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ["version 00 with a further field", `00-${TRACE}-${PARENT}-01-more`],
    ["version 00 with a trailing hyphen", `00-${TRACE}-${PARENT}-01-`],
    ["a later version with an invalid field", `01-${TRACE}-${PARENT}-01.more`],
    ["no flags", `00-${TRACE}-${PARENT}`],
    ["flags of one digit", `00-${TRACE}-${PARENT}-1`],
    ["a version of one digit", `0-${TRACE}-${PARENT}-01`],
    ["letters beyond hex digits", `00-${TRACE.replace("0", "g")}-${PARENT}-01`],
    ["underscores", `00_${TRACE}_${PARENT}_01`],
    ["two headers joined", `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ["a line end", `00-${TRACE}-${PARENT}-01\n`],
  ])("%s", (_fault, traceparent) => {
    expect(traceIdOf(traceparent)).toBeNull();
  });
});

describe("a new trace id", () => {
  test("is valid in a traceparent", () => {
    const traceId = newTraceId(systemRandom);
    expect(traceIdOf(`00-${traceId}-${PARENT}-01`)).toBe(traceId);
  });

  test("differs from the previous one", () => {
    expect(newTraceId(systemRandom)).not.toBe(newTraceId(systemRandom));
  });
});
