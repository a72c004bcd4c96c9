import type { Mutant } from "../mutant.ts";

const ROUTES = "src/pages/console/screens/sign-in/routes.tsx";
const POSTS = "src/pages/console/posts.ts";
const SIGN_IN_TESTS = ["test/security/sign-in.test.ts"];
const KEPT_FORM = "src/pages/console/kept-form.ts";
const KEPT_FORM_TESTS = ["test/worker/pages/console/kept-form.test.ts"];
const SIGN_IN_TRAIL_TESTS = ["test/security/sign-in-trail.test.ts"];

/** Limits and forms before a session. */
export const signInMutants: Mutant[] = [
  {
    name: "sign-in-after-its-hash",
    file: ROUTES,
    text: "  await countPassword(c, email);\n",
    replacement: "",
    tests: SIGN_IN_TESTS,
  },
  {
    name: "sign-in-from-an-address-unlimited",
    file: ROUTES,
    text: 'if (device === null) await enforceRateLimit(outer, "signInAddress", senderOf(outer));',
    replacement: "",
    tests: SIGN_IN_TESTS,
  },
  {
    name: "sign-in-of-an-e-mail-unlimited",
    file: ROUTES,
    text: 'if (device === null) await enforceRateLimit(outer, "signIns", emailHash);',
    replacement: "if (device === null) void emailHash;",
    tests: SIGN_IN_TESTS,
  },
  {
    name: "sign-in-in-a-known-browser-unlimited",
    file: ROUTES,
    text: 'else await enforceRateLimit(outer, "knownDevice", device);',
    replacement: "",
    tests: SIGN_IN_TESTS,
  },
  {
    name: "sign-in-in-a-known-browser-locked",
    file: ROUTES,
    text: "const device = await knownDevice(c, email);",
    replacement: 'const device = (await knownDevice(c, email)) === "" ? "" : null;',
    tests: SIGN_IN_TESTS,
  },
  {
    name: "sign-in-lock-without-trail",
    file: ROUTES,
    text: 'noteRefusedSignIn(c, { email }, "TOO_MANY_PASSWORDS");',
    replacement: "",
    tests: SIGN_IN_TRAIL_TESTS,
  },
  {
    name: "sign-in-each-lock-in-the-trail",
    file: ROUTES,
    text: 'if (await isWithinRateLimit(outer, "signIns", `locked:${emailHash}`)) {',
    replacement: 'if (emailHash !== "") {',
    tests: SIGN_IN_TRAIL_TESTS,
  },
  {
    name: "sign-in-refusal-without-trail",
    file: ROUTES,
    text: '    noteRefusedSignIn(c, { email }, "PASSWORD_REFUSED");\n',
    replacement: "",
    tests: SIGN_IN_TRAIL_TESTS,
  },
  {
    name: "sign-in-large-form-of-anybody",
    file: POSTS,
    text: "largest > BODY_MAX && (await findProvedSession(c)) !== null",
    replacement: "largest > BODY_MAX",
    tests: SIGN_IN_TESTS,
  },
  {
    name: "sign-in-one-field-too-many",
    file: POSTS,
    text: "return pairs > FIELDS_MAX;",
    replacement: "return pairs > FIELDS_MAX + 1;",
    tests: SIGN_IN_TESTS,
  },
  {
    name: "sign-in-two-hundred-fields-refused",
    file: POSTS,
    text: "return pairs > FIELDS_MAX;",
    replacement: "return pairs >= FIELDS_MAX;",
    tests: SIGN_IN_TESTS,
  },
  {
    name: "sign-in-one-part-too-many",
    file: POSTS,
    text: "if (parts > FIELDS_MAX) return true;",
    replacement: "if (parts > FIELDS_MAX + 1) return true;",
    tests: SIGN_IN_TESTS,
  },
  {
    name: "sign-in-parts-in-capitals-unseen",
    file: POSTS,
    text: "const PART = /content-disposition/gi;",
    replacement: "const PART = /content-disposition/g;",
    tests: SIGN_IN_TESTS,
  },
  {
    name: "kept-form-of-another-path",
    file: KEPT_FORM,
    text: "kept.path !== pathOf(c) || ",
    replacement: "",
    tests: KEPT_FORM_TESTS,
  },
  {
    name: "kept-form-of-another-company",
    file: KEPT_FORM,
    text: " || kept.companyId !== companyOf(c)",
    replacement: "",
    tests: KEPT_FORM_TESTS,
  },
  {
    name: "kept-form-for-ever",
    file: KEPT_FORM,
    text: "kept.until > nowOf(c) ? kept : null",
    replacement: "kept",
    tests: KEPT_FORM_TESTS,
  },
  {
    name: "kept-form-of-another-person",
    file: KEPT_FORM,
    text: '`kept-form:${c.get("session").userId}`',
    replacement: "`kept-form:${typeof c}`",
    tests: KEPT_FORM_TESTS,
  },
  {
    name: "used-code-free-after-a-reset",
    file: "src/db/people/sessions.ts",
    text: "        ne(verifications.identifier, USED_CODE),\n",
    replacement: "",
    tests: ["test/worker/pages/console/screens/password-reset/password-reset.test.ts"],
  },
];
