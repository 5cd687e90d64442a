/** The hosts that a link with some options goes to, for the audit log. Pure. */
import { isIPv6 } from 'node:net'
import type { ConnectorKind } from './kind.ts'
import { completeOptions, markedOptions } from './marked-options.ts'
import type { Options } from './secrets.ts'

/** No host that can be reached has a longer name than 253 characters. */
const maxText = 300

/** In the form in which they are reached, that of submissions first. `options` may be masked; references stay references. */
export function hostsOf(kind: ConnectorKind, options: Options): string[] {
  return [...new Set(Object.values(linkAddresses(kind, options)).map(hostOf))]
}

/** Addresses and names of hosts by path, that of submissions first. */
export function linkAddresses(kind: ConnectorKind, options: Options): Readonly<Record<string, string>> {
  try {
    if (kind.addresses !== undefined) return kind.addresses(completeOptions(kind, options))
  } catch {
    // Options of another version, or of none: they are named as they are.
  }
  const marked = [...markedOptions(kind, options, { mark: 'host', take: 'inner' })]
  return Object.fromEntries(
    marked.flatMap(([path, value]): [string, string][] => (typeof value === 'string' ? [[path, value]] : [])),
  )
}

/** Of a URL, or of the name of a host: `0306.0.2.1` is 198.0.2.1. */
function hostOf(text: string): string {
  const [, given = ''] = /^(?:https?:\/\/)?([^/?#]*)/is.exec(text) ?? []
  const scheme = /^https:/i.test(text) ? 'https' : 'http'
  const url = `${scheme}://${isIPv6(given) ? `[${given}]` : given}/`
  const host = URL.canParse(url) && new URL(url).host !== '' ? new URL(url).host : given
  return host.length <= maxText ? host : `${host.slice(0, maxText / 2)}…${host.slice(-maxText / 2)}`
}
