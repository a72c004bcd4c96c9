import type { Mutant } from "../mutant.ts";

const TESTS = ["test/worker/webhooks/delivery/endpoints.test.ts"];
const GROUP = "src/webhooks/delivery/delivery-group-repository.ts";
const REPOSITORY = "src/api/webhooks/endpoints/repository.ts";
const API_TESTS = ["test/worker/api/webhooks/endpoints/endpoints.test.ts"];

/** Webhook endpoints: what each takes, its own secret, and nothing to one that was deleted. */
export const webhookEndpointMutants: Mutant[] = [
  {
    name: "endpoint-gets-every-type",
    file: "src/db/projection/write-context.ts",
    text: "takesEvent(events, type) && !(",
    replacement: "(takesEvent(events, type) || true) && !(",
    tests: TESTS,
  },
  {
    name: "endpoint-left-out-at-a-postback-with-another-secret",
    file: "src/db/projection/write-context.ts",
    text: "!(id === FIRST_ENDPOINT && url === postbackUrl)",
    replacement: "url !== postbackUrl",
    tests: TESTS,
  },
  {
    name: "endpoint-added-later-gets-a-repeated-event",
    file: "src/db/projection/event-writes.ts",
    text: "FROM json_each(${JSON.stringify(further)}) WHERE ${isNew}`),",
    replacement: "FROM json_each(${JSON.stringify(further)}) WHERE true ON CONFLICT DO NOTHING`),",
    tests: TESTS,
  },
  {
    name: "endpoint-signed-with-the-company-secret",
    file: GROUP,
    text: "secrets: { ...secrets, ...own },",
    replacement: "secrets,",
    tests: TESTS,
  },
  {
    name: "deleted-endpoint-gets-a-retry",
    file: "src/webhooks/delivery/attempt.ts",
    text: "if (open.isEndpointDeleted) return",
    replacement: "if (false as boolean) return",
    tests: TESTS,
  },
  {
    name: "deleted-endpoint-gets-what-waits",
    file: "src/webhooks/delivery/repository.ts",
    text: ", hasTarget(delivery)));",
    replacement: "));",
    tests: TESTS,
  },
  {
    name: "endpoint-number-given-twice",
    file: REPOSITORY,
    text: "(SELECT coalesce(max(number), 1) FROM ${webhookEndpoints} WHERE ${isOwn})",
    replacement:
      "(SELECT coalesce(max(number), 1) FROM ${webhookEndpoints} WHERE ${isOwn} AND deleted_at IS NULL)",
    tests: API_TESTS,
  },
  {
    name: "endpoint-made-twice",
    file: REPOSITORY,
    text: "WHERE NOT EXISTS (SELECT 1 FROM ${webhookEndpoints} WHERE ${isMade})",
    replacement: "WHERE true",
    tests: API_TESTS,
  },
];
