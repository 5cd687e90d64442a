import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAudit } from './audit-result.ts'

const response = (severity: string): string =>
  JSON.stringify({
    vulnerabilities: { 'left-pad': { severity } },
    metadata: { vulnerabilities: { [severity]: 1, total: 1 } },
  })

test('a vulnerability of severity high fails the audit; a moderate one is counted', () => {
  assert.deepEqual(readAudit(response('high')), { text: 'audit: 1 high; update left-pad', outcome: 'failed' })
  assert.deepEqual(readAudit(response('moderate')), { text: 'audit: 1 moderate', outcome: 'passed' })
  const none = JSON.stringify({ vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } })
  assert.deepEqual(readAudit(none), { text: 'audit: no known vulnerability', outcome: 'passed' })
})

test('the audit is skipped if the registry refuses or does not respond', () => {
  for (const output of [
    '',
    'not JSON',
    JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 }),
  ]) {
    const { text, outcome } = readAudit(output)
    assert.match(text, /^audit skipped: the registry cannot be reached/)
    assert.equal(outcome, 'skipped')
  }
})
