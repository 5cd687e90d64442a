/** Installs the npm packages from the packed files in an empty folder with `npm install`, as a user would. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../engines/paths.ts'
import type { InstalledArtefact } from './installed.ts'

export function installPackages(folder: string): InstalledArtefact {
  const packed = execFileSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(projectRoot, 'tools/release/package.ts'),
      '--out',
      join(folder, 'packed'),
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const install = join(folder, 'install')
  mkdirSync(install)
  writeFileSync(join(install, 'package.json'), '{ "private": true }\n')
  const files = packed.trim().split('\n')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...files], {
    cwd: install,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const program = (name: string) => join(install, 'node_modules/.bin', name)
  const postern = () => [program('postern')] as const
  return { postern, simulator: [program('postern-simulator'), 'smsc'], remove() {} }
}
