export { centsOf, date, dateTime, money } from "../shared/format.ts";
