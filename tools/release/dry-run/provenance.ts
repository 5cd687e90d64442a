/**
 * Writes the provenance of a dry run as an in-toto statement with the SLSA predicate: from which commit, lockfile
 * and base images each file and image was built. The forge writes and signs that of a release.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { projectRoot } from '../../engines/paths.ts'
import { git, sums } from '../build-files.ts'
import type { BuiltImage } from './images.ts'

export const provenanceFile = 'provenance.json'

export function writeProvenance(out: string, images: readonly BuiltImage[]): void {
  const lockfile = readFileSync(join(projectRoot, 'package-lock.json'))
  const bases = readFileSync(join(projectRoot, 'Containerfile'), 'utf8').matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      ...readSums(out).map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      ...images.map(({ name, architecture, digest }) => ({
        name: `${name} (${architecture})`,
        digest: { sha256: digest.replace('sha256:', '') },
      })),
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release -- --dry-run',
        externalParameters: Object.fromEntries([...bases].map(([, name, image]) => [name, image])) as unknown,
        resolvedDependencies: [
          { name: 'commit', digest: { gitCommit: git('rev-parse', 'HEAD') } },
          {
            name: 'package-lock.json',
            digest: { sha256: createHash('sha256').update(lockfile).digest('hex') },
          },
        ],
      },
      runDetails: { builder: { id: 'dry-run' } },
    },
  }
  writeFileSync(join(out, provenanceFile), `${JSON.stringify(statement, null, 2)}\n`)
}

export function readSums(out: string): readonly { readonly name: string; readonly sha256: string }[] {
  return readFileSync(join(out, sums), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ sha256: line.slice(0, 64), name: line.slice(66) }))
}
