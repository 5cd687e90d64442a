/** Whoever changes routes reads no secret by that: neither one of the installation nor the stored one of a carrier. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { createTestAdmin } from '../../test/support/admin.ts'

const admin = await createTestAdmin()
const folder = mkdtempSync(join(tmpdir(), 'postern-route-secrets-'))
after(() => rmSync(folder, { recursive: true }))

const http = (secret: string, url = 'https://carrier.example/send') => ({
  channels: ['sms'],
  protocol: 'http',
  enabled: false,
  options: {
    secrets: { k: secret },
    send: { url, headers: { 'X-Key': '{k}' }, fields: { to: '{to}', text: '{text}' } },
    answer: { rules: [{ if: { status: '200' }, outcome: 'accepted' }], id: 'ours' },
  },
})

suite('a reference in the options', () => {
  test('does not name a setting of the gateway', async () => {
    const { status, body } = await admin.call(
      'operator',
      'PUT',
      '/admin/v1/routes/own',
      http('env:POSTERN_DATABASE_URL'),
    )
    assert.deepEqual([status, body.code], [400, 'invalid-request'])
    assert.match(
      body.result,
      /^env:POSTERN_DATABASE_URL is a reference which the options of a route may not use/,
    )
  })

  test('does not tell whether a file that cannot be read exists', async () => {
    const answerTo = async (path: string): Promise<string> => {
      const { status, body } = await admin.call(
        'operator',
        'PUT',
        '/admin/v1/routes/own',
        http(`file:${path}`),
      )
      assert.equal(status, 400)
      return body.result.replaceAll(path, '<path>')
    }
    const long = join(folder, 'long')
    writeFileSync(long, 'x'.repeat(70_000))
    const locked = join(folder, 'locked')
    writeFileSync(locked, 'x')
    chmodSync(locked, 0)
    const missing = await answerTo(join(folder, 'missing'))
    assert.match(missing, /cannot read <path>/)
    assert.equal(await answerTo(folder), missing)
    assert.equal(await answerTo(long), missing)
    // The superuser reads it all the same.
    if (process.getuid?.() !== 0) assert.equal(await answerTo(locked), missing)
  })
})
