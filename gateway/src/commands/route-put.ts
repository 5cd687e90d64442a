/** `postern route put`: the whole route, checked before anything is saved; what is left out has its default again. */
import { parseArgs } from 'node:util'
import { loadAccounts } from '../accounts/queries.ts'
import { createConnector } from '../connectors/registry.ts'
import type { Database } from '../platform/database.ts'
import { upsertRoute } from '../routes/queries.ts'
import type { RouteLink, RouteRules } from '../routes/route.ts'
import { UsageError } from './command.ts'
import { print, withDatabase } from './connect.ts'
import { channelNames, listed, wholeNumber } from './route-values.ts'
import { ruleOptions, toRules } from './route-rules.ts'

export async function put(args: string[]): Promise<void> {
  const wanted = readRoute(args)
  await withDatabase((database) => saveRoute(database, wanted))
  print(`route ${wanted.link.id} saved; running workers follow within a second or two`)
}

interface WantedRoute {
  readonly link: RouteLink
  readonly rules: Omit<RouteRules, 'accounts'>
  readonly clientIds: readonly string[]
}

export function readRoute(args: string[]): WantedRoute {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      channels: { type: 'string' },
      protocol: { type: 'string', default: 'smpp' },
      options: { type: 'string' },
      priority: { type: 'string', default: '100' },
      'parts-per-second': { type: 'string', default: '0' },
      disabled: { type: 'boolean', default: false },
      accounts: { type: 'string' },
      ...ruleOptions,
    },
  })
  const [id] = positionals
  if (id === undefined || !/^[a-z0-9][a-z0-9-]{0,31}$/.test(id)) {
    throw new UsageError('a route id of lower-case letters, digits and hyphens is wanted')
  }
  const link: RouteLink = {
    id,
    channels: channelNames(values.channels),
    protocol: values.protocol,
    options: parseOptions(values.protocol, values.options),
    priority: wholeNumber('--priority', values.priority, 0, 1_000_000),
    partsPerSecond: wholeNumber('--parts-per-second', values['parts-per-second'], 0, 1_000_000),
    enabled: !values.disabled,
  }
  checkLink(link)
  return { link, rules: toRules(values), clientIds: listed(values.accounts) }
}

export async function saveRoute(database: Database, { link, rules, clientIds }: WantedRoute): Promise<void> {
  const accounts = await findAccounts(database, clientIds)
  await upsertRoute(database, { ...link, ...rules, accounts })
}

function parseOptions(protocol: string, json: string | undefined): Record<string, unknown> {
  if (json === undefined && protocol === 'sandbox') return {}
  if (json === undefined)
    throw new UsageError('--options is missing: the link as JSON, see docs/add-a-carrier.md')
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch (error) {
    throw new UsageError(`--options is not JSON: ${(error as Error).message}`)
  }
}

/** Building the connector checks every option; nothing is linked before start(). */
function checkLink(link: RouteLink): void {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  try {
    createConnector(link.protocol, link.options, {
      onReceipt: () => Promise.resolve(),
      onLink: () => undefined,
      log: silent,
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function findAccounts(database: Database, clientIds: readonly string[]): Promise<number[]> {
  if (clientIds.length === 0) return []
  const ids = new Map((await loadAccounts(database)).map(({ clientId, id }) => [clientId, id]))
  return clientIds.map((clientId) => {
    const id = ids.get(clientId)
    if (id === undefined)
      throw new UsageError(`there is no account '${clientId}'; \`postern account list\` shows them`)
    return id
  })
}
