/**
 * Checks the addresses that routes connect to. Private networks are allowed, because many carriers are reached over a VPN.
 * Loopback, link-local and metadata addresses are not: otherwise anyone who can edit a route could reach services of this
 * machine and the credentials that a cloud provides for it. `POSTERN_ROUTE_NETWORKS` allows networks.
 */
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { environmentName, loadSettings } from '../../../platform/settings/config.ts'
import {
  createAddressCheck,
  createLookup,
  RefusedAddress,
  type AddressFilter,
} from '../../../platform/networks.ts'

const allowedRanges = ['unicast', 'private', 'uniqueLocal', 'carrierGradeNat']
const refusal = `routes must not connect to loopback, link-local or metadata addresses; list the network in ${environmentName('routeNetworks')} to allow it`

export class CarrierAddresses {
  readonly #allows: AddressFilter
  /** The `lookup` option of sockets. */
  readonly lookup: LookupFunction

  constructor() {
    this.#allows = createAddressCheck(loadSettings(['routeNetworks']).routeNetworks ?? [], allowedRanges)
    this.lookup = createLookup(resolve, this.#allows, refusal)
  }

  /** Throws a RefusedAddress. Sockets connect to an IP address without calling `lookup`. */
  requireAllowed(host: string): void {
    if (isIP(host) !== 0 && !this.#allows(host)) throw new RefusedAddress(refusal)
  }
}

/** Resolves with getaddrinfo, because /etc/hosts often names the carriers of a VPN. */
async function resolve(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}
