// `npm run package [-- --out <folder>] [--repository <URL>] [gateway] [simulator] [client]`: builds the npm
// packages, which install and run without this repository. Prints the path of each on standard output. Builds
// all packages by default, into `packages/`.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packages, stage, type Package } from './package/stage.ts'
import { projectRoot } from '../engines/paths.ts'
import { print, formatElapsed } from '../engines/print.ts'

function isPackage(name: string): name is Package {
  return packages.some((known) => known === name)
}

const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string', default: join(projectRoot, 'packages') },
    repository: { type: 'string' },
  },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !isPackage(name))
if (unknown.length > 0)
  throw new Error(`unknown package: ${unknown.join(', ')}; choose from ${packages.join(', ')}`)
const chosen = positionals.length > 0 ? positionals.filter(isPackage) : packages
const out = resolve(values.out)
mkdirSync(out, { recursive: true })
for (const name of chosen) {
  const from = performance.now()
  const folder = mkdtempSync(join(tmpdir(), `postern-${name}-`))
  try {
    const files = stage(name, folder, values.repository)
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', out], {
      cwd: folder,
      encoding: 'utf8',
    })
    const [{ filename, size }] = JSON.parse(packed) as [{ filename: string; size: number }]
    print(`${name}: ${files} program files, ${Math.round(size / 1000)} kB (${formatElapsed(from)})`)
    process.stdout.write(`${join(out, filename)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
