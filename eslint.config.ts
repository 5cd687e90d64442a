import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { importOrder } from './scripts/architecture/lint-rule.ts'

const environment = {
  selector: 'MemberExpression[object.name="process"][property.name="env"]',
  message: 'Only platform/config.ts reads the environment.',
}
const hostClock = [
  'MemberExpression[object.name="Date"][property.name="now"]',
  'NewExpression[callee.name="Date"][arguments.length=0]',
  'CallExpression[callee.name="Date"]',
  'MemberExpression[object.name="performance"][property.name="timeOrigin"]',
].map((selector) => ({
  selector,
  message: "Time is the database's: use `clock` of platform/clock.ts, or performance.now() for a duration.",
}))

export default defineConfig(
  { ignores: ['node_modules', '.services', 'site', 'console/dist'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // An unawaited publish or acknowledgement is a lost message.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite'] },
          ],
        },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-syntax': ['error', environment],
    },
  },
  {
    files: ['gateway/src/**/*.ts'],
    plugins: { postern: { rules: { 'import-order': importOrder } } },
    rules: { 'postern/import-order': 'error', 'no-restricted-syntax': ['error', environment, ...hostClock] },
  },
  {
    files: ['gateway/src/platform/clock.ts'],
    rules: { 'no-restricted-syntax': ['error', environment] },
  },
  {
    files: ['gateway/src/platform/config.ts'],
    rules: { 'no-restricted-syntax': ['error', ...hostClock] },
  },
  {
    files: ['console/src/**/*.{ts,tsx}'],
    rules: {
      // React ignores what an event handler returns; a handler shows its own errors.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    files: ['eslint.config.ts', 'console/vite.config.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: [
      'gateway/tools/**',
      'scripts/**',
      'bench/**',
      'interop/**',
      'gateway/test/**',
      'simulator/**',
      'console/test/**',
      '**/*.test.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
)
