/**
 * The .deb, made twice with the same content and installed in a fresh Debian 13 where neither the repository nor a Node is. systemd cannot
 * run in a change of root: the programs that its units start are run instead; `npm run deploy:check` checks the units.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../dev/processes.ts'
import { projectRoot } from '../services/paths.ts'
import { print } from '../services/print.ts'
import { debianFiles } from './debian-files.ts'
import { oneProcess, type Installed } from './installed.ts'

const userAndGroup = '65532:65532'

export function installDeb(folder: string): Installed {
  const file = make(join(folder, 'first'))
  print(`deb: made; making it again`)
  if (hash(file) !== hash(make(join(folder, 'second'))))
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
    processes: oneProcess(postern),
    simulator: [process.execPath, join(projectRoot, 'simulator/src/main.ts'), 'smsc'],
    remove() {
      keepsSettings(root)
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function make(folder: string): string {
  return execFileSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(projectRoot, 'scripts/package-linux.ts'),
      ...['--out', folder, 'deb'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  ).trim()
}

function hash(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** A removed package leaves its settings, as an upgraded one does. */
function keepsSettings(root: string): void {
  execFileSync('chroot', [root, 'dpkg', '--remove', 'postern'], { stdio: ['ignore', 'ignore', 'inherit'] })
  readFileSync(join(root, 'etc/postern/postern.env'))
}
