/**
 * One account, eight API processes, one Redis: driven above its limit, the account gets its rate and its burst together
 * as if there were one process. Demand is paced, so that the machine is not the limit.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AccountClient, type SendAnswer } from '../support/processes/account-client.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import type { Gateway } from '../support/processes/gateway.ts'
import type { HttpAnswer } from '../support/processes/json-http.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'

const processes = 8
const perSecond = 100
const burst = perSecond
const seconds = 10
/** Of each process; together more than twice the limit. */
const demandPerSecond = 30
const connections = 12

interface Tally {
  readonly accepted: number
  readonly refused: number
  readonly others: string[]
  /** From the first request to the last accepted answer: the grants lie within. */
  readonly maxSeconds: number
  /** From the first answer to the last accepted request: the grants reach at least so far. */
  readonly minSeconds: number
}

test('eight processes grant together what the limit says, within 2 %', async (t) => {
  // The limit is exact while Redis answers in time; on a busy machine that takes longer.
  const installation = await TestInstallation.open({ POSTERN_LIMIT_WAIT_MS: '2000' })
  let failed = true
  t.after(() => installation.close(failed))
  const credentials = await createAccount(
    installation.environment,
    'limited',
    '--send-limit',
    String(perSecond),
  )
  const gateways: Gateway[] = []
  // Two at a time: all at once they would time out waiting for each other and for the broker.
  while (gateways.length < processes) {
    const pair = await Promise.all(
      [1, 2].map((n) => installation.startGateway('api', `api-${gateways.length + n}`)),
    )
    await Promise.all(pair.map((gateway) => gateway.untilReady(60_000)))
    gateways.push(...pair)
  }
  const clients = gateways.map((gateway) => new AccountClient(gateway.url, credentials, { connections }))
  for (const client of clients) {
    await waitFor('a token', async () => (await client.login()).httpStatus === 200, {
      timeoutMs: 10_000,
      everyMs: 200,
    })
  }

  const tally = await drive(clients)
  const max = perSecond * tally.maxSeconds + burst
  const min = perSecond * tally.minSeconds + burst
  const asked = tally.accepted + tally.refused
  t.diagnostic(`${tally.accepted} of ${asked} accepted; allowed ${min.toFixed(0)} to ${max.toFixed(0)}`)
  for (const client of clients) client.close()
  for (const gateway of gateways) {
    assert.equal(await gateway.metric('postern_limits_shared'), 1, `${gateway.name} limited on its own`)
  }
  assert.deepEqual(tally.others, [])
  assert.ok(asked > max * 1.2, `demand was too low for a result: ${asked}`)
  assert.ok(tally.accepted <= max * 1.02, `too many: ${tally.accepted} of ${max}`)
  assert.ok(tally.accepted >= min * 0.98, `too few: ${tally.accepted} of ${min}`)
  assert.deepEqual(installation.unexpectedExits, [])
  failed = false
})

async function drive(clients: readonly AccountClient[]): Promise<Tally> {
  const started = performance.now()
  const until = started + seconds * 1000
  let accepted = 0
  let refused = 0
  let [firstAnswerAt, lastAcceptedAt, lastGrantedAsk] = [Infinity, started, started]
  const others: string[] = []
  const note = (askedAt: number, { httpStatus, body, headers }: HttpAnswer<SendAnswer>): void => {
    firstAnswerAt = Math.min(firstAnswerAt, performance.now())
    if (httpStatus === 200) {
      accepted++
      lastAcceptedAt = performance.now()
      lastGrantedAsk = Math.max(lastGrantedAsk, askedAt)
    } else if (httpStatus === 429 && body.code === 'A020' && headers['retry-after'] === '1') refused++
    else others.push(`${httpStatus} ${JSON.stringify(body)}`)
  }
  const everyMs = 1000 / demandPerSecond
  const body = { from: '0212345678', to: '01000000000', text: 'as many as may be' }
  await Promise.all(
    clients.map(async (client) => {
      const waiting: Promise<void>[] = []
      while (performance.now() < until) {
        // As many as are due: a client that was held up catches up.
        while (waiting.length * everyMs < performance.now() - started) {
          const askedAt = performance.now()
          waiting.push(client.send('sms', body).then((answer) => note(askedAt, answer)))
        }
        await pause(everyMs)
      }
      await Promise.all(waiting)
    }),
  )
  return {
    accepted,
    refused,
    others,
    maxSeconds: (lastAcceptedAt - started) / 1000,
    minSeconds: (lastGrantedAsk - firstAnswerAt) / 1000,
  }
}
