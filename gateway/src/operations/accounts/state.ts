import { endpointFamilies } from '../../identity/accounts/account.ts'
import { requireAccountId } from '../find-account.ts'
import { readCapUse } from '../caps/caps.ts'
import { clock } from '../../platform/time/clock.ts'
import { countOpenMessages } from '../../records/ledger/queries.ts'
import { readConsumerLags, readPollLag } from '../../records/feed/lag.ts'
import { reportFeed } from '../../records/reports/queries.ts'
import { reasonForClient } from '../../records/timeline/client.ts'
import { countAccountWaiting, maxCountedWaiting, mergeReasons } from '../../records/waiting/count-waiting.ts'
import { readProtection } from '../../trust/abuse/protection.ts'
import { accountKinds } from '../../trust/account-kinds.ts'
import { readAccountTrust } from '../../trust/accounts.ts'
import { clientId, flag, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { defineOperation, readAccess } from '../operation.ts'
import { Cap } from '../protection/operations.ts'

const base = '/admin/v1/accounts/{clientId}'
const reasons = ['owed', 'backlog', 'scheduled', 'retry', 'moved', 'rule', 'queue'] as const

const lagFields = {
  behind: whole('Unacknowledged reports'),
  oldestAt: nullable(time('Time of the oldest of them that is still stored; null if none is')),
}
const configured = Object.fromEntries(
  endpointFamilies.map((family) => [
    family,
    whole('Limit per second, counted like the limits of an account; 0 means no limit'),
  ]),
) as Record<(typeof endpointFamilies)[number], ReturnType<typeof whole>>

export const accountStateOperations = [
  defineOperation({
    id: 'showAccountState',
    method: 'get',
    path: `${base}/state`,
    tag: 'Accounts',
    summary: 'Show the open messages, report lag and limits of an account',
    access: readAccess(),
    client: 'own',
    action: 'account state',
    params: { clientId },
    data: record(
      {
        at: time('When it was read'),
        open: whole('Open messages'),
        waiting: list(
          record(
            {
              reason: oneOf(reasons, 'Reason for waiting; clients see every wait for a route as queue'),
              count: whole(`Messages; at most ${maxCountedWaiting} are counted over all reasons`),
              oldestAt: time('Time since which the oldest of them has waited'),
            },
            'Messages that wait for one reason',
          ),
          'Messages that wait for a route or a time, largest count first',
        ),
        polling: nullable(
          record(
            {
              ...lagFields,
              batchAt: nullable(
                time('Time at which the unacknowledged batch was fetched; null if there is none'),
              ),
            },
            'Polling of reports; null if the account has never polled',
          ),
        ),
        consumers: list(
          record(
            {
              name: text('Name of the consumer'),
              ...lagFields,
              acknowledgedAt: time('Time of its last acknowledgement'),
            },
            'A consumer of the report stream',
            { title: 'ReportConsumer' },
          ),
          'Consumers of the report stream',
        ),
        configuredLimits: record(configured, 'Default limits of accounts'),
        caps: list(Cap, 'Caps by day and month'),
        countries: list(
          text('ISO code; * means all countries'),
          'Countries to which it can send international messages',
        ),
        kind: oneOf(accountKinds, 'reseller: sends for others'),
        sandbox: flag('Whether its messages use only sandbox routes'),
      },
      'The state of an account',
      { title: 'AccountState' },
    ),
    run: async ({ params }, { database, signed, services: { config } }) => {
      const accountId = await requireAccountId(database, params.clientId)
      // Queries run one after the other, because few connections are for reading.
      const counted = await countAccountWaiting(database, accountId)
      const waiting = signed.account === null ? counted : mergeReasons(counted, reasonForClient)
      const open = await countOpenMessages(database, accountId)
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
