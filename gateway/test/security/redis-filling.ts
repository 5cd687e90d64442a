/**
 * `node gateway/test/security/redis-filling.ts`: accounts fill Redis with new Idempotency-Keys of maximum
 * length: one by rejected requests, one by sends to ten recipients with long responses. Each account must
 * stay within its limit in Redis, known keys must get the same response as before, and another account must
 * not notice. Runs its own Redis without `maxmemory`, so that only these limits apply.
 */
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { AccountClient, type Envelope } from '../support/processes/account-client.ts'
import type { HttpResponse } from '../support/processes/json-http.ts'
import { choosePort } from '../../../tools/engines/free-ports.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import { memoryUnder } from '../support/engines/redis-memory.ts'
import { spawnEngine } from '../../../tools/engines/engine-child.ts'
import { programs } from '../../../tools/engines/programs.ts'
import { runTargetAttack } from './attack.ts'

const accountMegabytes = 1
const smsBody = JSON.stringify({ from: '0234567890', to: '01012345678', text: 'x' })
const floods = [
  {
    label: 'refused',
    requests: 3_000,
    path: 'sms',
    body: JSON.stringify({ from: '0234567890', to: 'nobody', text: 'x' }),
  },
  {
    label: 'to ten recipients',
    requests: 1_000,
    path: 'omni',
    body: JSON.stringify({
      destinations: Array.from({ length: 10 }, (_, n) => ({ to: `0101234567${n}` })),
      messageFlow: [{ sms: { from: '0234567890', text: 'x' } }],
      ref: 'r'.repeat(200),
    }),
  },
]

const port = await choosePort()
const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '']
const server = spawnEngine({ command: programs().redis, args }, 'ignore')
const settings = {
  POSTERN_IDEMPOTENCY_MEGABYTES: String(accountMegabytes),
  POSTERN_REDIS_URL: `redis://127.0.0.1:${port}`,
}
await runTargetAttack(settings, async ({ installation, url, wrong, report }) => {
  const { POSTERN_REDIS_URL: redisUrl, POSTERN_QUEUE_PREFIX: prefix } = installation.environment
  const open = async (name: string): Promise<AccountClient> => {
    const client = new AccountClient(url, await createAccount(installation.environment, name))
    await client.login()
    return client
  }
  const post = (
    client: AccountClient,
    key: string,
    path = 'sms',
    body = smsBody,
  ): Promise<HttpResponse<Envelope>> =>
    client.call('POST', `/v1/send/${path}`, body, undefined, { 'idempotency-key': key })
  const attackers = [await open('attacker-0'), await open('attacker-1')]
  const other = await open('other')
  const redis = new Redis(redisUrl!)
  try {
    let before = 0
    for (const [n, { label, requests, path, body }] of floods.entries()) {
      const attacker = attackers[n]!
      const known = await post(attacker, 'known')
      const codes = new Map<string, number>()
      for (let sent = 0; sent < requests; sent += 50) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => post(attacker, randomBytes(127).toString('hex'), path, body)),
        )
        for (const {
          body: { code },
        } of answers)
          codes.set(code, (codes.get(code) ?? 0) + 1)
      }
      const all = await memoryUnder(redis, `${prefix}idempotency`)
      const bytes = all - before
      before = all
      report(
        `${requests} requests, ${label}: ${JSON.stringify(Object.fromEntries(codes))}, ${bytes} bytes in Redis`,
      )
      if (bytes > accountMegabytes * 1e6)
        wrong(`Redis holds ${bytes} bytes of an account whose limit is ${accountMegabytes} MB`)
      if (bytes < accountMegabytes * 5e5) wrong(`${bytes} bytes are not enough to test the limit`)
      if (!codes.has('A020')) wrong('keys beyond the limit were not rejected')
      const repeated = await post(attacker, 'known')
      if (JSON.stringify(repeated.body) !== JSON.stringify(known.body))
        wrong('a known key got another response after the flood')
    }
  } finally {
    redis.disconnect()
  }
  const { httpStatus } = await post(other, 'its-own')
  if (httpStatus !== 200) wrong(`another account got ${httpStatus}`)
})
server.kill()
