/**
 * What keeps a push from being turned against our own network: the URL is checked when it is set and before every
 * push, and every address when a connection is made, after the name was resolved. A DNS answer that changes between
 * two looks changes nothing: only the address that is connected to counts.
 */
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { createAddressCheck, type AllowsAddress } from './networks.ts'

export type Resolve = (hostname: string) => Promise<string[]>

export interface GuardSettings {
  readonly allowedNetworks: readonly string[]
  /** Empty: any. */
  readonly ports: readonly number[]
  readonly resolve?: Resolve
}

export interface Guard {
  /** What is wrong with it, in words for its owner; null: nothing. */
  refuseUrl(url: string): string | null
  readonly lookup: LookupFunction
}

export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

const maxUrlLength = 2_000
/** They never lead outside; with networks of the operator's own they may be meant. */
const innerNames = /^(localhost|.*\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa))$/

export function createGuard(settings: GuardSettings): Guard {
  const { allowedNetworks, ports, resolve = createResolve() } = settings
  const allows = createAddressCheck(allowedNetworks)
  return {
    refuseUrl(text) {
      // What URL parsing would drop or read otherwise than the receiver's own tools do.
      if (text.length > maxUrlLength) return `it has more than ${maxUrlLength} characters`
      if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text))
        return 'it holds spaces, backslashes or characters beyond ASCII'
      if (!/^https?:\/\/[^/]/i.test(text)) return 'it must begin with https:// or http://'
      if (!URL.canParse(text)) return 'it is no URL'
      const url = new URL(text)
      if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
        return 'it must hold no user name or password'
      if (url.port === '0' || (ports.length > 0 && !ports.includes(portOf(url))))
        return `its port is not among those that are allowed${ports.length > 0 ? `: ${ports.join(', ')}` : ''}`
      const host = hostOf(url)
      if (isIP(host) !== 0) return allows(host) ? null : 'its address is not a public one'
      const name = host.replace(/\.$/, '')
      if (allowedNetworks.length === 0 && (innerNames.test(name) || !name.includes('.')))
        return 'its host is not a public name'
      return null
    },
    lookup: createLookup(resolve, allows),
  }
}

/** Without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

function createLookup(resolve: Resolve, allows: AllowsAddress): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        // One inner address among public ones is a trick as well.
        const [first] = addresses
        if (first === undefined || !addresses.every(allows))
          return callback(new RefusedAddress('the host leads to an address that is not a public one'), '')
        if (options.all === true)
          return callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        callback(null, first, isIP(first))
      },
      (error: unknown) => callback(error as Error, ''),
    )
  }
}

/**
 * Not getaddrinfo: that occupies one of the process's four threads until it answers, so that a few names whose servers
 * are dead would hold up everybody's.
 */
function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  return async (hostname) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    const [first] = found
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason
    return addresses
  }
}
