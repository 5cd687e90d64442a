// `npm run release -- check vX.Y.Z`: whether the files say the same as the tag. `npm run release -- notes vX.Y.Z` prints the section of the
// changelog. docs/releasing.md describes a release.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sectionOf } from './release/changelog.ts'
import { checkVersions, statedVersions } from './release/versions.ts'
import { readPrevious } from './release/previous.ts'
import { projectRoot } from './services/paths.ts'
import { print } from './services/print.ts'

const [command, tag = ''] = process.argv.slice(2)
const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1]
if (version === undefined || (command !== 'check' && command !== 'notes')) {
  print('Usage: npm run release -- check|notes vX.Y.Z')
  process.exit(2)
}
const changelog = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8')
const section = sectionOf(changelog, version)
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
