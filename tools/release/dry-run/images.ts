/**
 * Builds the images of the Containerfile for both architectures with buildah, from stand-ins of the public base
 * images. The same commit gives the same digests.
 */
import { architectures, ownArchitecture } from '../package/linux-stage.ts'
import { projectRoot } from '../../engines/paths.ts'
import { commitTime, git } from '../build-files.ts'
import { buildah, hasImage } from './buildah.ts'
import { runEmulated } from './emulated.ts'
import { bases, makeBases } from './image-bases.ts'

export interface BuiltImage {
  readonly name: string
  readonly architecture: string
  readonly digest: string
}

const targets = {
  gateway: { name: 'localhost/postern', entry: '/app/gateway/src/main.ts', helpText: 'Settings are' },
  simulator: { name: 'localhost/postern-simulator', entry: '/app/simulator/src/main.ts', helpText: 'smsc' },
} as const

export function buildImages(version: string): readonly BuiltImage[] {
  makeBases()
  const labels = [
    `org.opencontainers.image.version=${version}`,
    `org.opencontainers.image.revision=${git('rev-parse', 'HEAD')}`,
    `org.opencontainers.image.created=${new Date(Number(commitTime()) * 1000).toISOString()}`,
  ]
  return Object.entries(targets).flatMap(([target, { name }]) => {
    if (hasImage(name)) removeIndex(name)
    buildah(
      // Use the OCI format, buildah's default: Docker's format contains the id of a container, which differs in
      // each build.
      ...['bud', '--isolation', 'chroot', '--no-cache', '--timestamp', commitTime()],
      ...['--build-arg', `NODE_IMAGE=${bases}`, '--build-arg', `RUNTIME_IMAGE=${bases}`],
      ...['--build-arg', `BUILDPLATFORM=linux/${ownArchitecture}`],
      ...labels.flatMap((label) => ['--label', label]),
      ...['--platform', architectures.map((one) => `linux/${one}`).join(','), '--manifest', name],
      ...['--target', target, projectRoot],
    )
    return readIndex(name).map(({ digest, platform: { architecture } }) => ({ name, architecture, digest }))
  })
}

/** Checks labels and user of the images of this machine's architecture, and that the program of every image starts. */
export function verifyImages(version: string, images: readonly BuiltImage[]): string {
  for (const { name, entry, helpText } of Object.values(targets)) {
    const built = images.filter((image) => image.name === name)
    if (built.length !== architectures.length)
      throw new Error(`${name} exists for ${built.length} architectures`)
    const container = buildah('from', '--pull-never', '--platform', `linux/${ownArchitecture}`, name)
    try {
      const { config } = (JSON.parse(buildah('inspect', container)) as { OCIv1: { config: ImageConfig } })
        .OCIv1
      if (config.Labels['org.opencontainers.image.version'] !== version)
        throw new Error(`${name} lacks its version`)
      if (config.Labels['org.opencontainers.image.revision'] !== git('rev-parse', 'HEAD'))
        throw new Error(`${name} lacks its revision`)
      if (config.User !== '65532:65532') throw new Error(`${name} runs as ${config.User}`)
      const program = [
        '--isolation',
        'chroot',
        '--user',
        config.User,
        container,
        '--',
        'node',
        entry,
        '--help',
      ]
      mustPrint(name, buildah('run', ...program), helpText)
    } finally {
      buildah('rm', container)
    }
    mustPrint(
      `${name} of the other architecture`,
      runEmulated(name, '/usr/local/bin/node', entry, '--help'),
      helpText,
    )
  }
  return `${images.length} images: the program starts, of the other architecture under emulation; labels and user of this one`
}

interface ImageConfig {
  readonly User: string
  readonly Labels: Readonly<Record<string, string>>
}

function mustPrint(what: string, output: string, text: string): void {
  if (!output.includes(text)) throw new Error(`${what} does not start: ${output.slice(0, 500)}`)
}

/** Removes the index and its unnamed images; otherwise a gigabyte per commit would stay. */
export function removeIndex(name: string): void {
  const digests = readIndex(name).map(({ digest }) => digest)
  buildah('manifest', 'rm', name)
  for (const line of buildah('images', '--all', '--format', '{{.ID}} {{.Digest}}').split('\n')) {
    const [id, digest] = line.split(/\s+/) as [string, string]
    if (digests.includes(digest)) buildah('rmi', id)
  }
}

/** Returns the index in a fixed order, because buildah lists first the image that is ready first. */
function readIndex(name: string): readonly { digest: string; platform: { architecture: string } }[] {
  const index = JSON.parse(buildah('manifest', 'inspect', name)) as {
    manifests: { digest: string; platform: { architecture: string } }[]
  }
  return index.manifests.toSorted((a, b) => a.platform.architecture.localeCompare(b.platform.architecture))
}
