import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { setSandboxFaults } from "../../db/companies/companies.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { LAST_TIME, timeAfter } from "../../domain/time/duration.ts";
import {
  FAULT_KINDS,
  USUAL_DELAYS,
  type FaultKind,
  type SandboxFault,
} from "../../domain/time/sandbox-fault.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import { companyDeps } from "../../http/context.ts";
import { isoTimeText } from "../../http/fields/fields.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { breaks } from "../../lib/fields/rules.ts";
import { takeQuota } from "../settings/take-quota.ts";
import { updateCredentials } from "../settings/update-credentials.ts";

const route = routesOf("Sandbox");
const PATH = "/api/v1/sandbox/faults";
const FAULTS_MAX = 20;
const SLOW_OR_LATE = Object.keys(USUAL_DELAYS).join(" or ");
const Instant = z.iso.datetime({ offset: true });

const kind = z
  .enum(FAULT_KINDS, { error: breaks("oneOf", { values: FAULT_KINDS.join(", ") }) })
  .openapi({
    description:
      "bank_silent: nothing is answered nor reported, though all that is ordered is done. bank_slow: charges, withdraws and refunds that are ordered meanwhile are answered `by` later. bank_doubled: each payment and dispute is reported twice. bank_late: what payers and their banks do is reported `by` later. receiver_down: webhooks are not sent, and each attempt fails.",
  });

const time = (description: string) =>
  z.string().openapi({
    description: `${description}: an ISO 8601 time with its offset, or a duration from now`,
    example: "P3D",
  });

const SetFaults = z
  .object({
    items: z
      .array(
        z.object({
          kind,
          from: time("When it begins; now where left out").optional(),
          until: time("When it ends"),
          by: z.string().optional().openapi({
            description:
              "For how long a slow bank (by default an hour) or a late one (two days) holds something back. An ISO 8601 duration.",
          }),
        }),
        { error: breaks("list") },
      )
      .max(FAULTS_MAX, breaks("holdAtMost", { max: FAULTS_MAX, things: "faults" })),
  })
  .openapi("SandboxFaultsInput", {
    example: { items: [{ kind: "bank_silent", from: "P3D", until: "P5D" }] },
  });

const Faults = z
  .object({
    data: z.object({
      items: z.array(
        z
          .object({
            kind,
            from: isoTimeText,
            until: isoTimeText,
            by: z.string().nullable().openapi({
              description: "Of a slow or a late bank, an ISO 8601 duration; else null.",
            }),
          })
          .openapi("SandboxFault"),
      ),
    }),
  })
  .openapi("SandboxFaults", {
    example: {
      data: {
        items: [
          {
            kind: "bank_silent",
            from: "2026-11-24T12:00:00.000Z",
            until: "2026-11-26T12:00:00.000Z",
            by: null,
          },
        ],
      },
    },
  });

type AskedFault = z.output<typeof SetFaults>["items"][number];

const show = route.get(PATH, {
  operationId: "getSandboxFaults",
  summary: "Show what goes wrong at the company's bank and receiver",
  guard: [requireScope("transactions:read"), sandboxOnly],
  answers: { 200: jsonResponse("The faults", Faults) },
});

const put = route.put(PATH, {
  operationId: "setSandboxFaults",
  summary: "Have the company's bank or receiver fail, by its clock",
  description:
    "These faults, and no others, from the next call on; an empty list ends all. Money and events are not lost: what was held back comes when a fault is over, as time passes or is moved (`/sandbox/clock`).",
  guard: [requireScope("transactions:write", { orScope: "webhooks:write" }), sandboxOnly],
  body: jsonBody(SetFaults),
  answers: { 200: jsonResponse("The faults", Faults) },
  problems: ["QUOTA_EXCEEDED"],
});

/** `/api/v1/sandbox/faults`: what goes wrong for a sandbox company. */
export function faultRoutes(app: Api): void {
  app.openapi(show, (c) => c.json(faultsView(c.get("caller").company.sandboxFaults), 200));

  app.openapi(put, async (c) => {
    const { id } = c.get("caller").company;
    const now = companyDeps(c).clock.now();
    const { items } = c.req.valid("json");
    const faults = items.map((item, index) => faultOf(item, index, now));
    await takeQuota(c, SMALL_WRITE_BYTES);
    await updateCredentials(c.env, id, () => setSandboxFaults(c.env, id, faults));
    return c.json(faultsView(faults), 200);
  });
}

/** A fault as it is stored. Throws 400 for times that are none, or out of order. */
function faultOf({ kind: asked, by, ...item }: AskedFault, index: number, now: number) {
  const timeIn = (field: "from" | "until", text: string): number => {
    const found = Instant.safeParse(text).success ? Date.parse(text) : timeAfter(now, text);
    if (found === null || found > LAST_TIME) return refuse(index, field, breaks("timeOrDuration"));
    return found;
  };
  const from = item.from === undefined ? now : timeIn("from", item.from);
  const until = timeIn("until", item.until);
  if (until <= from) refuse(index, "until", breaks("after", { field: "from" }));
  return { kind: asked, from, until, delayMs: delayOf(asked, by, index) };
}

function delayOf(asked: FaultKind, by: string | undefined, index: number): number {
  const usual = USUAL_DELAYS[asked];
  if (usual === undefined) {
    if (by === undefined) return 0;
    return refuse(index, "by", breaks("onlyAllowedWith", { action: SLOW_OR_LATE }));
  }
  const delayMs = timeAfter(0, by ?? usual);
  // None at all would be shown, and sent again, as the usual one.
  if (delayMs === null || delayMs === 0) return refuse(index, "by", breaks("duration"));
  return delayMs;
}

function refuse(index: number, field: "from" | "until" | "by", message: string): never {
  const name = `items.${index}.${field}`;
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: `Invalid fields: ${name}.`,
    errors: { [name]: [message] },
  });
}

function faultsView(faults: readonly SandboxFault[]) {
  const items = faults.map(({ kind: shown, from, until, delayMs }) => ({
    kind: shown,
    from: isoTime(from),
    until: isoTime(until),
    by: delayMs === 0 ? null : `PT${delayMs / 1_000}S`,
  }));
  return { data: { items } };
}
