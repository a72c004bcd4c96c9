import type { CallEnvelope } from "../../../src/company/object.ts";
import type { Env } from "../../../src/config.ts";
import { env } from "../builders/companies/env.ts";

type CallAnswer = Awaited<ReturnType<ReturnType<typeof env.COMPANY_ACCOUNT.getByName>["call"]>>;

/** An environment whose objects are of a release that has not the call. */
export function withoutCall(name: string): Env {
  return withObjects(async (envelope, call) => {
    if (envelope.name === name) throw new Error(`CALL_UNKNOWN: the object has no call ${name}`);
    return call(envelope);
  });
}

/** An environment whose objects answer a call as those of another release do. */
export function answering<Answer>(name: string, change: (answer: Answer) => unknown): Env {
  return withObjects(async (envelope, call) => {
    const said = await call(envelope);
    if (envelope.name !== name || !("answer" in said)) return said;
    return { ...said, answer: change(said.answer as Answer) };
  });
}

function withObjects(
  answer: (
    envelope: CallEnvelope,
    call: (envelope: CallEnvelope) => Promise<CallAnswer>,
  ) => Promise<CallAnswer>,
): Env {
  const getByName = (company: string) => {
    const object = env.COMPANY_ACCOUNT.getByName(company);
    return {
      call: (envelope: CallEnvelope) => answer(envelope, async (asked) => object.call(asked)),
    };
  };
  return { ...env, COMPANY_ACCOUNT: { getByName } as unknown as Env["COMPANY_ACCOUNT"] };
}
