/**
 * `node gateway/test/security/redis-filling.ts`: an account sends requests that are refused, each under a new
 * Idempotency-Key of the greatest length. Redis must hold a bounded amount of it, known keys must be answered as before,
 * and another account must not notice.
 */
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { AccountClient, type Envelope } from '../support/processes/account-client.ts'
import type { HttpAnswer } from '../support/processes/json-http.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import { memoryUnder } from '../support/redis-memory.ts'
import { attack } from './attack.ts'

const maxKeys = 500
const requests = 3_000

await attack({ POSTERN_IDEMPOTENCY_KEYS: String(maxKeys) }, async (target) => {
  const { attacker, installation, url, wrong, report } = target
  const send = (client: AccountClient, key: string, to: string): Promise<HttpAnswer<Envelope>> =>
    client.call('POST', '/v1/send/sms', JSON.stringify({ from: '0234567890', to, text: 'x' }), undefined, {
      'idempotency-key': key,
    })
  const known = await send(attacker, 'known', '01012345678')
  const statuses = new Map<number, number>()
  for (let sent = 0; sent < requests; sent += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send(attacker, randomBytes(127).toString('hex'), 'nobody')),
    )
    for (const { httpStatus } of answers) statuses.set(httpStatus, (statuses.get(httpStatus) ?? 0) + 1)
  }
  const redis = new Redis(installation.environment.POSTERN_REDIS_URL!)
  try {
    const bytes = await memoryUnder(redis, `${installation.environment.POSTERN_QUEUE_PREFIX}idempotency`)
    report(`${requests} requests: ${JSON.stringify(Object.fromEntries(statuses))}, ${bytes} bytes in Redis`)
    if (bytes > maxKeys * 1_500) wrong(`Redis holds ${bytes} bytes for at most ${maxKeys} keys`)
  } finally {
    redis.disconnect()
  }
  if ((statuses.get(429) ?? 0) < requests - maxKeys) wrong('keys beyond the limit were not refused')
  const repeated = await send(attacker, 'known', '01012345678')
  if (JSON.stringify(repeated.body) !== JSON.stringify(known.body))
    wrong('a known key got another answer after the flood')
  const other = new AccountClient(url, await createAccount(installation.environment, 'other'))
  await other.login()
  const { httpStatus } = await send(other, 'its own', '01012345678')
  if (httpStatus !== 200) wrong(`another account was answered ${httpStatus}`)
})
