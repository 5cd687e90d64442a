import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { createAddressCheck, createLookup } from '../../platform/networks.ts'

export type Resolve = (hostname: string) => Promise<string[]>

export interface GuardSettings {
  readonly allowedNetworks: readonly string[]
  /** Empty allows every port. */
  readonly ports: readonly number[]
  /** Allows new URLs that begin with http://; false by default. */
  readonly allowHttp?: boolean
  readonly resolve?: Resolve
}

/**
 * Protects internal networks from pushes (SSRF): checks the URL when it is set and before every push, and every
 * address when a connection is made, after name resolution. A DNS response that changes between two lookups (DNS
 * rebinding) has no effect, because the checked address is the one that is connected to.
 */
export interface Guard {
  /** Returns the reason for the owner if the URL is refused, or null if it is allowed. */
  refuseUrl(url: string): string | null
  /**
   * Checks a URL that is set now: in addition it must begin with https://, unless http is allowed for it. One that was
   * set before stays in use.
   */
  refuseNewUrl(url: string): string | null
  readonly lookup: LookupFunction
}

const maxUrlLength = 2_000
/**
 * Names that are never public. They are allowed if the operator has set networks, because then they may be
 * intended.
 */
const internalNames = /^(localhost|.*\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa))$/

export function createGuard(settings: GuardSettings): Guard {
  const { allowedNetworks, ports, allowHttp = false, resolve = createResolve() } = settings
  const isAllowed = createAddressCheck(allowedNetworks)
  const isPublic = createAddressCheck([])
  const guard: Guard = {
    refuseNewUrl(text) {
      const refusal = guard.refuseUrl(text)
      if (refusal !== null || allowHttp) return refusal
      const url = new URL(text)
      // A push to an address in a network that the operator has allowed stays inside it, so http is allowed.
      const isInside = isIP(getHost(url)) !== 0 && !isPublic(getHost(url))
      return url.protocol === 'https:' || isInside
        ? null
        : 'must begin with https://, because reports hold personal data'
    },
    refuseUrl(text) {
      if (text.length > maxUrlLength)
        return `must have at most ${maxUrlLength} characters, has ${text.length}`
      // Refuse characters that URL parsing drops or that other parsers read differently.
      if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text)) return 'must be ASCII without spaces and backslashes'
      if (!/^https?:\/\/[^/]/i.test(text)) return 'must begin with https:// or http://'
      if (!URL.canParse(text)) return 'must be a URL'
      const url = new URL(text)
      if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
        return 'must not contain a user name or password'
      if (url.port === '0' || (ports.length > 0 && !ports.includes(getPort(url))))
        return `its port is not allowed${ports.length > 0 ? `; allowed: ${ports.join(', ')}` : ''}`
      const host = getHost(url)
      if (isIP(host) !== 0) return isAllowed(host) ? null : 'its address is not public'
      const name = host.replace(/\.$/, '')
      if (allowedNetworks.length === 0 && (internalNames.test(name) || !name.includes('.')))
        return 'its host name is not public'
      return null
    },
    lookup: createLookup(resolve, isAllowed, 'the host name resolves to an address that is not public'),
  }
  return guard
}

/** Returns the host without the brackets of an IPv6 address. */
function getHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function getPort(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/**
 * Resolves names without getaddrinfo, which occupies one of the process's four libuv threads until it
 * returns: a few names with dead servers would delay all others.
 */
function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  return async (hostname) => {
    const lookups = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = lookups.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    const [first] = lookups
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason
    return addresses
  }
}
