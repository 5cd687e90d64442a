/**
 * Builds the .deb twice, requires equal files, and installs it in a fresh Debian 13 without the repository and
 * without Node. systemd cannot run in a chroot, so the programs of its units are started directly; `npm run
 * suite -- deploy` checks the units.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../../dev/processes.ts'
import { projectRoot } from '../../engines/paths.ts'
import { print } from '../../engines/print.ts'
import { debianFiles } from './debian-files.ts'
import type { InstalledArtefact } from './installed.ts'

const userAndGroup = '65532:65532'

export function installDeb(folder: string): InstalledArtefact {
  const file = buildDeb(join(folder, 'first'))
  print('deb: built; building it again')
  if (hash(file) !== hash(buildDeb(join(folder, 'second'))))
    throw new Error('a second .deb of the same commit differs')
  const root = join(folder, 'root')
  mkdirSync(root)
  execFileSync('tar', ['-C', root, '-xf', debianFiles()])
  cpSync(file, join(root, 'postern.deb'))
  execFileSync('chroot', [root, 'dpkg', '--install', '/postern.deb'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const postern = (settings: NodeJS.ProcessEnv): Command => [
    ...(['chroot', `--userspec=${userAndGroup}`, root, 'env'] as const),
    ...Object.entries(settings).flatMap(([name, value]) =>
      name.startsWith('POSTERN_') && name !== 'POSTERN_FILE_FOLDER' ? [`${name}=${value}`] : [],
    ),
    ...['POSTERN_FILE_FOLDER=/tmp/files', 'postern'],
  ]
  return {
    postern,
    simulator: [process.execPath, join(projectRoot, 'simulator/src/main.ts'), 'smsc'],
    remove() {
      removeKeepingSettings(root)
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function buildDeb(folder: string): string {
  return execFileSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(projectRoot, 'tools/release/package-linux.ts'),
      ...['--out', folder, 'deb'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  ).trim()
}

function hash(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** Removes the package. Throws if its settings are gone, which an upgrade must keep as well. */
function removeKeepingSettings(root: string): void {
  execFileSync('chroot', [root, 'dpkg', '--remove', 'postern'], { stdio: ['ignore', 'ignore', 'inherit'] })
  readFileSync(join(root, 'etc/postern/postern.env'))
}
