// `npm run deploy:check [-- compose containerfile scripts units chart cluster]`: checks the files by which Postern is installed, each with the
// parser of the program that will read them. For `chart` Go builds Helm once, in some minutes; for `cluster`, which installs the chart on an API
// server of Kubernetes and is run only when it is named, that server, in ten.

import { checkChart } from './deploy/chart.ts'
import { checkCluster } from './deploy/cluster.ts'
import { checkCompose } from './deploy/compose.ts'
import { checkContainerfile, checkScripts, checkUnits } from './deploy/files.ts'
import { print, seconds } from './services/print.ts'

const checks: Record<string, () => string | Promise<string>> = {
  compose: checkCompose,
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
  if (check === undefined) throw new Error(`no check ${name}; choose of ${Object.keys(checks).join(', ')}`)
  const from = performance.now()
  try {
    print(`${name}: ok, ${await check()} (${seconds(from)})`)
  } catch (error) {
    failed += 1
    print(`${name}: FAILED: ${(error as Error).message}`)
  }
}
print(`${chosen.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
