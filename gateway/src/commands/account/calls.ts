/** The commands of accounts over the admin API. */
import { setTimeout as delay } from 'node:timers/promises'
import type { AdminClient, Item } from '../client/client.ts'
import { printable, type Result } from '../result.ts'
import { blockedResult, stopsResult, unblockedResult } from './block-view.ts'
import { accountResult, accountsResult, type ShownAccount } from './view.ts'

export interface BlockOptions {
  readonly hold?: true
  readonly notice?: string
  readonly wait: boolean
}

export async function listAccounts(admin: AdminClient): Promise<Result> {
  const accounts = await admin.readAll((page) =>
    admin.call('listAccounts', { query: { ...page, order: 'created' } }),
  )
  return accountsResult(accounts.map(toShown))
}

export async function showAccount(admin: AdminClient, clientId: string): Promise<Result> {
  return accountResult(toShown(await admin.call('showAccount', { params: { clientId } })))
}

const toShown = (account: Item<'listAccounts'>): ShownAccount => ({ ...account, mayPoll: account.polling })

export async function listStops(admin: AdminClient, clientId: string): Promise<Result> {
  const { stops } = await admin.call('showAccount', { params: { clientId } })
  return stopsResult(clientId, stops)
}

export async function unblockAccount(admin: AdminClient, clientId: string): Promise<Result> {
  const { resumed } = await admin.call('unblockAccount', {
    params: { clientId },
    body: admin.requireReason(),
  })
  return unblockedResult(clientId, resumed)
}

/** Every process has read the block after `followMs`. A count reads all open messages: `restPerLook` times as long passes before the next. */
const times = { followMs: 2_000, lookEveryMs: 1_000, restPerLook: 4, maxMs: 120_000 }

export async function blockAccount(
  admin: AdminClient,
  clientId: string,
  { hold, notice, wait }: BlockOptions,
): Promise<Result> {
  const began = performance.now()
  const block = await admin.call('blockAccount', {
    params: { clientId },
    body: { hold, notice, ...admin.requireReason() },
  })
  const { submitted, closed, held, open } = block
  if (submitted === null || closed === null || held === null || open === null)
    return blockedResult(block, null)
  let counts = { submitted, closed, held, open }
  let restMs = times.lookEveryMs
  while (wait) {
    await delay(restMs)
    const lookedAt = performance.now()
    const now = await admin.call('showAccountStop', { params: { clientId } }).catch(() => null)
    // The account is blocked, whatever becomes of the counts.
    if (now === null) return blockedResult(block, null)
    restMs = Math.max(times.lookEveryMs, (performance.now() - lookedAt) * times.restPerLook)
    counts = { submitted, closed: now.closed, held: now.held, open: now.open }
    const tookMs = performance.now() - began
    if (tookMs >= times.maxMs || (tookMs >= times.followMs && now.open === 0)) break
    if (now.open > 0)
      process.stderr.write(printable(`${now.closed} ended, ${now.held} held, ${now.open} still open`) + '\n')
  }
  return blockedResult(block, counts)
}
