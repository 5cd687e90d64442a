/** The receivers of docs/guides/webhooks.md accept only callbacks that the gateway signed. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { readBlocks } from './guides/blocks.ts'
import { choosePort } from '../engines/free-ports.ts'
import { waitForCondition } from '../engines/wait-for-condition.ts'
import { projectRoot } from '../engines/paths.ts'

interface Program {
  readonly file: string
  /** A command that succeeds if the program can run. */
  readonly check: readonly [command: string, ...args: string[]]
  readonly command: (port: number) => readonly [command: string, ...args: string[]]
}

const programs: Readonly<Record<string, Program>> = {
  js: {
    file: 'receiver.mjs',
    check: [process.execPath, '--version'],
    command: () => [process.execPath, 'receiver.mjs'],
  },
  python: {
    file: 'receiver.py',
    check: ['python3', '-c', 'import flask'],
    command: (port) => ['python3', '-m', 'flask', '--app', 'receiver', 'run', '--port', String(port)],
  },
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const id = '2026111500000012300K3V8Q2M7XDJ4T-1'
const body = '{"msgKey":"2026111500000012300K3V8Q2M7XDJ4T","reportText":"전달"}'
const blocks = readBlocks(readFileSync(join(projectRoot, 'docs/guides/webhooks.md'), 'utf8'))

function signedHeaders(key: string, at: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign(id, at, body),
  }
}

for (const [language, { file, check, command }] of Object.entries(programs)) {
  const isMissing = spawnSync(check[0], check.slice(1)).status !== 0
  const skip = isMissing && `${check.join(' ')} fails`
  test(`the receiver in ${language} accepts only callbacks signed with its secret`, { skip }, async (t) => {
    const port = await choosePort()
    const folder = mkdtempSync(join(tmpdir(), 'postern-receiver-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const code = blocks.find((block) => block.language === language)!.code
    writeFileSync(join(folder, file), code.replace('8000', String(port)))
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
    const [name, ...args] = command(port)
    const env = { ...process.env, WEBHOOK_SECRET: secret }
    const child = spawn(name, args, { cwd: folder, env, stdio: 'ignore' })
    t.after(async () => {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    })
    const push = async (headers: Record<string, string>): Promise<number> => {
      const request = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
      return (await fetch(`http://127.0.0.1:${port}/reports`, request)).status
    }
    const isUp = () => push({}).then(Boolean, () => false)
    assert.ok(await waitForCondition(30_000, isUp), 'the receiver does not start')

    const now = new Date()
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    const signed = signedHeaders(secret, now)
    const rotated = `${signedHeaders(other, now)['webhook-signature']} ${signed['webhook-signature']}`
    assert.equal(await push(signed), 204)
    assert.equal(await push({ ...signed, 'webhook-signature': rotated }), 204)
    assert.equal(await push(signedHeaders(other, now)), 401)
    assert.equal(await push(signedHeaders(secret, new Date(now.getTime() - 600_000))), 401)
    assert.equal(await push({}), 401)
  })
}
