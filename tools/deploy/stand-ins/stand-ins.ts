/**
 * Builds the stand-ins under the names of the official images, once. They take the names in a Docker daemon
 * that belongs to the suite, never in that of the machine.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installDebianPackagesAsRoot } from '../../engines/apt.ts'
import { print } from '../../engines/print.ts'

const packages = ['ca-certificates', 'postgresql-17', 'rabbitmq-server', 'valkey-server', 'haproxy']

/** `docker` runs the client of the daemon. */
export function buildStandIns(docker: (...args: string[]) => string): void {
  const file = join(import.meta.dirname, 'compose.yaml')
  const names = docker('compose', '--file', file, 'config', '--images').split('\n')
  if (names.every((name) => docker('images', '--quiet', name) !== '')) return
  docker('import', debianWithEngines(), 'postern-stand-ins')
  const folder = mkdtempSync(join(tmpdir(), 'postern-stand-ins-'))
  try {
    cpSync(import.meta.dirname, folder, { recursive: true })
    copyFileSync(realpathSync(process.execPath), join(folder, 'node'))
    const npm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()
    cpSync(dirname(dirname(realpathSync(npm))), join(folder, 'npm'), { recursive: true })
    // Packages are fetched during a build, on machines whose network has an authority of its own.
    const certificates = process.env.NODE_EXTRA_CA_CERTS ?? '/etc/ssl/certs/ca-certificates.crt'
    copyFileSync(certificates, join(folder, 'certificates.pem'))
    print(`building stand-ins for ${names.join(', ')}`)
    docker('compose', '--project-directory', folder, 'build')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the archive of Debian 13 with the engines. It is kept between runs. */
function debianWithEngines(): string {
  const archive = '/var/tmp/postern-stand-ins.tar'
  if (existsSync(archive)) return archive
  print(`creating Debian 13 with ${packages.join(', ')} (two minutes, once)`)
  if (!existsSync('/usr/bin/mmdebstrap')) installDebianPackagesAsRoot(['mmdebstrap'])
  const options = ['--variant=minbase', '--format=tar', `--include=${packages.join(',')}`]
  execFileSync('mmdebstrap', [...options, 'trixie', `${archive}.new`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  renameSync(`${archive}.new`, archive)
  return archive
}
