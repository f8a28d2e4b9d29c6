import js from "@eslint/js";

// Names that are not defined are found by the types (tsconfig.json).
const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property, message: "Text enters the page as text nodes: see el() in dom.js." }));

export default [
  js.configs.recommended,
  {
    rules: {
      eqeqeq: "error",
      "no-undef": "off",
      "no-unused-vars": ["error", { varsIgnorePattern: "^_$" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  { files: ["pages/**", "core/export/**"], rules: { "no-restricted-properties": ["error", ...MARKUP] } },
];
