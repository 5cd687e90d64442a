/** `postern webhook …`: what accounts do by /v1/webhook, done for them by the operator. Secrets are shown once. */
import { parseArgs } from 'node:util'
import { loadAccounts } from '../accounts/queries.ts'
import type { AccountCredentials } from '../accounts/account.ts'
import type { Database } from '../platform/database.ts'
import { Problem } from '../contract/problem.ts'
import { createTimeFormat, type FormatTime } from '../contract/times.ts'
import {
  addWebhook,
  changeWebhook,
  requireWebhook,
  replay,
  rotateSecret,
  testWebhook,
  type WebhookContext,
} from '../webhooks/actions.ts'
import { guardFromConfig } from '../webhooks/from-config.ts'
import { deleteWebhook, readFailures, readWebhooks } from '../webhooks/queries.ts'
import { showFailure, showWebhook } from '../webhooks/schema.ts'
import { readTries } from '../webhooks/try-log.ts'
import { UsageError, type Command } from './command.ts'
import { print, withDatabase } from './connect.ts'
import { grid } from './route-grid.ts'
import { readWebhookSettings, webhookOptions, webhookSettingsUsage } from './webhook-settings.ts'

interface Opened extends WebhookContext {
  readonly formatTime: FormatTime
}

const options = {
  ...webhookOptions,
  account: { type: 'string' },
  secret: { type: 'string' },
  'keep-hours': { type: 'string' },
  'msg-key': { type: 'string' },
  'failed-since': { type: 'string' },
  'all-since': { type: 'string' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']
type Action = (opened: Opened, values: Values, id: string | undefined) => Promise<void>

const actions: Readonly<Record<string, Action>> = {
  async list({ database }, values) {
    const accounts = await loadAccounts(database)
    const only = values.account === undefined ? null : accountOf(accounts, values.account).id
    const webhooks = await readWebhooks(database, only)
    if (webhooks.length === 0) return print('there are no webhooks')
    const rows = webhooks.map((webhook) => [
      ...[webhook.id, accounts.find(({ id }) => id === webhook.accountId)?.clientId ?? '-'],
      webhook.enabled
        ? webhook.failingSince === null
          ? 'enabled'
          : 'failing'
        : `disabled (${webhook.disabledWhy ?? ''})`,
      ...[String(webhook.behind), String(webhook.retrying), String(webhook.givenUp), webhook.url],
    ])
    for (const line of grid([['id', 'account', 'state', 'behind', 'retrying', 'given up', 'url'], ...rows]))
      print(line)
  },
  async add(opened, values) {
    if (values.account === undefined || values.url === undefined)
      throw new UsageError('--account and --url are wanted')
    const { id: accountId } = accountOf(await loadAccounts(opened.database), values.account)
    const settings = { ...readWebhookSettings(values), url: values.url, secret: values.secret }
    const { id, secret } = await addWebhook(opened, accountId, settings)
    print(`webhook  ${id}`)
    print(`secret   ${secret}`)
    print('The secret is not shown again; `postern webhook rotate` makes another.')
  },
  async show({ database, formatTime }, _values, id) {
    const { accountId } = await owned(database, id)
    const webhook = await requireWebhook(database, accountId, id!)
    for (const [name, value] of Object.entries(showWebhook(webhook, formatTime)))
      print(`${name.padEnd(20)} ${String(value)}`)
  },
  async set(opened, values, id) {
    const { accountId } = await owned(opened.database, id)
    await changeWebhook(opened, accountId, id!, readWebhookSettings(values))
    print(`${id!}: changed; the worker that pushes follows within a second or two`)
  },
  async remove({ database }, _values, id) {
    const { accountId } = await owned(database, id)
    await deleteWebhook(database, accountId, id!)
    print(`${id!}: removed; its reports are there by polling and inquiry`)
  },
  async test(opened, _values, id) {
    const { account } = await owned(opened.database, id)
    const { httpStatus, ms, error } = await testWebhook(opened, account, id!, opened.formatTime)
    print(error === '' ? `acknowledged with ${httpStatus ?? 0} after ${ms} ms` : `${error}, after ${ms} ms`)
    if (error !== '') process.exitCode = 1
  },
  async rotate(opened, values, id) {
    const { accountId } = await owned(opened.database, id)
    const hours = values['keep-hours']
    if (hours !== undefined && !(/^\d{1,3}$/.test(hours) && Number(hours) <= 168))
      throw new UsageError('--keep-hours wants a whole number from 0 to 168')
    const keepPreviousHours = hours === undefined ? undefined : Number(hours)
    const given = { secret: values.secret, keepPreviousHours }
    const { secret, previousUntil } = await rotateSecret(opened, accountId, id!, given)
    print(`secret   ${secret}`)
    print(`The one before signs too until ${opened.formatTime(previousUntil)}.`)
  },
  async replay(opened, values, id) {
    const { accountId } = await owned(opened.database, id)
    const choice = {
      msgKey: values['msg-key'],
      failedSince: values['failed-since'],
      allSince: values['all-since'],
    }
    print(`${id!}: ${await replay(opened, accountId, id!, choice)} reports are pushed again`)
  },
  async deliveries({ database, formatTime }, _values, id) {
    await owned(database, id)
    const tries = await readTries(database, id!)
    for (const { at, eventId, httpStatus, ms, error } of tries.toReversed())
      print(`${at}  ${eventId}  ${httpStatus ?? '-'}  ${ms} ms  ${error === '' ? 'acknowledged' : error}`)
    for (const failure of await readFailures(database, id!)) {
      const { eventId, tries: count, retryTime, error } = showFailure(failure, formatTime)
      const next = retryTime === '' ? 'given up' : `again at ${retryTime}`
      print(`not acknowledged: ${eventId} after ${count} tries, ${next}: ${error}`)
    }
  },
}

function accountOf(accounts: readonly AccountCredentials[], clientId: string): AccountCredentials {
  const account = accounts.find((candidate) => candidate.clientId === clientId)
  if (account === undefined)
    throw new UsageError(`there is no account '${clientId}'; \`postern account list\` shows them`)
  return account
}

async function owned(
  database: Database,
  id: string | undefined,
): Promise<{ readonly accountId: number; readonly account: AccountCredentials }> {
  const [webhook] = id === undefined ? [] : await readWebhooks(database, null, id)
  if (webhook === undefined)
    throw new UsageError(
      `${id === undefined ? 'an id is missing' : `there is no webhook '${id}'`}; \`postern webhook list\` shows them`,
    )
  const account = (await loadAccounts(database)).find((candidate) => candidate.id === webhook.accountId)!
  return { accountId: webhook.accountId, account }
}

export const webhook: Command = {
  name: 'webhook',
  usage: `webhook list [--account CLIENT_ID] | add --account CLIENT_ID --url URL ${webhookSettingsUsage} [--secret whsec_…] | show ID | set ID [--url URL] ${webhookSettingsUsage} | remove ID | test ID | rotate ID [--secret whsec_…] [--keep-hours N] | replay ID --msg-key KEY|--failed-since TIME|--all-since TIME | deliveries ID`,
  summary: 'where reports are pushed to',
  async run([name, ...args]) {
    const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined)
      throw new UsageError(name === undefined ? 'an action is missing' : `unknown action '${name}'`)
    const { values, positionals } = parseArgs({ args, allowPositionals: true, allowNegative: true, options })
    await withDatabase(async (database, config) => {
      const opened = {
        database,
        guard: guardFromConfig(config),
        formatTime: createTimeFormat(config.timeZone),
      }
      try {
        await action(opened, values, positionals[0])
      } catch (error) {
        // What a client would be told, told to the operator.
        throw error instanceof Problem ? new UsageError(error.message) : error
      }
    })
  },
}
