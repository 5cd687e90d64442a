/**
 * Podman with its own images, containers and network in one folder, which runs pods of Kubernetes without a
 * cluster. Needs root, on Debian.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installDebianPackagesAsRoot } from '../../engines/apt.ts'

export const folder = '/var/tmp/postern-podman'
/** Docker uses 172.17 to 172.31 and 192.168. */
const subnet = '10.99.0'
const roles = ['api', 'worker', 'admin', 'smpp-server']
const programs: Readonly<Record<string, string>> = {
  podman: '/usr/bin/podman',
  netavark: '/usr/lib/podman/netavark',
  'aardvark-dns': '/usr/lib/podman/aardvark-dns',
  catatonit: '/usr/bin/catatonit',
  runc: '/usr/sbin/runc',
}
const settings = join(folder, 'containers.conf')
const networkFile = join(folder, 'network')

/** Removes the containers of an earlier run and creates the network. */
export function openPodman(): void {
  const missing = Object.keys(programs).filter((name) => !existsSync(programs[name]!))
  if (missing.length > 0) installDebianPackagesAsRoot(missing)
  mkdirSync(folder, { recursive: true })
  // Podman raises these limits by default, which a machine without CAP_SYS_RESOURCE refuses.
  const limits = '[containers]\ndefault_ulimits = ["nofile=4000:4000", "nproc=4000:4000"]\n'
  writeFileSync(settings, `${limits}[engine]\nruntime = "runc"\nevents_logger = "file"\n`)
  removeContainers()
  // Podman does not always free the addresses of killed containers, so every run has a network of its own.
  writeFileSync(networkFile, `postern-${Date.now().toString(36)}`)
  podman('network', 'create', '--subnet', `${subnet}.0/24`, network())
}

/** The network of this run. */
export function network(): string {
  return readFileSync(networkFile, 'utf8')
}

/** Keeps the images. */
export function closePodman(): void {
  removeContainers()
}

function removeContainers(): void {
  podman('pod', 'rm', '--all', '--force', '--time', '0')
  podman('rm', '--all', '--force', '--volumes', '--time', '0')
  podman('secret', 'rm', '--all')
  if (existsSync(networkFile)) podman('network', 'rm', '--force', network())
  rmSync(networkFile, { force: true })
  rmSync(join(folder, 'releases'), { recursive: true, force: true })
}

/** Runs podman and returns its output. */
export function podman(...args: readonly string[]): string {
  return podmanWith('', ...args)
}

export function podmanWith(input: string | Buffer, ...args: readonly string[]): string {
  const storage = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')]
  const { status, stdout, stderr } = spawnSync(
    'podman',
    [...storage, '--cgroup-manager', 'cgroupfs', '--network-backend', 'netavark', ...args],
    {
      input,
      encoding: 'utf8',
      // Podman would read the settings of a Docker client.
      env: { ...process.env, CONTAINERS_CONF: settings, DOCKER_CONFIG: undefined },
      maxBuffer: 256 * 1024 * 1024,
    },
  )
  if (status !== 0) throw new Error(`podman ${args.join(' ')} failed:\n${stdout}${stderr}`.slice(0, 4_000))
  return stdout.trim()
}

/** Process id of a container; 0 if it does not run. */
export function pidOf(container: string): number {
  return Number(podman('inspect', '--format', '{{.State.Pid}}', container))
}

/** Returns the address of a pod such as `postern-api-2-b`, so that a load balancer knows it before it starts. */
export function addressOf(pod: string): string | undefined {
  const [, role, at, set] = /^postern-(.+)-(\d+)-([ab])$/.exec(pod) ?? []
  if (role === undefined) return undefined
  return `${subnet}.${50 * roles.indexOf(role) + 50 + 2 * Number(at) + (set === 'b' ? 1 : 0)}`
}
