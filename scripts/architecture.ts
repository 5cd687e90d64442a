/**
 * Checks the structure of the code: no circle of imports between the files and folders that stand side by side, at any
 * level of the tree; every import of `gateway/src` follows the order of the folders; one folder writes a table.
 *
 *   node scripts/architecture.ts
 */
import { join } from 'node:path'
import { findCircles } from './architecture/circles.ts'
import { readImports, type ImportGraph } from './architecture/imports.ts'
import { forbiddenImport } from './architecture/order.ts'
import { findTables, findTableWriters } from './architecture/tables.ts'
import { projectRoot } from './services/paths.ts'

const folders = [
  'gateway/src',
  'gateway/test',
  'gateway/tools',
  'simulator',
  'client',
  'scripts',
  'bench',
  'interop',
]
const patterns = folders.map((folder) => `${folder}/**/*.ts`)
const gatewaySource = 'gateway/src/'

function withoutTests(graph: ImportGraph): ImportGraph {
  const isTest = (file: string): boolean => file.endsWith('.test.ts')
  return new Map([...graph].filter(([file]) => !isTest(file)))
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
    .filter(([, folders]) => folders.size > 1)
    .map(([table, folders]) => `table ${table} is written by ${[...folders].join(' and ')}`)
}

const graph = withoutTests(await readImports(projectRoot, patterns))
const circles = findCircles(graph).map(
  ({ folder, entries, imports }) =>
    `circle in ${folder === '' ? 'the root' : folder}: ${[...entries, entries[0]].join(' → ')}\n  ${imports.join('\n  ')}`,
)
const faults = [...circles, ...findWrongDirections(graph), ...findSharedTables(graph)]
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stdout.write(`architecture: ${graph.size} files, ${faults.length} faults\n`)
process.exitCode = faults.length === 0 ? 0 : 1
