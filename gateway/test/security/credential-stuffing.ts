/**
 * Pairs of client id and password from someone else's leak: many ids from one address, from one IPv6 network, and many
 * passwords for one id. Only a bounded number is checked, the answer does not tell whether an id exists, and a customer who
 * uses the same address is not locked out.
 */
import { createAccount } from '../support/processes/postern-command.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { runAttack, type Outcome } from './outcome.ts'
import { LoginClient } from './login-client.ts'

const perAddress = 20
const perClient = 5

async function attack(installation: TestInstallation): Promise<Outcome> {
  const findings: string[] = []
  const figures: string[] = []
  const [customer, victim] = [
    await createAccount(installation.environment, 'customer'),
    await createAccount(installation.environment, 'victim'),
  ]
  const api = await installation.startGateway('api', 'api')
  await api.untilReady()
  const client = new LoginClient(api.url, 4)
  const shared = '198.51.100.1'
  if ((await client.login(customer.clientId, customer.password, shared)).httpStatus !== 200)
    findings.push('the customer got no token before the attack')

  /** Returns how many were checked. One more is allowed: the limit refills a little meanwhile. */
  async function stuff(what: string, tries: number, limit: number, next: (n: number) => [string, string]) {
    let checked = 0
    for (let n = 0; n < tries; n++) {
      const [clientId, address] = next(n)
      const { httpStatus, body } = await client.login(clientId, `leaked-${n}`, address)
      if (httpStatus === 401) checked++
      else if (httpStatus !== 429) findings.push(`${what}: ${httpStatus} ${body.code}`)
    }
    const seconds = (performance.now() - began) / 1000
    const most = limit + Math.ceil((limit * seconds) / 60)
    figures.push(`${what}: ${checked} of ${tries} were checked, the limit is ${limit} a minute`)
    if (checked > most) findings.push(`${what}: ${checked} were checked, at most ${most} may be`)
  }

  let began = performance.now()
  await stuff('many ids from one address', 60, perAddress, (n) => [`leaked-${n}`, shared])
  const again = await client.login(customer.clientId, customer.password, shared)
  if (again.httpStatus !== 200) findings.push('a customer at the address of the attack is locked out')
  const guess = await client.login(victim.clientId, victim.password, shared)
  if (guess.httpStatus !== 429) findings.push(`a correct pair was found after the limit: ${guess.httpStatus}`)

  began = performance.now()
  await stuff('many ids from one IPv6 network', 60, perAddress, (n) => [
    `leaked-${n}`,
    `2001:db8::${n.toString(16)}`,
  ])
  began = performance.now()
  await stuff('many passwords for one id', 20, perClient, () => [victim.clientId, '203.0.113.5'])
  if ((await client.login(victim.clientId, victim.password, '203.0.113.6')).httpStatus !== 200)
    findings.push('guesses from another address lock the customer out')

  const known = await client.login(customer.clientId, 'wrong', '203.0.113.7')
  const unknown = await client.login('does-not-exist', 'wrong', '203.0.113.8')
  if (known.httpStatus !== unknown.httpStatus || JSON.stringify(known.body) !== JSON.stringify(unknown.body))
    findings.push('the answer tells whether a client id exists')
  return { findings, figures }
}

await runAttack(async () => {
  const installation = await TestInstallation.open({
    POSTERN_PROXY_HOPS: '1',
    POSTERN_TOKEN_ADDRESS_FAILURES_PER_MINUTE: String(perAddress),
    POSTERN_TOKEN_FAILURES_PER_MINUTE: String(perClient),
  })
  let outcome: Outcome | undefined
  try {
    outcome = await attack(installation)
    return outcome
  } finally {
    await installation.close(outcome === undefined || outcome.findings.length > 0)
  }
})
