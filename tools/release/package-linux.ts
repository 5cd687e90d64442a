// `node tools/release/package-linux.ts [--out <folder>] [--arch amd64|arm64] [deb] [rpm]`: builds the
// Linux packages, including Node and every dependency. Prints the path of each on standard output. Builds
// both formats by default, into `packages/`. The same commit gives the same file.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { architectures, ownArchitecture, stageLinux } from './package/linux-stage.ts'
import { nfpm } from './package/nfpm.ts'
import { projectRoot } from '../engines/paths.ts'
import { print, formatElapsed } from '../engines/print.ts'

const formats = ['deb', 'rpm']
const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string', default: join(projectRoot, 'packages') },
    arch: { type: 'string', default: ownArchitecture },
  },
  allowPositionals: true,
})
const architecture = architectures.find((known) => known === values.arch)
if (architecture === undefined)
  throw new Error(`architecture '${values.arch}' not found; choose from ${architectures.join(', ')}`)
const unknown = positionals.filter((name) => !formats.includes(name))
if (unknown.length > 0)
  throw new Error(`unknown format: ${unknown.join(', ')}; choose from ${formats.join(', ')}`)

const { version } = JSON.parse(readFileSync(join(projectRoot, 'gateway/package.json'), 'utf8')) as {
  version: string
}
/** Time of the commit in seconds since 1970. */
const committed = execFileSync('git', ['log', '-1', '--format=%ct'], {
  cwd: projectRoot,
  encoding: 'utf8',
}).trim()
const out = resolve(values.out)
mkdirSync(out, { recursive: true })
const from = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'postern-linux-'))
try {
  stageLinux(folder, architecture, Number(committed))
  print(`files written (${formatElapsed(from)})`)
  for (const format of positionals.length > 0 ? positionals : formats) {
    const file = join(out, `postern_${version}_${architecture}.${format}`)
    nfpm(['package', '--config', 'deploy/linux/nfpm.yaml', '--packager', format, '--target', file], {
      STAGE: folder,
      VERSION: version,
      ARCH: architecture,
      SOURCE_DATE_EPOCH: committed,
    })
    print(`${format}: built (${formatElapsed(from)})`)
    process.stdout.write(`${file}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
