import { PASSWORD_COST } from "../../src/pages/console/people/passwords.ts";

// One password takes a tenth of a second of the real cost, which test/unit/pages/console/passwords.test.ts holds.
PASSWORD_COST.N = 2;
PASSWORD_COST.r = 1;
