/** Which files of the repository are pages of the site, and under which address. */
import { globSync } from 'node:fs'
import { projectRoot } from '../services/paths.ts'

/** A link to this folder leads to the help pages of all commands, which gateway/tools/cli-page.ts makes from it. */
export const commandsFolder = 'gateway/src/commands'

/** Outside of docs/: file and address. */
const others: Readonly<Record<string, string>> = {
  'README.md': 'index',
  'ARCHITECTURE.md': 'architecture',
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'GOVERNANCE.md': 'governance',
  'SECURITY.md': 'security',
  'SUPPORT.md': 'support',
  'bench/README.md': 'bench',
  'bench/RESULTS.md': 'bench/results',
  'gateway/test/README.md': 'tests',
  'simulator/README.md': 'simulator',
  [commandsFolder]: 'cli',
}

/** The address by file, both relative: `docs/operations/README.md` is `operations`. */
export function sitePages(): Map<string, string> {
  // docs/README.md lists the pages for readers of the repository; here the sidebar does.
  const docs = globSync(['docs/**/*.md', 'simulator/docs/*.md', 'client/README.md'], {
    cwd: projectRoot,
  }).filter((file) => file !== 'docs/README.md')
  return new Map([
    ...Object.entries(others),
    ...docs.sort().map((file): [string, string] => [file, addressOf(file)]),
  ])
}

function addressOf(file: string): string {
  return file
    .replace(/^docs\//, '')
    .replace(/^simulator\/docs\//, 'simulator/')
    .replace(/(?:^|\/)README\.md$/, '')
    .replace(/\.md$/, '')
    .toLowerCase()
}
