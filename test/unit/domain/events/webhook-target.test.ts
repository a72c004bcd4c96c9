import { describe, expect, test } from "vitest";
import {
  MAX_URL_LENGTH,
  webhookTargetError,
} from "../../../../src/domain/events/webhook-target.ts";
import {
  LONGEST_URL,
  NAMES_OF_PRIVATE_HOSTS,
  PUBLIC_TARGETS,
  REFUSED_TARGETS,
  URL_MAX,
} from "../../../support/builders/webhooks/webhook-targets.ts";

describe("a public https address is allowed", () => {
  test.each(PUBLIC_TARGETS)("%s", (url) => {
    expect(webhookTargetError(url, false)).toBeNull();
  });

  test.each(NAMES_OF_PRIVATE_HOSTS)("%s, whose host name contains no address", (url) => {
    expect(webhookTargetError(url, false)).toBeNull();
  });
});

describe.each(REFUSED_TARGETS)("rejects $family", ({ error, targets }) => {
  test.each(targets)("%s: %j", (_name, url) => {
    expect(webhookTargetError(url, false)).toBe(error);
  });
});

test("rejects an empty URL", () => {
  expect(webhookTargetError("", false)).toBe("must be an absolute URL");
});

test("accepts at most 2,048 characters", () => {
  expect(MAX_URL_LENGTH).toBe(URL_MAX);
  expect(LONGEST_URL).toHaveLength(URL_MAX);
});
