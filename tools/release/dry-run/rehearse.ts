/**
 * `npm run release -- --dry-run`: builds and verifies everything that a release publishes, without publishing
 * it, and lists what a person still has to do.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Report } from '../../engines/step-report.ts'
import { print } from '../../engines/print.ts'
import { buildFiles, git, sums } from '../build-files.ts'
import { findProblems } from '../findings.ts'
import { buildImages, verifyImages, type BuiltImage } from './images.ts'
import { provenanceFile, writeProvenance } from './provenance.ts'
import { signAndVerify } from './sign.ts'
import { verifyChart, verifyDocuments, verifyLinux, verifyNpm, verifySums } from './verify-files.ts'

/** What no program of this repository can do. */
const byHand = [
  'tag the commit with a signed tag and push it',
  'npm: a trusted publisher for each package, and the environment `npm` with reviewers',
  'forge: protected tags `v*`, and write access of the workflow to its registry',
  'verify the attestations of the published files and images',
  'set tools/release/previous.json to the release in the next commit',
]

/** Returns the exit code. */
export async function rehearse(version: string, out: string): Promise<number> {
  const report = new Report()
  const step = (name: string, run: () => string): Promise<boolean> =>
    report.step(name, () => Promise.resolve().then(run))
  let images: readonly BuiltImage[] = []
  await step('build every file', () => {
    buildFiles(version, out)
    return out
  })
  await step('build the images', () => {
    images = buildImages(version)
    writeFileSync(
      join(out, 'IMAGES'),
      images.map(({ name, architecture, digest }) => `${digest}  ${name} ${architecture}\n`).join(''),
    )
    return images.map(({ name, architecture, digest }) => `${name} ${architecture} ${digest}`).join('\n')
  })
  await step('checksums', () => verifySums(out))
  await step('npm packages', () => verifyNpm(version, out))
  await step('Linux packages', () => verifyLinux(version, out))
  await step('chart', () => verifyChart(version, out))
  await step('documents', () => verifyDocuments(version, out))
  await step('images', () => verifyImages(version, images))
  await step('provenance and signature', () => {
    writeProvenance(out, images)
    return `${provenanceFile}; ${signAndVerify(join(out, sums))}`
  })
  const changed = git('status', '--porcelain')
  print('\nLeft for a person:')
  for (const problem of findProblems(version)) print(`- ${problem}`)
  if (changed !== '') print(`- commit or remove ${changed.split('\n').length} changed files`)
  for (const action of byHand) print(`- ${action}`)
  print(`\nThe same commit gives the same ${sums} and IMAGES: compare those of another run.`)
  print(`${report.rows.length - report.failed} passed, ${report.failed} failed`)
  return report.failed === 0 ? 0 : 1
}
