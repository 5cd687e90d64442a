/** Maps files of the repository to addresses of the site. */
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../engines/paths.ts'

/** A link to this folder leads to the help pages of all commands, which gateway/tools/cli-page.ts creates. */
export const commandsFolder = 'gateway/src/cli'

/** Sources whose pages gateway/tools creates. */
export const operationsFile = 'gateway/src/operations/operation-index.ts'
export const metricsFile = 'gateway/src/platform/metrics.ts'

/** Files outside docs/ and their addresses. */
const others: Readonly<Record<string, string>> = {
  'README.md': 'index',
  'ARCHITECTURE.md': 'contributing/architecture',
  'CHANGELOG.md': 'operations/changelog',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'operations/security',
  'bench/README.md': 'contributing/bench',
  'client/README.md': 'guides/typescript-client',
  'gateway/test/README.md': 'contributing/tests',
  'simulator/README.md': 'contributing/simulator',
  [commandsFolder]: 'reference/commands',
  [operationsFile]: 'reference/admin-operations',
  [metricsFile]: 'reference/metrics',
}

/** Folders searched for the English page of a Korean one. */
const translatedFolders = ['start', 'guides', 'reference', 'operations']

/** Returns addresses by file, both relative: `docs/operations/README.md` is `operations`. */
export function sitePages(): Map<string, string> {
  // docs/README.md lists the folders for readers of the repository; the sidebar replaces it here.
  const docs = globSync(['docs/**/*.md', 'simulator/docs/*.md'], { cwd: projectRoot }).filter(
    (file) => file !== 'docs/README.md',
  )
  return new Map([
    ...Object.entries(others),
    ...docs.sort().map((file): [string, string] => [file, toAddress(file)]),
  ])
}

function toAddress(file: string): string {
  const address = file
    .replace(/^docs\//, '')
    .replace(/^simulator\/docs\//, 'contributing/simulator/')
    .replace(/(?:^|\/)README\.md$/, '')
    .replace(/\.md$/, '')
    .toLowerCase()
  const [, name] = /^ko\/([^/]+)$/.exec(address) ?? []
  const folder = translatedFolders.find((candidate) =>
    existsSync(join(projectRoot, 'docs', candidate, `${name}.md`)),
  )
  return folder === undefined ? address : `ko/${folder}/${name}`
}
