import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { ensureDemoAccount } from './demo.ts'
import type { RunJson } from './operator.ts'

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'postern-demo-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'demo-account.json')
}

/** An installation with one account at most; `ran` are the commands that change something. */
function installation(): {
  readonly run: RunJson
  readonly ran: string[]
  readonly leaveSandbox: () => void
} {
  const ran: string[] = []
  const accounts: { clientId: string }[] = []
  let sandbox = false
  const run: RunJson = (args) => {
    const command = args.join(' ')
    if (command === 'account list') return Promise.resolve({ items: accounts })
    if (command === 'trust account show demo-1') return Promise.resolve({ sandbox })
    ran.push(args.slice(0, 3).join(' '))
    if (command.startsWith('account create')) accounts.push({ clientId: 'demo-1' })
    if (command.startsWith('trust account set demo-1 --sandbox --reason')) sandbox = true
    return Promise.resolve({ clientId: 'demo-1', password: 'p' })
  }
  return { run, ran, leaveSandbox: () => (sandbox = false) }
}

test('the account of the demo is one of the sandbox before it has a route, and again when it is not any more', async (t) => {
  const file = fileFor(t)
  const { run, ran, leaveSandbox } = installation()
  await ensureDemoAccount(run, 'k', file)
  assert.deepEqual(ran, ['account create --name', 'trust account set', 'route put sandbox-demo'])
  await ensureDemoAccount(run, 'k', file)
  assert.equal(ran.length, 3, 'nothing is changed twice')
  leaveSandbox()
  await ensureDemoAccount(run, 'k', file)
  assert.deepEqual(ran.slice(3), ['trust account set'])
})
