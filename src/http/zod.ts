import type * as zod from "zod";
import {
  array,
  boolean,
  coerce,
  custom,
  discriminatedUnion,
  enum as enumeration,
  int,
  ipv4,
  ipv6,
  iso,
  literal,
  null as nothing,
  number,
  object,
  record,
  string,
  union,
  unknown,
  ZodType,
} from "zod";
import { rememberDescriptions } from "./descriptions.ts";

rememberDescriptions(ZodType);

/** What the service uses of zod, with `.openapi()`; the rest, locales above all, stays out of the bundle. */
export const z = {
  array,
  boolean,
  coerce: { number: coerce.number },
  custom,
  discriminatedUnion,
  enum: enumeration,
  int,
  ipv4,
  ipv6,
  iso: { date: iso.date, datetime: iso.datetime },
  literal,
  null: nothing,
  number,
  object,
  record,
  string,
  union,
  unknown,
};

// oxlint-disable-next-line typescript/no-namespace -- types beside the values, as zod names them
export declare namespace z {
  export type infer<Schema> = zod.infer<Schema>;
  export type output<Schema> = zod.output<Schema>;
  export type ZodType = zod.ZodType;
  export namespace core {
    export type $ZodIssue = zod.core.$ZodIssue;
    export type $RefinementCtx = zod.core.$RefinementCtx;
  }
}
