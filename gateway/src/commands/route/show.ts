/** `postern route show`: every setting of one route, to read it back. Secrets are masked, defaults are marked. */
import { loadAccounts } from '../../accounts/queries.ts'
import { leaves, showOptions, type ShownOptions } from '../../connectors/show-options.ts'
import type { Queryable } from '../../platform/database.ts'
import { openRules, type Route } from '../../routes/route.ts'
import { withSecrets } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import { findRoute } from './find-route.ts'

/** A certificate is cut; `--json` has all of it. */
const maxShownLength = 200

const standards: Readonly<Partial<Route>> = { ...openRules, enabled: true, priority: 100, partsPerSecond: 0 }

export async function showRoute(invocation: Invocation<SecretSetting>, id: string): Promise<Result> {
  const [route, accounts] = await withSecrets(invocation, async (database, _config, cipher) => {
    const found = await findRoute(database, cipher, id)
    return [found, await namesOf(database, found.accounts)] as const
  })
  const shown = showOptions(route.protocol, route.options)
  const { enabled, channels, protocol, priority, partsPerSecond, owners, prefixes, carriers, weight } = route
  const { minDeliveryRate, failoverAfterSeconds, unknownPolicy, traffic } = route
  return {
    json: {
      ...{ id, enabled, traffic, channels, protocol, ...shown },
      ...{ priority, partsPerSecond, owners, accounts, prefixes, carriers, weight },
      ...{ minDeliveryRate, failoverAfterSeconds, unknownPolicy },
    },
    lines: [
      ...table([
        ['route', id],
        setting(route, 'enabled', enabled ? 'yes' : 'no'),
        ['traffic', traffic],
        ['--protocol', protocol],
        ['--channels', channels.join(',')],
        setting(route, 'priority', String(priority)),
        setting(route, 'partsPerSecond', partsPerSecond === 0 ? '0, unlimited' : String(partsPerSecond)),
        setting(route, 'owners', String(owners)),
        setting(route, 'accounts', listed(accounts)),
        setting(route, 'prefixes', listed(prefixes)),
        setting(route, 'carriers', listed(carriers)),
        setting(route, 'weight', String(weight)),
        setting(route, 'minDeliveryRate', minDeliveryRate === null ? 'never' : String(minDeliveryRate)),
        setting(route, 'failoverAfterSeconds', String(failoverAfterSeconds)),
        setting(route, 'unknownPolicy', unknownPolicy),
      ]),
      ...optionLines(shown),
      '',
      `\`postern route put --help ${protocol}\` explains the options, \`postern route list\` shows whether the route is healthy.`,
    ],
  }
}

async function namesOf(database: Queryable, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const accounts = await loadAccounts(database)
  const names = new Map(accounts.map((account) => [account.id, account.clientId]))
  return ids.map((id) => names.get(id) ?? `account ${id}`)
}

function setting(route: Route, name: keyof Route, value: string): string[] {
  const isDefault = JSON.stringify(route[name]) === JSON.stringify(standards[name])
  const flag =
    name === 'enabled' ? name : `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return [flag, isDefault ? `${value} (default)` : value]
}

function optionLines({ options, defaults }: ShownOptions): string[] {
  const rows = [
    ...leaves(options, '').map(([name, value]) => [name, cut(value)]),
    ...Object.entries(defaults).map(([name, value]) => [name, `${cut(value)} (default)`]),
  ]
  return rows.length === 0 ? [] : ['', '--options', ...table(rows).map((line) => `  ${line}`)]
}

function cut(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'all' : names.join(',')
}
