/**
 * Every rule of `.oxlintrc.json` reports a violation and respects its options. The test fails when an upgrade
 * of the linter renames, drops or breaks a rule.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseConfigFileTextToJson } from 'typescript'
import { projectRoot } from '../../engines/paths.ts'
import { faultyCode } from './faulty-code.ts'
import { runLinter } from './run-linter.ts'

/** Rules that erasable modules cannot break. They cost nothing, and would matter if that changed. */
const withoutExample = [
  'no-delete-var',
  'typescript/no-duplicate-enum-values',
  'typescript/no-generated-empty-object-type',
  'typescript/no-mixed-enums',
  'typescript/no-unsafe-enum-comparison',
  'typescript/prefer-literal-enum-member',
  'typescript/prefer-namespace-keyword',
]

/** Converts a rule name to its printed form: `typescript(no-deprecated)`, `eslint(no-var)`. */
function toCode(rule: string): string {
  if (rule.includes('(')) return rule
  const [name, plugin = 'eslint'] = rule.split('/').reverse()
  return `${plugin}(${name})`
}

const toFile = (rule: string): string => `gateway/src/platform/${rule.replaceAll(/[^\w-]/g, '-')}.ts`

test('every rule and the compiler report code that breaks them', async () => {
  const findings = await runLinter({
    'gateway/src/platform/rule-of-import-order.ts': 'export interface Rule { readonly a: string }',
    ...Object.fromEntries(Object.entries(faultyCode).map(([rule, source]) => [toFile(rule), source])),
  })
  const silent = Object.keys(faultyCode).filter(
    (rule) => !findings.some(({ code, filename }) => filename === toFile(rule) && code === toCode(rule)),
  )
  assert.deepEqual(silent, [])
})

test('every rule has an example, except those that erasable modules cannot break', async () => {
  const text = await readFile(join(projectRoot, '.oxlintrc.json'), 'utf8')
  const { config } = parseConfigFileTextToJson('.oxlintrc.json', text) as {
    config: { rules: object; overrides: { rules: object }[] }
  }
  const rules = new Set([config, ...config.overrides].flatMap((part) => Object.keys(part.rules)))
  const examples = [...Object.keys(faultyCode).filter((rule) => !rule.includes('(')), ...withoutExample]
  assert.deepEqual([...rules].sort(), examples.sort())
})

test('code that options and exceptions allow is not reported', async () => {
  const findings = await runLinter({
    'gateway/src/platform/known-safe.ts': "import { test } from 'node:test'\ntest('a', () => undefined)",
    'gateway/src/platform/default-case.ts':
      "export function f(a: 'b' | 'c') { switch (a) { case 'b': return 1; default: return 2 } }",
    'gateway/src/platform/template.ts': 'export const f = (a: number, b: boolean): string => `${a} ${b}`',
    'gateway/src/platform/non-null.ts': 'export const f = (a?: string): string => a!',
    'gateway/src/platform/void.ts': 'declare const f: () => void\nexport const g = (): void => f()',
    'gateway/src/platform/dates.ts': 'export const f = (a: number): Date => new Date(a)',
    'gateway/src/platform/time/clock.ts': 'export const now = (): number => Date.now()',
    'gateway/src/platform/settings/environment.ts': 'export const home = process.env.HOME',
    'gateway/src/platform/log.test.ts': 'export const a = [process.env.HOME, Date.now()]',
    'bench/a.ts': 'export const a = [process.env.HOME, Date.now()]',
    'console/tsconfig.json': await readFile(join(projectRoot, 'console/tsconfig.json'), 'utf8'),
    'console/src/Button.tsx':
      'declare const work: () => Promise<void>\nexport const a = <button onClick={() => work()} />',
  })
  assert.deepEqual(findings, [])
})

test('the console reports misused promises, except in event handlers', async () => {
  const findings = await runLinter({
    'console/tsconfig.json': await readFile(join(projectRoot, 'console/tsconfig.json'), 'utf8'),
    'console/src/list.ts': 'declare const work: () => Promise<void>\n;[1].forEach(async () => work())',
  })
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['typescript(no-misused-promises)'],
  )
})
