// `npm run generate`: writes the generated files that are in git, listed below, and the types of the console,
// which are not. `--check` fails if a file in git differs from its source. `npm run site` generates the tables
// of the documentation.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { adminOperations } from '../src/operations/operations.ts'
import { createDocument } from '../src/edge/api/reference/document.ts'
import { clientSources } from './client-types.ts'
import { commandIndexSource } from './command-index.ts'
import { writeConsoleTypes } from './console-types.ts'
import { connectorPages } from './connector-pages.ts'
import { dashboardFiles } from './dashboards/dashboards.ts'
import { operationIndexSource } from './operation-index.ts'
import { formatText } from './format-text.ts'
import { environmentExample } from './settings.ts'

const root = join(import.meta.dirname, '../..')

const texts: (readonly [string, string])[] = [
  ...connectorPages(),
  ...clientSources(),
  ['gateway/src/operations/operation-index.ts', operationIndexSource(adminOperations)],
  ['gateway/src/cli/derived-commands.ts', commandIndexSource(adminOperations)],
  ...dashboardFiles(),
  ['gateway/openapi.json', JSON.stringify(createDocument())],
]
const files = new Map(
  await Promise.all(
    texts.map(async ([path, text]): Promise<[string, string]> => [path, await formatText(path, text)]),
  ),
)
files.set('.env.example', environmentExample())

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
