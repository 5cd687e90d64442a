/** `node tools/release/sbom.ts`: prints the bill of materials of a production installation as CycloneDX JSON. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBom, type LockedPackage } from './supply/bom.ts'

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>
}
process.stdout.write(`${JSON.stringify(createBom(lock.packages, 'gateway', '@postern/gateway'), null, 2)}\n`)
