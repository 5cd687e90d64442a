/**
 * Counts what PostgreSQL does for a single SMS, for a single flow whose first step is refused, and for an idle installation.
 * Each message is sent after the report of the one before, so that no batch holds two and the counts do not depend on speed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { upsertRoute } from '../../gateway/src/carriers/routes/queries.ts'
import { openIdleInstallation, linkedRoutes } from '../../gateway/test/load/idle/idle-installation.ts'
import { sender } from '../../gateway/test/load/steady-load.ts'
import type { SendResponse } from '../../gateway/test/support/processes/account-client.ts'
import { testRoute } from '../../gateway/test/support/routes.ts'
import { waitFor } from '../../gateway/test/support/wait.ts'
import { countUsage, enableCounting } from './counters.ts'
import { costOfMessage, type MessageCost, type Usage } from './usage.ts'

export interface MessageCosts {
  readonly sms: MessageCost
  readonly fallback: MessageCost
  readonly idle: Usage
}

const routes = 100
const accounts = 1_000
/** First messages read what processes then remember. */
const warmUpMessages = 5
const messages = 50
/** Longer than the record of a submission takes: a receipt before it would be matched in another way. */
const receiptDelayMs = 20
/** Between the report of a message and the end of the work after it. */
const settleMs = 100
/** A quiet machine needs 50 to 80. The longer a message takes, the more periodic work is beside it. */
const maxMsPerMessage = 150
/** No route of the idle installation has this prefix. */
const prefix = '0109'
const text = '[포스턴] 인증번호는 482913 입니다. 3분 안에 입력해 주세요.'

interface Kind {
  readonly path: string
  /** Reports of a message: one for each step that ended. */
  readonly reports: number
  readonly body: (to: string) => object
}

const sms: Kind = { path: '/v1/send/sms', reports: 1, body: (to: string) => ({ from: sender, to, text }) }
const fallback: Kind = {
  path: '/v1/send/omni',
  reports: 2,
  body: (to: string) => ({
    destinations: [{ to }],
    messageFlow: [
      {
        alimtalk: {
          senderKey: '0123456789abcdef'.repeat(2) + '01234567',
          msgType: 'AT',
          templateCode: 'COST',
          text,
        },
      },
      { sms: { from: sender, text } },
    ],
  }),
}

/** `whileIdle` counts the idle installation as long as the work runs. */
export async function measureMessageCosts(
  serverUrl: string,
  whileIdle: () => Promise<unknown>,
): Promise<MessageCosts> {
  const installation = await openIdleInstallation(routes, accounts, { serverUrl })
  const { base, database, workers, client } = installation
  let failed = true
  try {
    await enableCounting(database)
    const carrier = await base.startSimulator('smsc-cost', '--receipt-delay-ms', String(receiptDelayMs))
    const link = { host: '127.0.0.1', port: carrier.port, systemId: 'cost', window: 50 }
    await upsertRoute(database, testRoute('cost', { options: link, prefixes: [prefix] }))
    const refusing = { behaviour: 'refused', cause: 'spam' }
    await upsertRoute(
      database,
      testRoute('refusing', { protocol: 'sandbox', channels: ['alimtalk'], options: refusing }),
    )
    await waitFor('both routes to be linked', async () => {
      const linked = await Promise.all(workers.map(linkedRoutes))
      return linked.reduce((sum, count) => sum + count, 0) === routes + 2
    })

    const readReports = async (): Promise<number> => {
      const { rows } = await database.query<{ n: number }>(
        'select coalesce(max(last_seq), 0) as n from report_sequences',
      )
      return rows[0]!.n
    }
    let sent = 0
    const sendAlone = async ({ path, body, reports }: Kind, count: number): Promise<void> => {
      for (const end = sent + count; sent < end; sent++) {
        const before = await readReports()
        const to = `${prefix}${String(sent).padStart(3, '0')}1234`
        const answer = await client.call<SendResponse>('POST', path, JSON.stringify(body(to)))
        if (answer.body.code !== 'A000')
          throw new Error(`send refused: ${answer.body.code} ${answer.body.result}`)
        await waitFor('the report', async () => (await readReports()) >= before + reports, { everyMs: 2 })
      }
      await delay(settleMs)
    }
    const measure = async (kind: Kind): Promise<Usage> => {
      await sendAlone(kind, warmUpMessages)
      const usage = await countUsage(database, () => sendAlone(kind, messages))
      const each = (usage.seconds * 1000) / messages
      if (each > maxMsPerMessage)
        throw new Error(
          `a message took ${each.toFixed(0)} ms, more than ${maxMsPerMessage}: the machine is too busy to tell the work of a message from periodic work`,
        )
      return usage
    }
    const idle = await countUsage(database, whileIdle)
    const costs = {
      sms: costOfMessage(await measure(sms), idle, messages),
      fallback: costOfMessage(await measure(fallback), idle, messages),
      idle,
    }
    failed = false
    return costs
  } finally {
    await installation.close(failed)
  }
}
