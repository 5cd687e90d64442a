/** Signatures, verified by the published Python library: another program than the one that signs. Needs pip once. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { servicesDirectory } from '../../../scripts/services/places.ts'
import { signedHeaders } from '../../src/webhooks/sign.ts'
import { createSecret } from '../../src/webhooks/webhook.ts'

const version = '1.1.0'
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

function python(): string {
  const folder = join(servicesDirectory(), `standardwebhooks-${version}`)
  const program = join(folder, 'bin/python')
  if (!existsSync(program)) run('python3', ['-m', 'venv', folder])
  run(program, ['-m', 'pip', 'install', '--quiet', `standardwebhooks==${version}`])
  return program
}

test('the Python verifier accepts both secrets while one is replaced, and no other', () => {
  const program = python()
  const [secret, previousSecret, stranger] = [createSecret(), createSecret(), createSecret()]
  const now = new Date()
  const previousUntil = new Date(now.getTime() + 60_000)
  const body = '{"msgKey":"2026111500000012300K3V8Q2M7XDJ4T","reportText":"전달됨 ✓"}'
  const headers = signedHeaders({ secret, previousSecret, previousUntil }, 'an-id-1', body, now)
  const check = (own: string, text = body): string =>
    run(program, ['-c', verify], JSON.stringify({ secret: own, body: text, headers }))
  assert.equal(check(secret), '2026111500000012300K3V8Q2M7XDJ4T')
  assert.equal(check(previousSecret), '2026111500000012300K3V8Q2M7XDJ4T')
  assert.equal(check(stranger), 'refused')
  assert.equal(check(secret, body.replace('2026', '2027')), 'refused')
})
