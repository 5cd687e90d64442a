// `npm run artefacts [-- package image deb cluster]`: makes each artefact that is published, installs it where the repository cannot be seen, and
// sends a first message with it; then installs the chart on an API server of Kubernetes, upgrades it and rolls it back. The engines are those of the
// environment or the project's own (with-services.ts).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDeb } from './artefacts/deb.ts'
import { sendFirstMessage } from './artefacts/first-message.ts'
import { buildImage } from './artefacts/image.ts'
import type { Installed } from './artefacts/installed.ts'
import { installPackages } from './artefacts/packages.ts'
import { checkCluster } from './deploy/cluster.ts'
import { print, seconds } from './services/print.ts'

/** Each makes an artefact in the given folder, uses it and says what it did. */
const artefacts: Record<string, (folder: string) => Promise<string>> = {
  package: sendsWith('package', installPackages),
  image: sendsWith('image', buildImage),
  deb: sendsWith('deb', installDeb),
  cluster: checkCluster,
}

function sendsWith(
  name: string,
  install: (folder: string) => Installed,
): (folder: string) => Promise<string> {
  return async (folder) => {
    const from = performance.now()
    print(`${name}: making and installing it`)
    const installed = install(folder)
    print(`${name}: installed (${seconds(from)})`)
    try {
      await sendFirstMessage(installed, folder, (line) => print(`${name}: ${line}`))
    } finally {
      installed.remove()
    }
    return 'a first message is sent and reported'
  }
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(artefacts)
let failed = 0
for (const name of chosen) {
  const check = artefacts[name]
  if (check === undefined)
    throw new Error(`no artefact ${name}; choose of ${Object.keys(artefacts).join(', ')}`)
  const from = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'postern-artefact-'))
  try {
    print(`${name}: ok, ${await check(folder)} (${seconds(from)})`)
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    failed += 1
    print(`${name}: FAILED: ${(error as Error).message}\nIts files and logs are in ${folder}`)
  }
}
print(`${chosen.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
