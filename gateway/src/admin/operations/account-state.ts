/** What an account has under way, how far it is behind with its reports, and what bounds it: for the page of an account. */
import { families } from '../../accounts/account.ts'
import { requireAccountId } from '../../acts/accounts.ts'
import { readCapUse } from '../../acts/caps.ts'
import { clock } from '../../platform/clock.ts'
import { readOpenOf } from '../../records/ledger/queries.ts'
import { readConsumerLags, readPollLag } from '../../records/feed/lag.ts'
import { reportFeed } from '../../records/reports/queries.ts'
import { reasonForClient } from '../../records/timeline/client.ts'
import { countWaitingOf, maxCountedWaiting, mergeReasons } from '../../records/waiting/count-waiting.ts'
import { readProtection } from '../../trust/abuse/protection.ts'
import { accountKinds } from '../../trust/account-kinds.ts'
import { readAccountTrust } from '../../trust/accounts.ts'
import { clientId, flag, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { defineOperation, reads } from '../operation.ts'
import { Cap } from './protection.ts'

const base = '/admin/v1/accounts/{clientId}'
const reasons = ['owed', 'backlog', 'scheduled', 'retry', 'moved', 'rule', 'queue'] as const

const lagFields = {
  behind: whole('Reports that are not acknowledged'),
  oldestAt: nullable(time('When the oldest of them was made; null when there is none, or it is deleted')),
}
const configured = Object.fromEntries(
  families.map((family) => [family, whole('Requests per second; 0: no limit')]),
) as Record<(typeof families)[number], ReturnType<typeof whole>>

export const accountStateOperations = [
  defineOperation({
    id: 'showAccountState',
    method: 'get',
    path: `${base}/state`,
    tag: 'Accounts',
    summary: 'Show what an account has under way, the lag of its reports, and what bounds it',
    access: reads(),
    client: 'own',
    action: 'account state',
    params: { clientId },
    data: record(
      {
        at: time('When it was read'),
        open: whole('Messages that have not ended'),
        waiting: list(
          record(
            {
              reason: oneOf(
                reasons,
                'Why they wait. To a client what waits for a route is a queue, whatever the reason',
              ),
              count: whole(`Messages; all reasons together are counted up to ${maxCountedWaiting}`),
              oldestAt: time('Since when the oldest of them waits'),
            },
            'What waits for one reason',
          ),
          'Messages that wait for a route or a time, the most first',
        ),
        polling: nullable(
          record(
            {
              ...lagFields,
              batchAt: nullable(time('Since when a batch is fetched and not acknowledged; null: none is')),
            },
            'The poll of reports; null: the account has never polled',
          ),
        ),
        consumers: list(
          record(
            {
              name: text('Name of the consumer'),
              ...lagFields,
              acknowledgedAt: time('When it last acknowledged reports'),
            },
            'A consumer of the report stream',
            { title: 'ReportConsumer' },
          ),
          'Consumers of the report stream',
        ),
        configuredLimits: record(configured, 'Limits of accounts that have none of their own'),
        caps: list(Cap, 'Caps by day and month'),
        countries: list(text('ISO code; *: all countries'), 'Where it may send international messages to'),
        kind: oneOf(accountKinds, 'reseller: it sends for others'),
        sandbox: flag('Whether its messages take sandbox routes alone'),
      },
      'The state of an account',
      { title: 'AccountState' },
    ),
    run: async ({ params }, { database, signed, services: { config } }) => {
      const accountId = await requireAccountId(database, params.clientId)
      // One after the other: the connections for reading are few.
      const counted = await countWaitingOf(database, accountId)
      const waiting = signed.account === null ? counted : mergeReasons(counted, reasonForClient)
      const open = await readOpenOf(database, accountId)
      const polling = await readPollLag(database, reportFeed, accountId)
      const consumers = await readConsumerLags(database, reportFeed, accountId)
      const { caps, countries } = await readProtection(database, accountId)
      const { kind, sandbox } = await readAccountTrust(database, accountId)
      return {
        at: clock.date(),
        open,
        polling,
        consumers,
        kind,
        sandbox,
        countries,
        waiting: waiting.map(({ reason, ...row }) => ({
          ...row,
          reason: reason as (typeof reasons)[number],
        })),
        configuredLimits: {
          send: config.sendLimit,
          report: config.reportLimit,
          file: config.fileLimit,
          form: config.formLimit,
        },
        caps: await readCapUse(database, accountId, caps, config.timeZone),
      }
    },
  }),
]
