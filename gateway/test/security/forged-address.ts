/**
 * `node gateway/test/security/forged-address.ts`: a pod in the cluster guesses passwords, and names another client address in
 * each request. With the values that the Helm chart gives an API without Ingress, the limits per address must count them
 * together.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAccount } from '../support/processes/postern-command.ts'
import { projectRoot } from '../support/processes/program.ts'
import { openShippedInstallation } from './attack.ts'
import { LoginClient } from './login-client.ts'
import { runAttack } from './outcome.ts'

const guesses = 100
/** Default of POSTERN_TOKEN_FAILURES_PER_MINUTE. */
const perMinute = 10

/** Returns the defaults of the chart for an API with and without Ingress, in this order. */
function readChartDefaults(): readonly Readonly<Record<string, string>>[] {
  const template = readFileSync(join(projectRoot, 'deploy/helm/postern/templates/processes.yaml'), 'utf8')
  const line = template.split('\n').find((text) => text.includes('"POSTERN_PROXY_HOPS"')) ?? ''
  return [...line.matchAll(/\(dict ([^)]*)\)/g)].map(([, pairs]) =>
    Object.fromEntries(
      [...pairs!.matchAll(/"([^"]+)" "([^"]+)"/g)].map(([, name, value]) => [name!, value!]),
    ),
  )
}

await runAttack(async () => {
  const [, withoutIngress] = readChartDefaults()
  if (withoutIngress?.['POSTERN_PROXY_HOPS'] === undefined)
    throw new Error('the template names no proxy hops')
  const installation = await openShippedInstallation()
  const findings: string[] = []
  try {
    const { clientId, password } = await createAccount(installation.environment, 'customer')
    const api = await installation.startGateway('api', 'api', withoutIngress)
    await api.untilReady()
    const client = new LoginClient(api.url, 1)
    const began = performance.now()
    let checked = 0
    for (let n = 0; n < guesses; n++) {
      const { httpStatus } = await client.login(clientId, `guess ${n}`, `192.0.2.${n + 1}:${40_000 + n}`)
      if (httpStatus === 401) checked++
    }
    // The limit is full at the beginning, and refills evenly.
    const allowed = perMinute * (1 + (performance.now() - began) / 60_000) + 1
    if (checked > allowed)
      findings.push(`${checked} passwords were checked, with a limit of ${perMinute} per minute`)
    const { httpStatus } = await client.login(clientId, password, '192.0.2.250')
    if (httpStatus === 200) findings.push('a forged address evades the limit of the address that guessed')
    return {
      findings,
      figures: [
        `${guesses} guesses under forged addresses with ${JSON.stringify(withoutIngress)}: ${checked} checked`,
      ],
    }
  } finally {
    await installation.close(findings.length > 0)
  }
})
