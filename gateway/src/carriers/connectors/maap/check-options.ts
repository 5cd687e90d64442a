/** Checks options beyond their schemas, and identifies logins. */
import { checkCertificates } from '../http/certificates.ts'
import { listMaapCarriers } from './connector.ts'
import { withoutSlash } from './host.ts'
import { maapCarrierNames, type MaapOptions } from './options.ts'
import type { RelayOptions } from './relay-options.ts'

export function checkMaapOptions(options: MaapOptions): void {
  const { carriers, order } = options
  if (listMaapCarriers(options).length === 0)
    throw new Error('maap options: carriers must have at least one of skt, kt and lgu')
  if (new Set(order).size !== order.length)
    throw new Error('maap options: order must not list a carrier twice')
  for (const name of maapCarrierNames) {
    const host = carriers[name]
    if (host === undefined) continue
    if (!URL.canParse(host.url)) throw new Error(`maap options: carriers.${name}.url must be a valid URL`)
    checkCertificates(host.tls ?? {}, `maap options: carriers.${name}.tls.`)
  }
}

export function checkRelayOptions({ results, webhookToken, url, queryUrl, tls }: RelayOptions): void {
  if (results === 'webhook' && webhookToken === undefined)
    throw new Error('maap-kt options: webhookToken is required with results webhook')
  for (const [field, address] of Object.entries({ url, queryUrl }))
    if (!URL.canParse(address)) throw new Error(`maap-kt options: ${field} must be a valid URL`)
  checkCertificates(tls ?? {}, 'maap-kt options: tls.')
}

/** Includes all hosts, because a number can have been submitted to any of them. */
export function maapLogin(options: MaapOptions): readonly string[] {
  if (options.receiptGroup !== undefined) return [options.receiptGroup]
  return maapCarrierNames.flatMap((name) => {
    const host = options.carriers[name]
    return host === undefined ? [] : [new URL(host.url).host, host.clientId]
  })
}

export function relayLogin({ url, rcsId, receiptGroup }: RelayOptions): readonly string[] {
  if (receiptGroup !== undefined) return [receiptGroup]
  const { host, pathname } = new URL(url)
  return [host, withoutSlash(pathname), rcsId]
}
