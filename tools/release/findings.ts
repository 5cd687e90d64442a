/** Checks that this commit can be released as a version. Returns what a person has to correct. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../engines/paths.ts'
import { findUnpinnedBases } from './base-images.ts'
import { findSection } from './changelog.ts'
import { readPrevious } from './previous.ts'
import { checkVersions, statedVersions } from './versions.ts'

export function findProblems(version: string): string[] {
  const read = (file: string): string => readFileSync(join(projectRoot, file), 'utf8')
  const hasSection = findSection(read('CHANGELOG.md'), version) !== undefined
  return [
    ...checkVersions(version, statedVersions(projectRoot), readPrevious()),
    ...(hasSection ? [] : [`CHANGELOG.md has no section "## ${version} (date)"`]),
    ...findUnpinnedBases(read('Containerfile')),
  ]
}
