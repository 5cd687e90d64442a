/**
 * Installs the peers: archives from Maven Central, Go programs and Python environments in pinned versions, and
 * Debian packages in the version of the distribution. Everything but Debian's packages is kept below /var/tmp
 * for all checkouts; other versions have other folders.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installDebianPackagesAsRoot } from '../../../../tools/engines/apt.ts'
import { isRoot, shortHash } from '../../../../tools/engines/paths.ts'

export const peerPrograms = join(import.meta.dirname, 'programs')
/** Returns a folder whose name depends on the contents of the files. */
function folderOf(name: string, ...files: readonly string[]): string {
  const texts = files.map((file) => readFileSync(join(peerPrograms, file), 'utf8'))
  return `/var/tmp/postern-peers-${name}-${shortHash(texts.join())}`
}

const goSources = ['go/go.mod', ...['carrier', 'go-smpp', 'gosmpp'].map((name) => `go/${name}/main.go`)]
export const jars = folderOf('java', 'java/pom.xml')
export const goPrograms = folderOf('go', ...goSources)
const libraries = folderOf('python', 'python/requirements.txt')
export const python = join(libraries, 'bin/python')
export const jasmin = folderOf('jasmin', 'python/jasmin.txt')
/** A file that Jasmin reads and that its package does not contain. */
export const amqpSpecification = '/usr/share/amqp/specs/0-9-1/amqp0-9-1.stripped.xml'

/** The target appears only when it is complete, so a killed run leaves no partial installation. */
function once(target: string, install: (into: string) => void): void {
  if (existsSync(target)) return
  const into = `${target}.new`
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  install(into)
  renameSync(into, target)
}

export function installJars(): void {
  once(jars, (into) =>
    run('mvn', [
      ...['-q', '-f', join(peerPrograms, 'java/pom.xml'), 'dependency:copy-dependencies'],
      `-DoutputDirectory=${into}`,
    ]),
  )
}

export function buildGo(): void {
  once(goPrograms, (into) => {
    // Build from a copy, because go writes into its source folder.
    const source = `${into}-source`
    cpSync(join(peerPrograms, 'go'), source, { recursive: true })
    run('go', ['build', '-mod=readonly', '-o', `${into}/`, './...'], source)
    rmSync(source, { recursive: true })
  })
}

export function installPython(): void {
  installEnvironment(libraries, 'requirements.txt')
}

export function installJasmin(): void {
  requirePackage('amqp-specs')
  installEnvironment(jasmin, 'jasmin.txt')
}

function installEnvironment(into: string, requirements: string): void {
  const marker = join(into, 'complete')
  if (existsSync(marker)) return
  // Installed in place: its programs contain the path of the folder.
  rmSync(into, { recursive: true, force: true })
  run('python3', ['-m', 'venv', into])
  const file = join(peerPrograms, 'python', requirements)
  run(join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--no-compile', '-r', file])
  mkdirSync(marker)
}

const packages: Readonly<Record<string, string>> = {
  'libnet-smpp-perl': '/usr/share/perl5/Net/SMPP.pm',
  kannel: '/usr/sbin/bearerbox',
  tshark: '/usr/bin/tshark',
  'amqp-specs': amqpSpecification,
}

/** Requires root if a package is missing. */
export function installDebianPackages(): void {
  const missing = Object.keys(packages).filter((name) => !existsSync(packages[name]!))
  if (missing.length === 0) return
  if (!isRoot) throw new Error(`run as root: apt-get install --no-install-recommends ${missing.join(' ')}`)
  installDebianPackagesAsRoot(missing)
}

export function requirePackage(name: string): void {
  if (!existsSync(packages[name]!))
    throw new Error(`Debian package ${name} is missing; run npm run suite -- peers --install as root`)
}

function run(program: string, args: readonly string[], cwd?: string): void {
  try {
    execFileSync(program, args, { stdio: 'pipe', timeout: 600_000, ...(cwd === undefined ? {} : { cwd }) })
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer }
    const why = code === 'ENOENT' ? 'it is not installed' : (stderr?.toString().slice(-500) ?? '')
    throw new Error(`${program} failed: ${why}`, { cause: error })
  }
}
