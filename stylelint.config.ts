import type { Config } from "stylelint";

export default {
  extends: "stylelint-config-standard",
  rules: {
    // Payers have old phones.
    "media-feature-range-notation": "prefix",
    "property-no-vendor-prefix": [true, { ignoreProperties: ["user-select"] }],
    // A colour is a custom property, so that it has a name.
    "declaration-property-value-disallowed-list": { "/^(?!--)/": ["/#[\\da-f]{3,8}\\b/i"] },
  },
} satisfies Config;
