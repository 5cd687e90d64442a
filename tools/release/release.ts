// `npm run release -- <command>`; docs/contributing/releasing.md describes a release.
//
//   check vX.Y.Z                         check that this commit can be released as this version
//   build vX.Y.Z [--out <folder>] [--repository <URL>]
//                                        write every published file, with checksums, to `packages/`
//   --dry-run [--out <folder>]           check, build the files and the images, verify all of them, and list what
//                                        a person still has to do; publishes nothing. Needs root, Go and Debian.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { projectRoot } from '../engines/paths.ts'
import { print } from '../engines/print.ts'
import { findProblems } from './findings.ts'

const { values, positionals } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    out: { type: 'string', default: join(projectRoot, 'packages') },
    repository: { type: 'string' },
  },
  allowPositionals: true,
})
const [command, tag = ''] = positionals
const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1]
const out = resolve(values.out)

// The workflow runs `check` without packages, which the others need.
if (values['dry-run'] && command === undefined) {
  const { rehearse } = await import('./dry-run/rehearse.ts')
  process.exitCode = await rehearse(ownVersion(), out)
} else if (command === 'check' && version !== undefined) process.exitCode = check(version)
else if (command === 'build' && version !== undefined) {
  const { buildFiles } = await import('./build-files.ts')
  buildFiles(version, out, values.repository)
} else {
  print('Usage: npm run release -- check|build vX.Y.Z, or npm run release -- --dry-run')
  process.exitCode = 2
}

function check(checked: string): number {
  const problems = findProblems(checked)
  for (const problem of problems) print(problem)
  print(problems.length === 0 ? `v${checked}: ok` : `v${checked}: ${problems.length} findings`)
  return problems.length === 0 ? 0 : 1
}

function ownVersion(): string {
  const manifest = readFileSync(join(projectRoot, 'gateway/package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
