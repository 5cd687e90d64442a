// `npm run suite -- deploy [containerfile scripts units chart cluster]`: checks the installation
// files, each with the parser of the program that reads them. `chart` builds Helm and kubeconform with Go once,
// in some minutes. `cluster` runs only when it is named: it builds an API server of Kubernetes, in ten minutes, and
// installs the chart on it.

import { checkChart } from './chart.ts'
import { checkCluster } from './cluster.ts'
import { checkContainerfile, checkScripts, checkUnits } from './files.ts'
import { print, formatElapsed } from '../engines/print.ts'

const checks: Record<string, () => string | Promise<string>> = {
  containerfile: checkContainerfile,
  scripts: checkScripts,
  units: checkUnits,
  chart: checkChart,
  cluster: checkCluster,
}

const chosen =
  process.argv.length > 2 ? process.argv.slice(2) : Object.keys(checks).filter((name) => name !== 'cluster')
let failed = 0
for (const name of chosen) {
  const check = checks[name]
  if (check === undefined)
    throw new Error(`check '${name}' not found; choose from ${Object.keys(checks).join(', ')}`)
  const from = performance.now()
  try {
    print(`${name}: ok, ${await check()} (${formatElapsed(from)})`)
  } catch (error) {
    failed += 1
    print(`${name}: FAILED: ${(error as Error).message}`)
  }
}
print(`${chosen.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
