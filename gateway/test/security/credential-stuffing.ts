/**
 * Attack: leaked pairs of client id and password are tried: many ids from one address, many from one IPv6
 * network, and many passwords for one id. Only a limited number may be checked, the response must not reveal
 * whether an id exists, and a customer at the same address must not be locked out.
 */
import { createAccount } from '../support/processes/postern-command.ts'
import type { TestInstallation } from '../support/processes/test-installation.ts'
import { openShippedInstallation } from './attack.ts'
import { runAttack, type AttackOutcome } from './outcome.ts'
import { LoginClient } from './login-client.ts'

/** Low, so that at most one is refilled before the next request of this test, even on a busy machine. */
const perAddress = 8
const perClient = 3
/** Number of concurrent requests. */
const atOnce = 4

async function attack(installation: TestInstallation): Promise<AttackOutcome> {
  const findings: string[] = []
  const figures: string[] = []
  const [customer, victim] = [
    await createAccount(installation.environment, 'customer'),
    await createAccount(installation.environment, 'victim'),
  ]
  const api = await installation.startGateway('api', 'api')
  await api.untilReady()
  const client = new LoginClient(api.url, atOnce)
  const shared = '198.51.100.1'
  if ((await client.login(customer.clientId, customer.password, shared)).httpStatus !== 200)
    findings.push('the customer got no token before the attack')

  /** Returns true if the password was checked, false if the request was rejected unchecked. */
  async function guess(label: string, n: number, clientId: string, address: string): Promise<boolean> {
    const { httpStatus, body } = await client.login(clientId, `leaked-${n}`, address)
    if (httpStatus !== 401 && httpStatus !== 429) findings.push(`${label}: ${httpStatus} ${body.code}`)
    return httpStatus === 401
  }

  /** Tries passwords. The limit refills during the run, so more may be checked than the limit says. */
  async function stuff(label: string, tries: number, limit: number, next: (n: number) => [string, string]) {
    const began = performance.now()
    let checked = 0
    for (let n = 0; n < tries; n += atOnce) {
      const numbers = Array.from({ length: atOnce }, (_, nth) => n + nth)
      const answers = await Promise.all(numbers.map((one) => guess(label, one, ...next(one))))
      checked += answers.filter(Boolean).length
    }
    const seconds = (performance.now() - began) / 1000
    const maxChecked = limit + Math.ceil((limit * seconds) / 60)
    figures.push(`${label}: ${checked} of ${tries} were checked, the limit is ${limit} per minute`)
    if (checked > maxChecked) findings.push(`${label}: ${checked} were checked; limit ${maxChecked}`)
    if (checked < limit) findings.push(`${label}: ${checked} were checked, the limit allows ${limit}`)
  }

  /** Uses up the refilled limit of the address, so that the next request of a stranger exceeds it. */
  async function useUp(address: string): Promise<void> {
    const label = 'one more id from one address'
    for (let n = 0; n < 1_000; n++) if (await guess(label, n, `further-${n}`, address)) return
    findings.push(`${label}: none was checked`)
  }

  await stuff('many ids from one address', 32, perAddress, (n) => [`leaked-${n}`, shared])
  const again = await client.login(customer.clientId, customer.password, shared)
  if (again.httpStatus !== 200) findings.push('a customer at the address of the attack is locked out')
  await useUp(shared)
  const correct = await client.login(victim.clientId, victim.password, shared)
  if (correct.httpStatus !== 429)
    findings.push(`a correct pair was found after the limit: ${correct.httpStatus}`)

  await stuff('many ids from one IPv6 network', 32, perAddress, (n) => [
    `leaked-${n}`,
    `2001:db8::${n.toString(16)}`,
  ])
  await stuff('many passwords for one id', 12, perClient, () => [victim.clientId, '203.0.113.5'])
  if ((await client.login(victim.clientId, victim.password, '203.0.113.6')).httpStatus !== 200)
    findings.push('guesses from another address lock the customer out')

  const known = await client.login(customer.clientId, 'wrong', '203.0.113.7')
  const unknown = await client.login('does-not-exist', 'wrong', '203.0.113.8')
  if (known.httpStatus !== unknown.httpStatus || JSON.stringify(known.body) !== JSON.stringify(unknown.body))
    findings.push('the response reveals whether a client id exists')
  return { findings, figures }
}

await runAttack(async () => {
  const installation = await openShippedInstallation({
    POSTERN_TOKEN_ADDRESS_FAILURES_PER_MINUTE: String(perAddress),
    POSTERN_TOKEN_FAILURES_PER_MINUTE: String(perClient),
    // A process that waits longer than this for Redis starts its own bucket, which could happen at any time
    // on a busy machine.
    POSTERN_LIMIT_WAIT_MS: '2000',
  })
  let outcome: AttackOutcome | undefined
  try {
    outcome = await attack(installation)
    return outcome
  } finally {
    await installation.close(outcome === undefined || outcome.findings.length > 0)
  }
})
