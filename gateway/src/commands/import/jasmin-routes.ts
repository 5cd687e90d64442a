/** The MT router of Jasmin as rules of routes: which connectors serve which accounts and numbers, and in which order. Pure. */
import { readPrefix } from './imported.ts'
import type { JasminFile, JasminObject } from './jasmin-file.ts'

/** One route of the MT router. */
export interface Use {
  readonly connectors: readonly string[]
  readonly priority: number
  /** The connectors are tried one after the other; otherwise they share. */
  readonly failover: boolean
  readonly accounts: readonly string[]
  readonly prefixes: readonly string[]
  /** Whether all of its filters have a counterpart. */
  readonly expressed: boolean
  readonly notes: readonly string[]
}

interface Filters {
  readonly accounts: string[]
  readonly prefixes: string[]
  readonly notes: string[]
}

/** Jasmin takes the route of the highest order that matches, here the lowest priority is preferred. */
export function readUses(file: JasminFile, clientIds: ReadonlyMap<string, string>): Use[] {
  const routes = file.objects.filter(({ kind, values }) => kind === 'mtrouter' && values.has('type'))
  const order = ({ values }: JasminObject): number => Number(values.get('order') ?? 0)
  return routes
    .toSorted((a, b) => order(b) - order(a))
    .map((route, index) => {
      const found: Filters = { accounts: [], prefixes: [], notes: [] }
      for (const fid of list(route.values.get('filters'))) readFilter(file, fid, clientIds, found)
      return {
        connectors: list(route.values.get('connectors') ?? route.values.get('connector')).flatMap(
          connectorOf,
        ),
        // Room for the connectors of a failover in between.
        priority: (index + 1) * 10,
        failover: route.values.get('type') === 'FailoverMTRoute',
        accounts: found.accounts,
        prefixes: found.prefixes,
        expressed: found.notes.length === 0,
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
  const accounts = type === 'UserFilter' || type === 'GroupFilter' ? accountsOf(file, filter!, clientIds) : []
  const expression = type === 'DestinationAddrFilter' ? filter!.values.get('destination_addr') : undefined
  const prefixes = expression === undefined ? [] : prefixesOf(expression)
  // Filters of one route must all match: two lists of one kind cannot be joined.
  if (accounts.length > 0 && found.accounts.length === 0) found.accounts.push(...accounts)
  else if (prefixes.length > 0 && found.prefixes.length === 0) found.prefixes.push(...prefixes)
  else
    found.notes.push(
      `The filter ${fid} (${[type, expression].filter(Boolean).join(' ')}) has no counterpart: the route is disabled`,
    )
}

function accountsOf(
  file: JasminFile,
  { values }: JasminObject,
  clientIds: ReadonlyMap<string, string>,
): string[] {
  const uids =
    values.get('type') === 'UserFilter'
      ? [values.get('uid') ?? '']
      : file.objects
          .filter((one) => one.kind === 'user' && one.values.get('gid') === values.get('gid'))
          .map((user) => user.values.get('uid') ?? user.values.get('username') ?? '')
  return uids.flatMap((uid) => clientIds.get(uid) ?? [])
}

/** `^33`, `^\+33\d+`, `^(33|34).*` and the like; empty for an expression that is more than a beginning. */
function prefixesOf(expression: string): string[] {
  const [, alternatives] =
    /^\^\(?((?:(?:\\?\+)?\d+)(?:\|(?:\\?\+)?\d+)*)\)?(?:\.\*|\\d[*+]|\[0-9\][*+])?\$?$/.exec(expression) ?? []
  // A whole number is no beginning: without what follows it, $ would make it one.
  if (alternatives === undefined || /\d\)?\$$/.test(expression)) return []
  if (alternatives.includes('|') && !expression.startsWith('^(')) return []
  const prefixes = alternatives.split('|').map((one) => readPrefix(one.replace('\\', '')))
  return prefixes.every((prefix) => prefix !== undefined) ? prefixes : []
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(';').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))
}

/** `smppc(cid)`. */
function connectorOf(text: string): string[] {
  const [, cid] = /^smppc\(([^)]+)\)$/.exec(text) ?? []
  return cid === undefined ? [] : [cid]
}
