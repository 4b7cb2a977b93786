import js from "@eslint/js";
import globals from "globals";

const PAGES = "src/croupier/web/static/js";

export default [
  js.configs.recommended,
  {
    files: [`${PAGES}/**/*.js`],
    languageOptions: { ecmaVersion: 2024, globals: globals.browser },
    rules: {
      // A page imports from its own folder and from the rooms that pages share, never from another page.
      "no-restricted-imports": ["error", { patterns: [{ regex: "^\\.\\./(?!shared/|felt/|fairness/)" }] }],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "max-lines": ["error", { max: 600, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: [`${PAGES}/shared/early.js`], languageOptions: { sourceType: "script" } },
  { files: ["tests/javascript/**/*.js", "eslint.config.js"], languageOptions: { globals: globals.node } },
];
