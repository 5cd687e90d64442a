/** Routes as `postern route list`, `show` and `explain` print them, over either way. Pure. */
import type { ExplainedRoutes, ExplainRequest } from '../../acts/routes.ts'
import type { ListedShare } from '../../acts/list-routes.ts'
import { flattenOptions, type ShownOptions } from '../../connectors/describe.ts'
import { openRules, type Route } from '../../routes/route.ts'
import { table, type Result } from '../result.ts'

type Shared = Omit<Route, 'accounts' | 'options' | 'channels' | 'unknownPolicy' | 'traffic'>

/** The settings of a route, without its options. */
export interface RouteSettings extends Shared {
  readonly channels: readonly string[]
  readonly traffic: string
  readonly unknownPolicy: string
  /** Client ids. */
  readonly accounts: readonly string[]
}

export interface RouteState extends RouteSettings {
  readonly usable: boolean
  readonly state: string
  readonly shares: readonly ListedShare[]
}

const titles = ['route', 'priority', 'weight', 'protocol', 'pace', 'channels', 'serves', 'worker', 'now']

export function routesResult(routes: readonly RouteState[]): Result {
  return { json: { routes: routes.map(routeJson) }, lines: table([titles, ...routes.flatMap(toRows)]) }
}

/** Without the options of the link: they may hold a password. */
function routeJson(route: RouteState) {
  const { id, enabled, priority, weight, protocol, partsPerSecond, channels, prefixes, carriers } = route
  const { minDeliveryRate, failoverAfterSeconds, unknownPolicy, owners, traffic } = route
  const { usable, state, shares, accounts } = route
  return {
    ...{ id, enabled, traffic, usable, state, worker: shares[0]?.worker ?? null, owners, shares },
    ...{ priority, weight, protocol, partsPerSecond, channels, accounts, prefixes },
    ...{ carriers, minDeliveryRate, failoverAfterSeconds, unknownPolicy },
  }
}

function toRows(route: RouteState): string[][] {
  const { shares } = route
  const rules = [route.accounts, route.prefixes, route.carriers].flatMap((rule) =>
    rule.length === 0 ? [] : [rule.join(',')],
  )
  const row = [
    route.id,
    String(route.priority),
    String(route.weight),
    route.protocol,
    pace(route.partsPerSecond),
    route.channels.join(','),
    rules.length === 0 ? 'all' : rules.join(' '),
    shares.length === 1 ? (shares[0]!.worker ?? '-') : `${shares.length} owners`,
    shares.length === 1 ? withReason(shares[0]!) : route.state,
  ]
  if (shares.length === 1) return [row]
  const sharePace = pace(route.partsPerSecond / shares.length)
  return [
    row,
    ...shares.map((share, index) => [
      ...[`  share ${index + 1}`, '', '', '', sharePace, '', ''],
      ...[share.worker ?? '-', withReason(share)],
    ]),
  ]
}

/** What the carrier or the network says, after `is not linked`. */
function withReason({ state, linkReason }: Pick<ListedShare, 'state' | 'linkReason'>): string {
  return linkReason == null ? state : `${state}: ${linkReason}`
}

function pace(partsPerSecond: number): string {
  return partsPerSecond === 0 ? 'unlimited' : `${Math.round(partsPerSecond * 100) / 100}/s`
}

/** A certificate is cut; `--json` has all of it. */
const maxShownLength = 200

const standards: Readonly<Partial<Record<keyof Route, unknown>>> = {
  ...{ ...openRules, enabled: true, priority: 100, partsPerSecond: 0 },
}

export function settingsResult(route: RouteState, shown: ShownOptions): Result {
  const { id, enabled, channels, protocol, priority, partsPerSecond, owners, prefixes, carriers } = route
  const { minDeliveryRate, failoverAfterSeconds, unknownPolicy, traffic, accounts, weight } = route
  const { options, defaults } = shown
  const { usable, state, shares } = route
  return {
    json: {
      ...{ id, enabled, traffic, usable, state, shares, channels, protocol, options, defaults },
      ...{ priority, partsPerSecond, owners, accounts, prefixes, carriers, weight },
      ...{ minDeliveryRate, failoverAfterSeconds, unknownPolicy },
    },
    lines: [
      ...table([
        ['route', id],
        setting(route, 'enabled', enabled ? 'yes' : 'no'),
        ['traffic', traffic],
        ['now', nowOf(route)],
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
      `\`postern route put --help ${protocol}\` explains the options, \`postern route list\` shows the workers of all routes.`,
    ],
  }
}

/** A reason that several shares have is named once. */
function nowOf({ state, shares }: RouteState): string {
  const reasons = [...new Set(shares.flatMap(({ linkReason }) => linkReason ?? []))]
  return reasons.length === 0 ? state : `${state}: ${reasons.join('; ')}`
}

function setting(route: RouteSettings, name: keyof RouteSettings, value: string): string[] {
  const isDefault = JSON.stringify(route[name]) === JSON.stringify(standards[name])
  const flag =
    name === 'enabled' ? name : `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return [flag, isDefault ? `${value} (default)` : value]
}

function optionLines({ options, defaults }: ShownOptions): string[] {
  const rows = [
    ...flattenOptions(options).map(([name, value]) => [name, cut(value)]),
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

export function explainedResult(
  { account, channel, to }: ExplainRequest,
  { msgKey, route, routes }: ExplainedRoutes,
): Result {
  const lines = table(routes.map(({ id, decision, reason }) => [id, decision, reason]))
  if (route === null)
    lines.push('No route serves this message: it would fail with 90000. Add one with `postern route put`.')
  return { json: { account, channel, to, msgKey, route, routes }, lines }
}
