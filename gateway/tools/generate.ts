// Writes the generated files that are in git, listed in `files` below, and the types of the console, which are not. `--check` fails when a file in git
// differs from its source.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { ConfigSchema } from '../src/platform/config-schema.ts'
import { environmentName } from '../src/platform/config.ts'
import { adminOperations } from '../src/admin/operations.ts'
import { createDocument } from '../src/api/reference/document.ts'
import { clientSources } from './client-types.ts'
import { codesPage } from './code-pages.ts'
import { commandIndexSource } from './command-index.ts'
import { writeConsoleTypes } from './console-types.ts'
import { connectorPages } from './connector-pages.ts'
import { dashboardFiles } from './dashboards/dashboards.ts'
import { operationIndexSource } from './operation-index.ts'
import { operatorsPage } from './operators-page.ts'
import { trustPage } from './trust-page.ts'

const root = join(import.meta.dirname, '../..')

interface Setting {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly standard: string
}

const required = new Set<string>(ConfigSchema.required)
const settings = Object.entries(ConfigSchema.properties).map(([key, schema]): Setting => {
  const { description = '', default: standard } = schema as { description?: string; default?: unknown }
  return {
    name: environmentName(key),
    description,
    required: required.has(key) && standard === undefined,
    standard:
      standard === undefined
        ? ''
        : Array.isArray(standard)
          ? standard.join(',')
          : JSON.stringify(standard).replaceAll('"', ''),
  }
})

function configurationPage(): string {
  const rows = settings.map((setting) => {
    const standard = setting.required
      ? '**required**'
      : setting.standard === ''
        ? 'not set'
        : `\`${setting.standard}\``
    return `| \`${setting.name}\` | ${standard} | ${setting.description} |`
  })
  return [
    '# Configuration',
    '',
    'Every setting is an environment variable, read once at start. A wrong or missing one stops the start with an error',
    'that names the variable and gives an example. This page is generated from `gateway/src/platform/config-schema.ts`.',
    '',
    '| Variable | Default | Meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function environmentExample(): string {
  const lines = settings.flatMap((setting) => [
    `# ${setting.description}`,
    `${setting.required ? '' : '# '}${setting.name}=${setting.standard}`,
    '',
  ])
  return ['# Generated from gateway/src/platform/config-schema.ts.', '', ...lines].join('\n')
}

const pages = await Promise.all(
  [...connectorPages()].map(async ([path, text]): Promise<[string, string]> => [
    path,
    await format(text, { parser: 'markdown' }),
  ]),
)
const style = await resolveConfig(join(root, 'package.json'))
const sources = await Promise.all(
  [
    ...clientSources(),
    ['gateway/src/admin/operation-index.ts', operationIndexSource(adminOperations)] as const,
    ['gateway/src/commands/derived-commands.ts', commandIndexSource(adminOperations)] as const,
  ].map(async ([path, text]): Promise<[string, string]> => [
    path,
    await format(text, { ...style, parser: 'typescript' }),
  ]),
)
const grafana = await Promise.all(
  dashboardFiles().map(async ([path, text]): Promise<[string, string]> => [
    path,
    await format(text, { parser: 'json' }),
  ]),
)
const files = new Map([
  ...pages,
  ...sources,
  ...grafana,
  ['docs/operations/operators.md', await format(operatorsPage(), { parser: 'markdown' })],
  [
    'docs/trust.md',
    await format(trustPage(readOrEmpty(join(root, 'docs/trust.md'))), { parser: 'markdown' }),
  ],
  ['docs/codes.md', await format(codesPage('en'), { parser: 'markdown' })],
  ['docs/ko/codes.md', await format(codesPage('ko'), { parser: 'markdown' })],
  ['docs/configuration.md', await format(configurationPage(), { parser: 'markdown' })],
  ['.env.example', environmentExample()],
  ['gateway/openapi.json', await format(JSON.stringify(createDocument()), { ...style, parser: 'json' })],
])

const checking = process.argv.includes('--check')
// `--only deploy/grafana` writes the files of one folder.
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1]! : ''
for (const [name, expected] of files) {
  if (!name.startsWith(only)) continue
  const path = join(root, name)
  if (!checking) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, expected)
    continue
  }
  if (readOrEmpty(path) === expected) continue
  process.stderr.write(`${name} differs from the source; run: npm run generate\n`)
  process.exitCode = 1
}
if (!checking && only === '') writeConsoleTypes()

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
