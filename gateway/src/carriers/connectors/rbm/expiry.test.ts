import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rbmOptions, rcsSubmission } from '../../../../test/support/carriers/rbm.ts'
import { clock } from '../../../platform/time/clock.ts'
import { previewRequest } from '../registry.ts'

const body = {
  from: '15881234',
  to: '01012345678',
  formatId: 'SS000000',
  brandKey: 'BK.acme',
  content: { standalone: { text: '본문' } },
}

/** Returns the milliseconds between Google's last delivery attempt and the deadline of the step. */
function marginOf(stepSeconds: number, leftMs: number, options: object = {}): number {
  const validUntil = new Date(clock.now() + leftMs)
  const submission = rcsSubmission(body, { validUntil, ttlSeconds: stepSeconds })
  const preview = previewRequest('rbm', { ...rbmOptions(options) }, submission)
  const { expireTime } = JSON.parse(preview!.body!) as { expireTime: string }
  return validUntil.getTime() - Date.parse(expireTime)
}

test('Google revokes a message before the deadline of its step', () => {
  assert.equal(marginOf(86_400, 86_400_000), 10_000)
  assert.equal(marginOf(40, 40_000), 10_000)
  assert.equal(marginOf(40, 40_000, { revocationMarginMs: 5_000 }), 5_000)
})

test('a short step keeps three quarters of its time', () => {
  assert.equal(marginOf(20, 20_000), 5_000)
})

test('a message that has waited for most of its time expires at the deadline', () => {
  assert.equal(marginOf(40, 9_000), 0)
})
