import type { CompanyAccount } from "../../../../src/company/account.ts";
import type { CompanyRpc } from "../../../../src/company/calls.ts";
import { callsOf, companyStub } from "../../../../src/company-client/stub.ts";
import { env } from "./env.ts";

/** The calls of a company's object, without deadline or retry. */
export function callsTo(companyId: number): CompanyRpc {
  return callsOf(companyStub(env, companyId), { isShed: false });
}

/** An object from inside, with its calls beside its own members. */
export type CalledAccount = CompanyAccount & CompanyRpc;

/** `account` with its calls. */
export function withCalls(account: CompanyAccount): CalledAccount {
  const calls = callsOf(account, { isShed: false });
  return new Proxy(account as CalledAccount, {
    get: (target, name) => {
      if (!(name in target)) return Reflect.get(calls, name);
      const member: unknown = Reflect.get(target, name, target);
      // An object's private members are its own, not the proxy's.
      return typeof member === "function" ? member.bind(target) : member;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}
