// `npm run release -- check vX.Y.Z` checks that the files state the version of the tag. `npm run release --
// notes vX.Y.Z` prints the section of the changelog. docs/contributing/releasing.md describes a release.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findSection } from './changelog.ts'
import { checkVersions, statedVersions } from './versions.ts'
import { readPrevious } from './previous.ts'
import { projectRoot } from '../engines/paths.ts'
import { print } from '../engines/print.ts'

const [command, tag = ''] = process.argv.slice(2)
const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1]
if (version === undefined || (command !== 'check' && command !== 'notes')) {
  print('Usage: npm run release -- check|notes vX.Y.Z')
  process.exit(2)
}
const changelog = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8')
const section = findSection(changelog, version)
if (command === 'notes') {
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`)
  process.stdout.write(`${section}\n`)
} else {
  const findings = [
    ...checkVersions(version, statedVersions(projectRoot), readPrevious()),
    ...(section === undefined ? [`CHANGELOG.md has no section "## ${version} (date)"`] : []),
  ]
  for (const finding of findings) print(finding)
  print(findings.length === 0 ? `${tag}: ok` : `${tag}: ${findings.length} findings`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
