/**
 * Builds the images of the Containerfile: the gateway for amd64 and arm64 in one build, twice with the same
 * digests, and the simulator. They run the services of compose.yaml with its commands, settings and health
 * checks by `buildah run --isolation chroot`, which works where containers cannot be started: the program
 * sees the files of the image and runs as its user, on the network of this machine.
 */
import { execFileSync } from 'node:child_process'
import type { Command } from '../../dev/processes.ts'
import { architectures, ownArchitecture } from '../package/linux-stage.ts'
import { composeServices } from '../../deploy/compose.ts'
import { projectRoot } from '../../engines/paths.ts'
import { print } from '../../engines/print.ts'
import { buildah, hasImage, storage } from './buildah.ts'
import { runEmulated } from './emulated.ts'
import { bases, makeBases } from './image-bases.ts'
import type { GatewayProcess, InstalledArtefact } from './installed.ts'

const gateway = 'localhost/postern-gateway'
const simulator = 'localhost/postern-simulator'
const main = '/app/gateway/src/main.ts'

export function buildImage(): InstalledArtefact {
  makeBases()
  const digests = buildForAll()
  print(`image: built, ${digests.join(', ')}; building it again`)
  if (buildForAll().join() !== digests.join())
    throw new Error('a second build of the same commit has different digests')
  if (!runEmulated(gateway, '/usr/local/bin/node', main, '--help').includes('Settings are'))
    throw new Error('the image of the other architecture does not start')
  print('image: the other architecture starts under emulation')
  build(`linux/${ownArchitecture}`, '--target', 'simulator', '--tag', simulator)
  const containers = [gateway, simulator].map((image) =>
    buildah('from', '--pull-never', '--platform', `linux/${ownArchitecture}`, image),
  )
  const [gatewayContainer, simulatorContainer] = containers as [string, string]
  const services = composeServices()
  const run = (service: string, given: NodeJS.ProcessEnv, ...program: readonly string[]) =>
    inside(gatewayContainer, { ...services[service]!.environment, ...settingsOf(given) }, ...program)
  const processOf = (service: string, name: string): GatewayProcess => ({
    name,
    command: (given) => run(service, given, 'node', main, ...services[service]!.command),
    healthcheck: (given) => run(service, given, ...services[service]!.healthcheck!.test.slice(1)),
  })
  return {
    postern: (given) => run('api', given, 'node', main),
    processes: ['api', 'worker'].flatMap((service) =>
      Array.from({ length: services[service]!.deploy?.replicas ?? 1 }, (_, at) =>
        processOf(service, `${service}-${at + 1}`),
      ),
    ),
    simulator: inside(
      simulatorContainer,
      {},
      ...['node', '/app/simulator/src/main.ts', ...services.simulator!.command],
    ),
    remove() {
      for (const container of containers) buildah('rm', container)
      removeIndex()
    },
  }
}

/** Removes the index and its unnamed images; otherwise a gigabyte per commit would stay. */
function removeIndex(): void {
  const digests = readIndex().map(({ digest }) => digest)
  buildah('manifest', 'rm', gateway)
  for (const line of buildah('images', '--all', '--format', '{{.ID}} {{.Digest}}').split('\n')) {
    const [id, digest] = line.split(/\s+/) as [string, string]
    if (digests.includes(digest)) buildah('rmi', id)
  }
}

/** Replaces the engines and ports of Compose with those of this machine; files stay in the container. */
function settingsOf(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = Object.keys(given).filter(
    (name) => name.startsWith('POSTERN_') && name !== 'POSTERN_FILE_FOLDER',
  )
  return Object.fromEntries(names.map((name) => [name, given[name]]))
}

/** Returns a command that runs a program in a container as the user of the image. */
function inside(container: string, settings: NodeJS.ProcessEnv, ...program: readonly string[]): Command {
  return [
    ...(['env', storage, 'buildah', 'run', '--isolation', 'chroot', '--user', '65532:65532'] as const),
    ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...[container, '--', ...program],
  ]
}

/** Returns the digest of the image of each architecture. */
function buildForAll(): readonly string[] {
  if (hasImage(gateway)) buildah('manifest', 'rm', gateway)
  build(architectures.map((name) => `linux/${name}`).join(','), '--manifest', gateway)
  const digests = readIndex().map(({ digest, platform }) => `${platform.architecture} ${digest}`)
  if (digests.length !== architectures.length) throw new Error(`the index has only ${digests.join(', ')}`)
  return digests
}

/**
 * Returns the index, sorted, because buildah builds both at the same time and lists first the one that is
 * ready first.
 */
function readIndex(): readonly { digest: string; platform: { architecture: string } }[] {
  const index = JSON.parse(buildah('manifest', 'inspect', gateway)) as {
    manifests: { digest: string; platform: { architecture: string } }[]
  }
  return index.manifests.toSorted((a, b) => a.platform.architecture.localeCompare(b.platform.architecture))
}

function build(platforms: string, ...options: readonly string[]): void {
  const time = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: projectRoot, encoding: 'utf8' })
  buildah(
    // Use the OCI format, buildah's default: Docker's format contains the id of a container, which differs in
    // each build.
    ...['bud', '--isolation', 'chroot', '--no-cache', '--timestamp', time.trim()],
    ...['--build-arg', `NODE_IMAGE=${bases}`, '--build-arg', `RUNTIME_IMAGE=${bases}`],
    ...['--build-arg', `BUILDPLATFORM=linux/${ownArchitecture}`, '--platform', platforms],
    ...[...options, projectRoot],
  )
}
