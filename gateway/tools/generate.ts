// Writes the generated files that are in git, listed in `files` below, and the types of the console, which are not. `--check` fails when a file in git
// differs from its source.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { causeByCode, meaningOf, reportCodes, toReportOutcome } from '../src/channels/report-codes.ts'
import { reservedCodes, resultCodes } from '../src/contract/result-codes.ts'
import { ConfigSchema } from '../src/platform/config-schema.ts'
import { environmentName } from '../src/platform/config.ts'
import { adminOperations } from '../src/admin/operations.ts'
import { createDocument } from '../src/api/reference/document.ts'
import { clientSources } from './client-types.ts'
import { commandIndexSource } from './command-index.ts'
import { writeConsoleTypes } from './console-types.ts'
import { connectorPages } from './connector-pages.ts'
import { dashboardFiles } from './dashboards/dashboards.ts'
import { operationIndexSource } from './operation-index.ts'
import { operatorsPage } from './operators-page.ts'
import { trustPage } from './trust-page.ts'

const root = join(import.meta.dirname, '../..')
const koreanCodes = 'docs/ko/codes.md'

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

function codesPage(): string {
  const results = Object.values(resultCodes).map(
    ({ code, status, result, cause, action }) => `| ${code} | ${status} | ${result} | ${cause} | ${action} |`,
  )
  return [
    '# Codes',
    '',
    'Generated from `gateway/src/contract/result-codes.ts`, `gateway/src/channels/report-codes.ts` and `report-details.ts`.',
    '',
    '## Result codes',
    '',
    'Every answer is a JSON object with `code` and `result`. A wrong field is named in `result`.',
    '',
    '| Code | HTTP | Result | Why | What to do |',
    '| --- | --- | --- | --- | --- |',
    ...results,
    '',
    'Reserved, because nothing answers them yet:',
    '',
    ...Object.entries(reservedCodes).map(([code, reason]) => `- ${code}: ${reason}`),
    '',
    '## Report codes',
    '',
    'The result of a step. The first digit is the family of channels: 2 SMS, MMS and international, 3 RCS, 6 Kakao, 9 the gateway itself.',
    'Kakao reports every cause that has no code in its family as 69999. With the outcome `unknown` the recipient may have the message:',
    'sending it again may deliver it twice. Act only on the report with `last` true: after any other one the next step has been sent.',
    '',
    '| Code | Outcome | Cause | Meaning | Why | What to do |',
    '| --- | --- | --- | --- | --- | --- |',
    ...reportCodes.map((code) => {
      const { text, cause, action } = meaningOf(code, 'en')!
      return `| ${code} | ${toReportOutcome(code)} | ${causeByCode.get(code)!} | ${text} | ${cause} | ${action} |`
    }),
    '',
  ].join('\n')
}

/** Only the report codes of the Korean page are generated: result codes have no Korean texts in the source. */
function koreanCodesPage(): string {
  const heading = '## 리포트 코드'
  const written = readOrEmpty(join(root, koreanCodes)).split(heading)[0]!
  return [
    written + heading,
    '',
    '한 단계의 결과입니다. 2로 시작하면 SMS·MMS·국제 문자, 3은 RCS, 6은 카카오, 9는 게이트웨이의 코드입니다. 결과가 `unknown`이면 이미 전달되었을 수',
    '있으므로, 다시 보내면 두 번 전달될 수 있습니다. `last`가 true인 리포트에만 조치하십시오. 다른 단계는 다음 단계가 이미 발송되었습니다.',
    '',
    '| 코드 | 결과 | 의미 | 원인 | 조치 |',
    '| --- | --- | --- | --- | --- |',
    ...reportCodes.map((code) => {
      const { text, cause, action } = meaningOf(code, 'ko')!
      return `| ${code} | ${toReportOutcome(code)} | ${text} | ${cause} | ${action} |`
    }),
    '',
  ].join('\n')
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
  ['docs/codes.md', await format(codesPage(), { parser: 'markdown' })],
  [koreanCodes, await format(koreanCodesPage(), { parser: 'markdown' })],
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
