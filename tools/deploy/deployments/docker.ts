/**
 * Docker for the suite: the daemon of the machine with the official images or, where none runs, a daemon of
 * its own with the stand-ins, whose volumes are on a small disk that a step can fill.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installDebianPackagesAsRoot } from '../../engines/apt.ts'
import { goTool } from '../../engines/go-tool.ts'
import { print } from '../../engines/print.ts'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import { buildStandIns } from '../stand-ins/stand-ins.ts'

const folder = '/var/tmp/postern-docker'
const volumeGigabytes = 12

export interface Docker {
  /** Environment of the client. */
  readonly environment: NodeJS.ProcessEnv
  /** Folder of all volumes; null if it belongs to the machine. */
  readonly volumes: string | null
  /** Runs the client and returns its output. */
  run(...args: string[]): string
  stop(): Promise<void>
}

export async function openDocker(): Promise<Docker> {
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0) {
    const environment = process.env
    return { environment, volumes: null, run: client(environment), stop: () => Promise.resolve() }
  }
  if (!existsSync('/usr/sbin/dockerd')) installDebianPackagesAsRoot(['docker.io'])
  const [data, exec, socket] = ['data', 'exec', 'docker.sock'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const volumes = join(data, 'volumes')
  const environment = {
    ...process.env,
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_CONFIG: join(folder, 'config'),
    DOCKER_BUILDKIT: '1',
  }
  providePlugin(join(folder, 'config/cli-plugins'))
  mountData(data)
  mountDisk(volumes)
  const log = openSync(join(folder, 'dockerd.log'), 'w')
  const daemon = spawn(
    'dockerd',
    [
      ...['--data-root', data, '--exec-root', exec, '--pidfile', join(folder, 'docker.pid')],
      ...['--host', `unix://${socket}`],
    ],
    { stdio: ['ignore', log, log] },
  )
  // With --keep, this process ends before the daemon.
  daemon.unref()
  const run = client(environment)
  const stop = async (): Promise<void> => {
    removeContainers(run)
    daemon.ref()
    daemon.kill('SIGTERM')
    await once(daemon, 'exit')
    execFileSync('umount', [volumes])
    execFileSync('umount', [data])
  }
  const responds = (): boolean =>
    spawnSync('docker', ['info'], { env: environment, stdio: 'ignore' }).status === 0
  if (!(await waitForCondition(60_000, responds)))
    throw new Error(`dockerd did not start; see ${folder}/dockerd.log`)
  // Otherwise a step would fill the disk of the machine.
  if (statSync(volumes).dev === statSync(folder).dev) throw new Error(`${volumes} has no disk of its own`)
  removeContainers(run)
  weighContainers()
  buildStandIns(run)
  return { environment, volumes, run, stop }
}

/**
 * Without this, all containers together get as much CPU as one other process of the machine (cgroup version
 * 1), and miss their health checks while it is busy.
 */
function weighContainers(): void {
  const group = '/sys/fs/cgroup/cpu/docker'
  if (!existsSync(dirname(group))) return
  mkdirSync(group, { recursive: true })
  writeFileSync(join(group, 'cpu.shares'), '16384')
}

/** Removes the containers of the project, such as those of an interrupted run, and unused networks. */
function removeContainers(run: Docker['run']): void {
  const containers = run('ps', '--all', '--quiet', '--filter', 'label=com.docker.compose.project=postern')
    .split('\n')
    .filter(Boolean)
  if (containers.length > 0) run('rm', '--force', ...containers)
  run('network', 'prune', '--force')
}

function client(env: NodeJS.ProcessEnv): Docker['run'] {
  return (...args) => {
    const { status, stdout, stderr } = spawnSync('docker', args, {
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    if (status !== 0) throw new Error(`docker ${args.join(' ')} failed:\n${stdout}${stderr}`.slice(0, 4_000))
    return stdout.trim()
  }
}

/** Builds Compose, because that of Debian 12 lacks features that the Compose files use. */
function providePlugin(plugins: string): void {
  mkdirSync(plugins, { recursive: true })
  const plugin = join(plugins, 'docker-compose')
  rmSync(plugin, { force: true })
  symlinkSync(goTool('cmd', 'github.com/docker/compose/v2/cmd@v2.32.4'), plugin)
}

/** Mounts the folder on itself. Where it is no shared mount, dockerd does this, and would hide the disk of the volumes. */
function mountData(data: string): void {
  mkdirSync(data, { recursive: true })
  // What an interrupted run left: the disk may be mounted above or below the folder.
  for (const mounted of [join(data, 'volumes'), data, join(data, 'volumes')])
    while (spawnSync('umount', [mounted], { stdio: 'ignore' }).status === 0);
  execFileSync('mount', ['--bind', data, data])
  execFileSync('mount', ['--make-shared', data])
}

/** Mounts an empty file system of a fixed size, which is in a sparse file. */
function mountDisk(volumes: string): void {
  const file = join(folder, 'volumes.img')
  mkdirSync(volumes, { recursive: true })
  rmSync(file, { force: true })
  execFileSync('truncate', ['--size', `${volumeGigabytes}G`, file])
  execFileSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=1', file])
  execFileSync('mount', ['-o', 'loop', file, volumes])
  print(`the volumes have a disk of ${volumeGigabytes} GB`)
}
