/**
 * Verifies webhook signatures with the published Python library instead of the signing code. Needs pip.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { signedHeaders } from '../../src/edge/webhooks/push/sign.ts'
import { createSecret } from '../../src/edge/webhooks/webhook.ts'
import { installVerifier } from '../load/webhooks/python.ts'

const verify = `
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
given = json.load(sys.stdin)
try:
    print(Webhook(given["secret"]).verify(given["body"], given["headers"])["msgKey"])
except WebhookVerificationError:
    print("refused")
`

function run(program: string, args: string[], input = ''): string {
  const ended = spawnSync(program, args, { encoding: 'utf8', input })
  assert.equal(ended.status, 0, `${program} ${args.join(' ')}\n${ended.stderr}`)
  return ended.stdout.trim()
}

test('the Python verifier accepts only the two secrets of a rotation', () => {
  const program = installVerifier()
  const [secret, previousSecret, stranger] = [createSecret(), createSecret(), createSecret()]
  const now = new Date()
  const previousUntil = new Date(now.getTime() + 60_000)
  const body = '{"msgKey":"2026111500000012300K3V8Q2M7XDJ4T","reportText":"전달됨 ✓"}'
  const headers = signedHeaders({ secret, previousSecret, previousUntil }, 'an-id-1', body, now)
  const check = (key: string, text = body): string =>
    run(program, ['-c', verify], JSON.stringify({ secret: key, body: text, headers }))
  assert.equal(check(secret), '2026111500000012300K3V8Q2M7XDJ4T')
  assert.equal(check(previousSecret), '2026111500000012300K3V8Q2M7XDJ4T')
  assert.equal(check(stranger), 'refused')
  assert.equal(check(secret, body.replace('2026', '2027')), 'refused')
})
