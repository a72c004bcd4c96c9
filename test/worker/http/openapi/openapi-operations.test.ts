import { describe, expect, it } from "vitest";
import { openApi } from "../../../support/probes/http/documented.ts";

interface Documented {
  /** Statuses of success, all of them. */
  success: string[];
  /** Statuses of problems beyond those that every route has, all of them. */
  problems: string[];
  body?: "required" | "optional";
  key?: "required" | "optional";
}

const EVERYWHERE = ["401", "403", "406", "429", "500", "503"];
const BODY_PROBLEMS = ["400", "413", "415"];

const OPERATIONS: Record<string, Documented> = {
  "post /api/v1/transactions/{id}/refund": {
    success: ["200", "202"],
    problems: [...BODY_PROBLEMS, "404", "409", "422"],
    body: "optional",
    key: "required",
  },
  "post /api/v1/transactions/{id}/cancel": {
    success: ["200", "202"],
    problems: [...BODY_PROBLEMS, "404", "409", "422"],
    body: "optional",
    key: "optional",
  },
  "post /api/v1/sandbox/transactions/{id}/dispute": {
    success: ["200"],
    problems: [...BODY_PROBLEMS, "404", "409"],
    body: "optional",
  },
  "post /api/v1/sandbox/transactions/{id}/chargeback": {
    success: ["200"],
    problems: [...BODY_PROBLEMS, "404", "409"],
    body: "optional",
  },
  "post /api/v1/sandbox/transactions/{id}/chargeback/reverse": {
    success: ["200"],
    problems: [...BODY_PROBLEMS, "404", "409"],
    body: "optional",
  },
  "post /api/v1/sandbox/transactions/{id}/dispute/resolve": {
    success: ["200"],
    problems: [...BODY_PROBLEMS, "404", "409"],
    body: "required",
  },
  "post /api/v1/webhooks/secret/rotate": {
    success: ["201"],
    problems: [...BODY_PROBLEMS, "409"],
    body: "optional",
  },
  "post /api/v1/webhooks/verify": {
    success: ["200"],
    problems: BODY_PROBLEMS,
    body: "required",
  },
  "get /api/v1/sandbox/settings": { success: ["200"], problems: ["400"] },
  "put /api/v1/sandbox/settings": {
    success: ["200"],
    problems: BODY_PROBLEMS,
    body: "required",
  },
  "get /api/Balance/forecast/{companyId}": { success: ["200"], problems: ["400", "404"] },
  "get /api/Balance/statement/{companyId}": { success: ["200"], problems: ["400", "404"] },
  "get /api/v1/operator/companies": { success: ["200"], problems: ["400"] },
  "get /api/v1/operator/companies/{companyId}/terms": {
    success: ["200"],
    problems: ["400", "404"],
  },
  "put /api/v1/operator/companies/{companyId}/terms": {
    success: ["200", "202"],
    problems: [...BODY_PROBLEMS, "404", "409"],
    body: "required",
  },
  "get /api/v1/operator/companies/{companyId}/suspense": {
    success: ["200"],
    problems: ["400", "404"],
  },
  "post /api/v1/operator/companies/{companyId}/suspense/{paymentId}/return": {
    success: ["202"],
    problems: [...BODY_PROBLEMS, "404", "409", "422"],
    body: "required",
  },
  "post /api/v1/operator/companies/{companyId}/reconcile": {
    success: ["200"],
    problems: [...BODY_PROBLEMS, "404"],
    body: "optional",
  },
  "post /api/v1/operator/companies/{companyId}/restore": {
    success: ["200"],
    problems: [...BODY_PROBLEMS, "404", "409"],
    body: "optional",
  },
  "post /api/v1/operator/companies/{companyId}/restore/object": {
    success: ["202"],
    problems: [...BODY_PROBLEMS, "404", "409"],
    body: "required",
  },
};

describe.each(Object.entries(OPERATIONS))("%s", (name, expected) => {
  const read = async () => {
    const [method = "", path = ""] = name.split(" ");
    return (await openApi()).paths[path]?.[method];
  };

  it("documents exactly its statuses", async () => {
    const { responses } = await read();
    expect(Object.keys(responses).toSorted()).toEqual(
      [...new Set([...expected.success, ...expected.problems, ...EVERYWHERE])].toSorted(),
    );
  });

  it("documents its body, its idempotency key and each path parameter", async () => {
    const { requestBody, parameters = [], summary } = await read();
    expect(summary).toMatch(/\S/);
    expect(requestBody?.required).toBe(
      expected.body === undefined ? undefined : expected.body === "required",
    );
    const key = parameters.find((parameter: any) => parameter.name === "Idempotency-Key");
    expect(key?.required).toBe(
      expected.key === undefined ? undefined : expected.key === "required",
    );
    const required = parameters.filter(
      (parameter: any) => parameter.in === "path" && parameter.required === true,
    );
    expect(new Set(required.map((parameter: any) => `{${parameter.name}}`))).toEqual(
      new Set(name.match(/\{\w+\}/g)),
    );
  });
});
