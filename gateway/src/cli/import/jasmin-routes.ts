/**
 * Converts the MT router of Jasmin to rules of routes: the connectors of accounts and numbers, and their
 * order.
 */
import { readPrefix } from './imported.ts'
import type { JasminFile, JasminObject } from './jasmin-file.ts'

/** One route of the MT router. */
export interface ConnectorUse {
  readonly connectors: readonly string[]
  readonly priority: number
  /** Whether the connectors are tried one after the other; otherwise they share the messages. */
  readonly failover: boolean
  readonly accounts: readonly string[]
  readonly prefixes: readonly string[]
  /** Whether all of its filters could be converted. */
  readonly allFiltersConverted: boolean
  readonly notes: readonly string[]
}

interface Filters {
  readonly accounts: string[]
  readonly prefixes: string[]
  readonly notes: string[]
}

/**
 * Converts the routes of the MT router. Jasmin uses the matching route of the highest order; Postern prefers
 * the lowest priority.
 */
export function readConnectorUses(file: JasminFile, clientIds: ReadonlyMap<string, string>): ConnectorUse[] {
  const routes = file.objects.filter(({ kind, values }) => kind === 'mtrouter' && values.has('type'))
  const order = ({ values }: JasminObject): number => Number(values.get('order') ?? 0)
  return routes
    .toSorted((a, b) => order(b) - order(a))
    .map((route, index) => {
      const found: Filters = { accounts: [], prefixes: [], notes: [] }
      for (const fid of list(route.values.get('filters'))) readFilter(file, fid, clientIds, found)
      return {
        connectors: list(route.values.get('connectors') ?? route.values.get('connector')).flatMap(
          parseConnector,
        ),
        // Leaves room for the connectors of a failover.
        priority: (index + 1) * 10,
        failover: route.values.get('type') === 'FailoverMTRoute',
        accounts: found.accounts,
        prefixes: found.prefixes,
        allFiltersConverted: found.notes.length === 0,
        notes: found.notes,
      }
    })
}

function readFilter(
  file: JasminFile,
  fid: string,
  clientIds: ReadonlyMap<string, string>,
  found: Filters,
): void {
  const filter = file.objects.find(({ kind, values }) => kind === 'filter' && values.get('fid') === fid)
  const type = filter?.values.get('type') ?? 'unknown'
  if (type === 'TransparentFilter') return
  const accounts =
    type === 'UserFilter' || type === 'GroupFilter' ? findFilterAccounts(file, filter!, clientIds) : []
  const expression = type === 'DestinationAddrFilter' ? filter!.values.get('destination_addr') : undefined
  const prefixes = expression === undefined ? [] : parsePrefixes(expression)
  // Filters of one route must all match: two lists of one kind cannot be combined.
  if (accounts.length > 0 && found.accounts.length === 0) found.accounts.push(...accounts)
  else if (prefixes.length > 0 && found.prefixes.length === 0) found.prefixes.push(...prefixes)
  else
    found.notes.push(
      `The filter ${fid} (${[type, expression].filter(Boolean).join(' ')}) cannot be converted: the route is disabled`,
    )
}

function findFilterAccounts(
  file: JasminFile,
  { values }: JasminObject,
  clientIds: ReadonlyMap<string, string>,
): string[] {
  const uids =
    values.get('type') === 'UserFilter'
      ? [values.get('uid') ?? '']
      : file.objects
          .filter((object) => object.kind === 'user' && object.values.get('gid') === values.get('gid'))
          .map((user) => user.values.get('uid') ?? user.values.get('username') ?? '')
  return uids.flatMap((uid) => clientIds.get(uid) ?? [])
}

/**
 * Parses `^33`, `^\+33\d+`, `^(33|34).*` and similar expressions; returns an empty list for an expression
 * that is more than a prefix.
 */
function parsePrefixes(expression: string): string[] {
  const [, alternatives] =
    /^\^\(?((?:(?:\\?\+)?\d+)(?:\|(?:\\?\+)?\d+)*)\)?(?:\.\*|\\d[*+]|\[0-9\][*+])?\$?$/.exec(expression) ?? []
  // A complete number is not a prefix: `$` would be ignored.
  if (alternatives === undefined || /\d\)?\$$/.test(expression)) return []
  if (alternatives.includes('|') && !expression.startsWith('^(')) return []
  const prefixes = alternatives.split('|').map((alternative) => readPrefix(alternative.replace('\\', '')))
  return prefixes.every((prefix) => prefix !== undefined) ? prefixes : []
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(';').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
}

/** Parses `smppc(cid)`. */
function parseConnector(text: string): string[] {
  const [, cid] = /^smppc\(([^)]+)\)$/.exec(text) ?? []
  return cid === undefined ? [] : [cid]
}
