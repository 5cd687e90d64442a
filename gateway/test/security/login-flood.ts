/**
 * Attack: 1,000 logins per second with invented client ids, each from its own address, while customers
 * request tokens, some of whom have a token already and some of whom are new to this process. Customers must
 * get every token, with a p99 below one second.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Credentials } from '../support/processes/account-client.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import { computeSpread } from '../support/measure/statistics.ts'
import { openAttackedInstallation } from './attack.ts'
import type { AttackInstallation } from './running-installation.ts'
import { runAttack, type AttackOutcome } from './outcome.ts'
import { LoginClient, type LoginResponse } from './login-client.ts'

const perSecond = 1_000
/** The short form runs on busy machines, so only success is checked and not the time. */
const isShort = process.env.POSTERN_SHORT_ATTACKS === 'yes'
const seconds = isShort ? 3 : 10
const customers = 6
const ticksPerSecond = 20
const middleTick = (seconds * ticksPerSecond) / 2
const maxP99Ms = isShort ? Infinity : 1_000

async function flood(installation: AttackInstallation): Promise<AttackOutcome> {
  const accounts: Credentials[] = []
  for (let n = 0; n < customers; n++)
    accounts.push(await createAccount(installation.environment, `customer ${n}`))
  const findings: string[] = []
  const addressOf = (n: number): string => `192.0.2.${n + 1}`
  const loginAll = async (url: string): Promise<void> => {
    const client = new LoginClient(url, 2)
    for (const [n, { clientId, password }] of accounts.entries())
      await client.login(clientId, password, addressOf(n))
  }
  const before = await installation.startGateway('api', 'api-before')
  await before.untilReady()
  await loginAll(before.url)
  // Stopping stores the customers' addresses. Another process knows them, but none of the passwords.
  await before.stop()
  const api = await installation.startGateway('api', 'api')
  await api.untilReady()

  const attacker = new LoginClient(api.url, 200)
  const customer = new LoginClient(api.url, customers)
  const statuses = new Map<number, number>()
  const times: number[] = []
  const firstTimes: number[] = []
  const pending: Promise<unknown>[] = []
  const note = (answer: LoginResponse): void => {
    statuses.set(answer.httpStatus, (statuses.get(answer.httpStatus) ?? 0) + 1)
  }
  const noAnswer = (error: unknown): void => {
    findings.push(`a customer got no response: ${(error as Error).message}`)
  }
  const began = performance.now()
  let sent = 0
  for (let tick = 0; tick < seconds * ticksPerSecond; tick++) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond) + perSecond / ticksPerSecond
    for (; sent < due; sent++) {
      const address = `2001:db8:${(sent >> 16).toString(16)}:${(sent & 0xffff).toString(16)}::1`
      pending.push(
        attacker.login(`id-${randomBytes(8).toString('hex')}`, 'guess', address).then(note, () => undefined),
      )
    }
    // Half of the customers start at the beginning, the others in the middle.
    const [n, isFirst] = [
      tick % customers,
      tick < customers || (tick >= middleTick && tick < middleTick + customers),
    ]
    const { clientId, password } = accounts[n]!
    if (n < customers / 2 || tick >= middleTick)
      pending.push(
        customer.login(clientId, password, addressOf(n)).then((answer) => {
          ;(isFirst ? firstTimes : times).push(answer.ms)
          if (answer.httpStatus !== 200)
            findings.push(`a customer got ${answer.httpStatus} ${answer.body.code}, expected a token`)
        }, noAnswer),
      )
    await pause(1000 / ticksPerSecond)
  }
  const floodSeconds = (performance.now() - began) / 1000
  await Promise.all(pending)
  const all = computeSpread([...times, ...firstTimes])
  const firstSpread = computeSpread(firstTimes)
  if (all.p99 >= maxP99Ms) findings.push(`p99 of a customer's token is ${all.p99.toFixed(0)} ms`)
  if ((statuses.get(200) ?? 0) > 0) findings.push('an invented login got a token')
  const counts = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
  return {
    findings,
    figures: [
      `${(sent / floodSeconds).toFixed(0)} invented logins per second for ${floodSeconds.toFixed(0)} s, responses ${counts.join(', ')}`,
      `${all.count} tokens of customers: p50 ${all.p50.toFixed(0)} ms, p99 ${all.p99.toFixed(0)} ms, max ${all.max.toFixed(0)} ms`,
      `${firstSpread.count} of them were the first of this process, with a password check: max ${firstSpread.max.toFixed(0)} ms`,
    ],
  }
}

await runAttack(async () => {
  const installation = await openAttackedInstallation()
  let outcome: AttackOutcome | undefined
  try {
    outcome = await flood(installation)
    return outcome
  } finally {
    await installation.close(outcome === undefined || outcome.findings.length > 0)
  }
})
