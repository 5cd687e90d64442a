/**
 * The image of the Containerfile, built twice with the same digest and run by `buildah run --isolation chroot`, which works where containers
 * cannot be started: the program sees the files of the image and runs as its user, on the network of this machine. Public base images cannot be had everywhere, so that both are
 * made of Debian 13 by mmdebstrap, with the Node of this repository.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installPackages } from '../services/apt.ts'
import { projectRoot } from '../services/paths.ts'
import { print } from '../services/print.ts'
import { debianFiles } from './debian-files.ts'
import type { Installed } from './installed.ts'

const base = 'localhost/postern-base'
const image = 'localhost/postern'

export function buildImage(): Installed {
  if (!existsSync('/usr/bin/buildah')) installPackages(['buildah'])
  makeBase()
  const digest = build()
  print(`image: built, ${digest}; building it again`)
  if (build() !== digest) throw new Error('a second build of the same commit has another digest')
  const container = buildah('from', image)
  return {
    postern: (settings) => [
      ...([
        'env',
        'STORAGE_DRIVER=vfs',
        'buildah',
        'run',
        '--isolation',
        'chroot',
        '--user',
        '65532:65532',
      ] as const),
      ...Object.entries(settings).flatMap(([name, value]) =>
        name.startsWith('POSTERN_') && name !== 'POSTERN_FILE_FOLDER' ? ['--env', `${name}=${value}`] : [],
      ),
      ...[container, '--', 'node', '/app/gateway/src/main.ts'],
    ],
    simulator: [process.execPath, join(projectRoot, 'simulator/src/main.ts')],
    remove: () => void buildah('rm', container),
  }
}

function build(): string {
  const time = execFileSync('git', ['log', '-1', '--format=%ct'], {
    cwd: projectRoot,
    encoding: 'utf8',
  }).trim()
  const platform = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`
  buildah(
    ...['bud', '--isolation', 'chroot', '--no-cache', '--timestamp', time],
    ...['--build-arg', `NODE_IMAGE=${base}`, '--build-arg', `RUNTIME_IMAGE=${base}`],
    ...['--build-arg', `BUILDPLATFORM=${platform}`, '--build-arg', `TARGETPLATFORM=${platform}`],
    ...['--tag', image, projectRoot],
  )
  return buildah('inspect', '--type', 'image', '--format', '{{.FromImageDigest}}', image)
}

/** Debian 13 with node, npm and the certificates that this machine trusts. */
function makeBase(): void {
  if (buildah('images', '--quiet', '--filter', `reference=${base}`) !== '') return
  const container = buildah('from', 'scratch')
  buildah('add', container, debianFiles(), '/')
  buildah('copy', container, realpathSync(process.execPath), '/usr/local/bin/node')
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
  buildah('copy', container, npm, '/usr/local/lib/node_modules/npm')
  buildah(
    'run',
    '--isolation',
    'chroot',
    container,
    '--',
    'ln',
    '-s',
    '/usr/local/lib/node_modules/npm/bin/npm-cli.js',
    '/usr/local/bin/npm',
  )
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates !== undefined) {
    buildah('copy', container, certificates, '/etc/ssl/extra.pem')
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/extra.pem', container)
  }
  buildah('commit', container, base)
  buildah('rm', container)
}

/** Storage without a kernel file system of layers, which root in a restricted machine may not mount. */
function buildah(...args: readonly string[]): string {
  const output = execFileSync('buildah', args, {
    encoding: 'utf8',
    env: { ...process.env, STORAGE_DRIVER: 'vfs' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return output.trim()
}
