/** Checks the files of a release with the programs that read them. Each function returns a summary. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installDebianPackagesAsRoot } from '../../engines/apt.ts'
import { helm } from '../../deploy/chart.ts'
import { architectures } from '../package/linux-stage.ts'
import { packages } from '../package/stage.ts'
import { sumLine, sums } from '../build-files.ts'
import { readSums } from './provenance.ts'

export function verifySums(out: string): string {
  const lines = readSums(out)
  for (const { name, sha256 } of lines)
    if (!sumLine(out, name).startsWith(sha256)) throw new Error(`${name} does not have its checksum`)
  return `${lines.length} files have the checksums of ${sums}`
}

export function verifyNpm(version: string, out: string): string {
  for (const name of packages) {
    const file = join(out, `postern-${name}-${version}.tgz`)
    const manifest = JSON.parse(read('tar', '-xzOf', file, 'package/package.json')) as Record<string, unknown>
    const files = read('tar', '-tzf', file).split('\n')
    if (manifest.version !== version || manifest.private !== undefined)
      throw new Error(`${file}: wrong manifest`)
    for (const path of Object.values((manifest.bin ?? {}) as Record<string, string>))
      if (!files.includes(`package/${path}`)) throw new Error(`${file} lacks its program ${path}`)
    if (files.some((path) => /\.(?:test\.\w+|env|pem|key)$/.test(path)))
      throw new Error(`${file} has surplus files`)
  }
  return `${packages.length} npm packages: manifest, programs, no tests`
}

export function verifyLinux(version: string, out: string): string {
  if (!existsSync('/usr/bin/rpm')) installDebianPackagesAsRoot(['rpm'])
  for (const architecture of architectures) {
    const base = join(out, `postern_${version}_${architecture}`)
    const deb = read('dpkg-deb', '--field', `${base}.deb`, 'Version', 'Architecture')
    if (!deb.includes(`Version: ${version}`) || !deb.includes(`Architecture: ${architecture}`))
      throw new Error(`${base}.deb: ${deb}`)
    const machine = { amd64: 'x86_64', arm64: 'aarch64' }[architecture]
    const rpm = read('rpm', '--query', '--package', '--queryformat', '%{VERSION} %{ARCH}', `${base}.rpm`)
    if (rpm !== `${version} ${machine}`) throw new Error(`${base}.rpm: ${rpm}`)
    read('rpm', '--checksig', '--nosignature', `${base}.rpm`)
    const extract = 'dpkg-deb --fsys-tarfile "$0" | tar -xO ./usr/lib/postern/node'
    const node = execFileSync('sh', ['-c', extract, `${base}.deb`], { maxBuffer: 512 * 1024 * 1024 })
    // The field `e_machine` of an ELF file.
    if (node.readUInt16LE(18) !== { amd64: 0x3e, arm64: 0xb7 }[architecture])
      throw new Error(`${base}.deb: Node is for another machine`)
  }
  return `.deb and .rpm for ${architectures.join(' and ')}: version, machine, Node, digests`
}

export function verifyChart(version: string, out: string): string {
  const file = join(out, `postern-${version}.tgz`)
  if (!read(helm(), 'show', 'chart', file).includes(`version: ${version}`))
    throw new Error(`${file}: wrong version`)
  const values = [
    'image.repository=registry.example/postern',
    'secret=postern',
    'database.address=database/postern',
  ]
  const rendered = read(
    helm(),
    'template',
    'postern',
    file,
    '--kube-version',
    '1.34.0',
    '--set',
    values.join(','),
  )
  const image = `image: "registry.example/postern:${version}"`
  if (!rendered.includes(image)) throw new Error(`${file} does not render ${image}`)
  return 'the packed chart renders with the image of its version'
}

export function verifyDocuments(version: string, out: string): string {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(out, name), 'utf8'))
  const bom = read('postern.cdx.json') as {
    components: unknown[]
    metadata: { component: { version: string } }
  }
  if (bom.metadata.component.version !== version) throw new Error('the bill of materials has another version')
  const documents = readdirSync(out).filter((name) => name.startsWith('openapi.'))
  for (const name of documents)
    if (Object.keys((read(name) as { paths: object }).paths).length === 0)
      throw new Error(`${name} has no path`)
  return `bill of materials with ${bom.components.length} components; ${documents.join(', ')}`
}

function read(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
