/** One account cannot use up what the others may do with the same host. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { createLimiter } from '../../platform/limiter/limiter.ts'
import { limitWebhookUse } from './webhook-use.ts'

test('an account that proves and tests as often as it may leaves others the host', async () => {
  const limiter = createLimiter({
    ...{ redis: undefined, keyPrefix: 'test.', waitMs: 50, metrics: testMetrics(), log: quietLog },
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
