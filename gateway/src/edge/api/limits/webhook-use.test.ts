import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { createLimiter } from '../../../platform/limiter/limiter.ts'
import { limitWebhookUse } from './webhook-use.ts'

test('an account at its limit does not block the host for others', async () => {
  const limiter = createLimiter({
    redis: undefined,
    keyPrefix: 'test.',
    waitMs: 50,
    metrics: testMetrics(),
    log: silentLog,
  })
  const limitUse = limitWebhookUse(limiter)
  const push = async (account: number): Promise<void> => {
    await limitUse('account', account)
    await limitUse('host', 'hooks.example.com')
  }
  for (let nth = 0; nth < 10; nth++) await push(1)
  for (let nth = 0; nth < 50; nth++) await assert.rejects(push(1), { code: 'A020' })
  for (let nth = 0; nth < 10; nth++) await push(2)
})
