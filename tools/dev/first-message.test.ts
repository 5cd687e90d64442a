import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { shellLines, writeEnvironment } from './first-message.ts'

const environment = {
  PATH: '/bin',
  POSTERN_DATABASE_URL: "postgres://postern:it's $HOME & more@127.0.0.1:5432/postern",
  POSTERN_BROKER_URLS: 'amqp://guest:guest@127.0.0.1:5672,amqp://guest:guest@127.0.0.1:5673',
  POSTERN_REDIS_URL: 'redis://127.0.0.1:6379',
  POSTERN_TOKEN_SECRET: 'for-development-only',
  POSTERN_QUEUE_PREFIX: '',
}
const message = { base: 'http://127.0.0.1:8080', key: 'postern_abc', environment }

test('a shell that sources the file has the address, token and command settings', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-dev-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = writeEnvironment(folder, message)
  const output = execFileSync('/bin/sh', ['-c', `. '${file}'; env -0`], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  })
  const seen = Object.fromEntries(
    output.split('\0').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  assert.equal(seen.POSTERN, message.base)
  assert.equal(seen.TOKEN, message.key)
  const names = ['POSTERN_DATABASE_URL', 'POSTERN_BROKER_URLS', 'POSTERN_REDIS_URL', 'POSTERN_TOKEN_SECRET']
  for (const name of names) assert.equal(seen[name], environment[name as keyof typeof environment])
})

test('empty variables and those that commands do not need are omitted', () => {
  assert.doesNotMatch(shellLines(message), /POSTERN_QUEUE_PREFIX|PATH/)
  const prefixed = { ...message, environment: { ...environment, POSTERN_QUEUE_PREFIX: 'mine.' } }
  assert.match(shellLines(prefixed), /^export POSTERN_QUEUE_PREFIX='mine\.'$/m)
})
