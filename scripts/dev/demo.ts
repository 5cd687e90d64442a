// The traffic that the sandbox of `npm run dev` shows from the start: an account of its own whose messages all go over a sandbox route of
// its own, one example of every channel, and then one every now and then. It is a sandbox account, so that nothing leaves the machine, even
// when its route is disabled or the database has routes to carriers.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { examplesWith, send, uploadPictures, type Target } from './examples.ts'
import type { RunJson } from './operator.ts'
import type { DevelopmentAccount } from './seed.ts'

const routeId = 'sandbox-demo'
const channels = 'sms,international,mms,rcs,alimtalk,friendtalk,brandmessage'
const everyMs = 15_000

/** Once for a database. */
export async function ensureDemoAccount(
  run: RunJson,
  key: string,
  file: string,
): Promise<DevelopmentAccount> {
  const { items: accounts } = (await run(['account', 'list'], key)) as {
    readonly items: readonly { readonly clientId: string }[]
  }
  if (existsSync(file)) {
    const known = JSON.parse(readFileSync(file, 'utf8')) as DevelopmentAccount
    if (accounts.some(({ clientId }) => clientId === known.clientId)) {
      await keepInSandbox(run, key, known)
      return known
    }
  }
  const created = await run(['account', 'create', '--name', 'Sandbox demo'], key)
  const account = { clientId: String(created['clientId']), password: String(created['password']) }
  await keepInSandbox(run, key, account)
  // One account alone: replies to it have an owner.
  await run(
    [
      ...['route', 'put', routeId, '--protocol', 'sandbox', '--channels', channels],
      ...['--priority', '10', '--accounts', account.clientId],
    ],
    key,
  )
  writeFileSync(file, JSON.stringify(account), { mode: 0o600 })
  return account
}

/** Its messages take routes of the sandbox only. Looks first: each change is a row of the audit log. */
async function keepInSandbox(run: RunJson, key: string, { clientId }: DevelopmentAccount): Promise<void> {
  const { sandbox } = await run(['trust', 'account', 'show', clientId], key)
  if (sandbox !== true)
    await run(['trust', 'account', 'set', clientId, '--sandbox', '--reason', 'development'], key)
}

export interface Demo {
  stop(): void
}

/** Resolves when one example of each channel was accepted. */
export async function startDemo(target: Target, report: (problem: string) => void): Promise<Demo> {
  const examples = examplesWith(await uploadPictures(target))
  for (const example of examples) await send(target, example)
  let next = 0
  let reported = false
  const timer = setInterval(() => {
    send(target, examples[next++ % examples.length]!).catch((error: unknown) => {
      // Such as after its token has ended.
      if (!reported) report((error as Error).message)
      reported = true
    })
  }, everyMs)
  return { stop: () => clearInterval(timer) }
}
