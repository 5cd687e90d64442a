import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

/**
 * The import rule of ARCHITECTURE.md, lowest layer first: a folder may import from its own layer's own folder
 * and from layers before it. Stages never import each other: they publish a job or call a noun.
 */
const layers: string[][] = [
  ['platform'],
  ['channels'],
  ['connectors'],
  [
    'accounts',
    'tokens',
    'routes',
    'messages',
    'reports',
    'usage',
    'ledger',
    'files',
    'forms',
    'limits',
    'idempotency',
    'parked',
    'webhooks',
  ],
  ['accept', 'intake', 'dispatch', 'receipts', 'settle'],
  ['edge'],
  ['reference'],
]

const nouns = layers[3]!

const banImport = (folder: string, banned: string) => ({
  regex: `^(\\.\\./)+${banned}/`,
  message: `${folder}/ must not import from ${banned}/ (see "The import rule" in ARCHITECTURE.md)`,
})

const importRules = layers.flatMap((layer, index) =>
  layer.map((folder) => {
    const above = layers.slice(index + 1).flat()
    // Nouns may use each other; folders of every other layer stand alone beside their neighbours.
    const beside = layer === nouns ? [] : layer.filter((other) => other !== folder)
    const banned = [...above, ...beside]
    return {
      files: [`gateway/src/${folder}/**/*.ts`],
      ignores: ['**/*.test.ts'],
      rules: {
        'no-restricted-imports': ['error', { patterns: banned.map((name) => banImport(folder, name)) }] as [
          'error',
          object,
        ],
      },
    }
  }),
)

export default defineConfig(
  { ignores: ['node_modules', '.services'] },
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
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[object.name="process"][property.name="env"]',
          message: 'Only platform/config.ts reads the environment.',
        },
      ],
    },
  },
  ...importRules,
  {
    files: ['eslint.config.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: [
      'gateway/src/platform/config.ts',
      'scripts/**',
      'bench/**',
      'interop/**',
      'gateway/test/**',
      'simulator/**',
      '**/*.test.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
)
