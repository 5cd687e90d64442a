// The engines of `--engines today`: RabbitMQ 4.0, PostgreSQL 17 and Valkey 8.1 of Debian 13, in a root folder of their
// own that mmdebstrap makes once (about a minute) and all checkouts share. Every program of a set runs inside it by
// chroot, in a mount namespace of its own: /proc, /dev (with its shm), /sys and the folder of the set are mounted there
// and disappear with the process, so nothing stays mounted after a stop, a kill or a crash.

import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { installPackages } from './apt.ts'
import { locked } from './lock.ts'
import { isRoot, servicesDirectory } from './paths.ts'
import { print, seconds } from './print.ts'
import { usesDebian13 } from './releases.ts'

const suite = 'trixie'
export const rootFolder = `/var/tmp/postern-engines-${suite}`

const packages = ['postgresql-17', 'rabbitmq-server', 'erlang-base', 'valkey-server', 'haproxy']

/** What the packages create and these scripts never use: Debian's own PostgreSQL cluster, indexes of apt. */
const removeUnused = 'rm -rf "$1"/var/lib/postgresql/* "$1"/var/cache/apt/*.bin "$1"/var/lib/apt/lists/*'

/** The path of a file of the engines as this script sees it. */
export function inEngineRoot(path: string): string {
  return usesDebian13() ? rootFolder + path : path
}

export async function ensureEngineRoot(): Promise<void> {
  if (!usesDebian13() || existsSync(rootFolder)) return
  if (!isRoot) {
    throw new Error(
      '--engines today runs its engines in a chroot, which needs root.\n' +
        '  Run the command as root, or without --engines, or set POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and\n' +
        '  POSTERN_REDIS_URL to engines of these versions.',
    )
  }
  if (!existsSync('/usr/bin/mmdebstrap')) installPackages(['mmdebstrap'])
  await locked(makeRoot, rootFolder)
}

async function makeRoot(): Promise<void> {
  if (existsSync(rootFolder)) return
  const since = performance.now()
  const fresh = `${rootFolder}.new`
  const log = `${rootFolder}.log`
  rmSync(fresh, { recursive: true, force: true })
  print(`making ${rootFolder}: Debian 13 with RabbitMQ 4.0, PostgreSQL 17, Valkey 8.1; once, about a minute`)
  const args = ['--variant=apt', `--include=${packages.join(',')}`, `--customize-hook=${removeUnused}`]
  const code = await runLogged('mmdebstrap', [...args, suite, fresh], log)
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    throw new Error(
      `mmdebstrap ended with ${code}, see ${log}.\n` +
        '  It downloads from http://deb.debian.org: check the network and the space in /var/tmp (700 MB), then try again.',
    )
  }
  renameSync(fresh, rootFolder)
  print(`made ${rootFolder} (${seconds(since)})`)
}

/** Shows the lines that begin a step; all of them go to the log. */
function runLogged(command: string, args: readonly string[], log: string): Promise<number> {
  const file = createWriteStream(log)
  const child = spawn(command, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      file.write(`${line}\n`)
      if (line.startsWith('I: ')) print(`  ${line.slice(3)}`)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => file.end(() => resolve(code ?? 1)))
  })
}

/** `exec` keeps the process: its pid is the one that was started, and signals reach the engine itself. */
const enter = `set -e
root=$1; data=$2; user=$3; shift 3
for name in proc dev sys; do /bin/mount --rbind "/$name" "$root/$name"; done
mkdir -p "$root$data"
/bin/mount --bind "$data" "$root$data"
exec /usr/sbin/chroot --userspec="$user" "$root" "$@"`

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

/** The program as it must be started: inside the root of the engines if there is one, otherwise unchanged. */
export function confined(program: Program): Program {
  if (!usesDebian13()) return program
  const { uid, gid } = program.account ?? { uid: 0, gid: 0 }
  const position = [rootFolder, servicesDirectory(), `${uid}:${gid}`]
  return {
    command: '/usr/bin/unshare',
    args: ['--mount', '/bin/sh', '-c', enter, 'sh', ...position, program.command, ...program.args],
  }
}
