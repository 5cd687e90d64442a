/** What the schemas of the options cannot express, and the logins that they name. Called by the registry. Pure. */
import { checkCertificates } from '../certificates.ts'
import { carriersOf } from './connector.ts'
import { withoutSlash } from './host.ts'
import { carrierNames, type MaapOptions } from './options.ts'
import type { RelayOptions } from './relay-options.ts'

export function checkMaapOptions(options: MaapOptions): void {
  const { carriers, order } = options
  if (carriersOf(options).length === 0)
    throw new Error('maap options: carriers must have at least one of skt, kt and lgu')
  if (new Set(order).size !== order.length)
    throw new Error('maap options: order must not name a carrier twice')
  for (const name of carrierNames) {
    const host = carriers[name]
    if (host === undefined) continue
    if (!URL.canParse(host.url)) throw new Error(`maap options: carriers.${name}.url must be an address`)
    checkCertificates(host.tls ?? {}, `maap options: carriers.${name}.tls.`)
  }
}

export function checkRelayOptions({ results, webhookToken, url, queryUrl, tls }: RelayOptions): void {
  if (results === 'webhook' && webhookToken === undefined)
    throw new Error('maap-kt options: webhookToken must be given with results webhook')
  for (const [field, address] of Object.entries({ url, queryUrl }))
    if (!URL.canParse(address)) throw new Error(`maap-kt options: ${field} must be an address`)
  checkCertificates(tls ?? {}, 'maap-kt options: tls.')
}

/** All hosts: a number may have been tried at any of them. */
export function maapLogin(options: MaapOptions): readonly string[] {
  if (options.receiptGroup !== undefined) return [options.receiptGroup]
  return carrierNames.flatMap((name) => {
    const host = options.carriers[name]
    return host === undefined ? [] : [new URL(host.url).host, host.clientId]
  })
}

export function relayLogin({ url, rcsId, receiptGroup }: RelayOptions): readonly string[] {
  if (receiptGroup !== undefined) return [receiptGroup]
  const { host, pathname } = new URL(url)
  return [host, withoutSlash(pathname), rcsId]
}
