/**
 * Checks the structure of the code: no import cycle between neighbouring files and folders at any level,
 * every import of `gateway/src` follows the folder order, and each table is written by one folder.
 *
 *   node tools/check/architecture.ts
 */
import { join } from 'node:path'
import { findImportCycles } from './architecture/cycles.ts'
import { readImports, type ImportGraph } from './architecture/imports.ts'
import { forbiddenImport } from './architecture/order.ts'
import { findTables, findTableWriters } from './architecture/tables.ts'
import { projectRoot } from '../engines/paths.ts'

const folders = ['gateway/src', 'gateway/test', 'gateway/tools', 'simulator', 'client', 'tools', 'bench']
const patterns = folders.map((folder) => `${folder}/**/*.ts`)
const gatewaySource = 'gateway/src/'

function withoutTests(graph: ImportGraph): ImportGraph {
  const isTest = (file: string): boolean => file.endsWith('.test.ts')
  return new Map([...graph].filter(([file]) => !isTest(file)))
}

/**
 * Suites start engines with the tools, and the tools print pages from the gateway. This is no cycle of the
 * product.
 */
function withoutSuiteTools(graph: ImportGraph): ImportGraph {
  return new Map(
    [...graph].map(([file, imported]) => [
      file,
      file.startsWith('gateway/test/') ? imported.filter((path) => !path.startsWith('tools/')) : imported,
    ]),
  )
}

function findWrongDirections(graph: ImportGraph): string[] {
  return [...graph].flatMap(([file, imported]) => {
    if (!file.startsWith(gatewaySource)) return []
    return imported.flatMap((target) => {
      if (!target.startsWith(gatewaySource)) return []
      const fault = forbiddenImport(file.slice(gatewaySource.length), target.slice(gatewaySource.length))
      return fault === null ? [] : [`${file}: ${fault}`]
    })
  })
}

function findSharedTables(graph: ImportGraph): string[] {
  const tables = findTables(join(projectRoot, 'gateway/migrations'))
  const files = [...graph.keys()].filter((file) => file.startsWith(gatewaySource))
  return [...findTableWriters(projectRoot, files, tables)]
    .map(([table, folders]) => [table, withoutSubfolders(folders)] as const)
    .filter(([, folders]) => folders.length > 1)
    .map(([table, folders]) => `table ${table} is written by ${folders.join(' and ')}`)
}

/** A folder and its subfolders share their tables. */
function withoutSubfolders(folders: ReadonlySet<string>): string[] {
  return [...folders].filter((folder) => ![...folders].some((outer) => folder.startsWith(`${outer}/`)))
}

const graph = withoutTests(await readImports(projectRoot, patterns))
const cycles = findImportCycles(withoutSuiteTools(graph)).map(
  ({ folder, entries, imports }) =>
    `import cycle in ${folder === '' ? 'the root' : folder}: ${[...entries, entries[0]].join(' → ')}\n  ${imports.join('\n  ')}`,
)
const faults = [...cycles, ...findWrongDirections(graph), ...findSharedTables(graph)]
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stdout.write(`architecture: ${graph.size} files, ${faults.length} faults\n`)
process.exitCode = faults.length === 0 ? 0 : 1
