import { expect, it } from "vitest";
import { csvLine } from "../../../src/lib/csv.ts";

it.each([
  [["a", 1, -2, true, null], "a,1,-2,true,"],
  [['a,"b"', "c\r\nd"], '"a,""b""","c\r\nd"'],
  [["=1+1", "+55", "-1", "@x", "\tx"], "'=1+1,'+55,'-1,'@x,'\tx"],
  [["a=1", ""], "a=1,"],
])("%j is %j", (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`);
});
