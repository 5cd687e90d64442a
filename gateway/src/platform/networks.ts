/**
 * Checks the addresses that this process connects to for a client or a carrier, after name resolution: webhooks reach
 * global unicast addresses, routes also private networks. IPv4 addresses embedded in IPv6 ones are refused.
 */
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Cloud metadata services outside link-local networks: Azure, Alibaba, AWS and Google. */
const metadata: readonly Network[] = [
  '168.63.129.16/32',
  '100.100.100.200/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
].map((text) => ipaddr.parseCIDR(text))
/** All public IPv6 addresses, and 6to4, Teredo and documentation, which `range` recognizes. */
const globalV6: Network = ipaddr.parseCIDR('2000::/3')

export type AddressFilter = (address: string) => boolean

export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
  readonly code = 'refused-address'
}

/** `ranges` are names of ipaddr.js. An address of `allowedNetworks` is allowed in any range. */
export function createAddressCheck(allowedNetworks: readonly string[], ranges = ['unicast']): AddressFilter {
  const allowed = allowedNetworks.map(readNetwork)
  return (address) => {
    // An address with a zone is local to a link.
    if (isIP(address) === 0 || address.includes('%')) return false
    // Not `process`, which unwraps IPv4 embedded in IPv6: such an address is refused whatever it contains.
    const parsed = ipaddr.parse(address)
    if (allowed.some((network) => within(parsed, network))) return true
    const range = parsed.range()
    if (!ranges.includes(range) || metadata.some((network) => within(parsed, network))) return false
    if (parsed instanceof ipaddr.IPv4 || range !== 'unicast') return true
    return within(parsed, globalV6) && !isIsatap(parsed)
  }
}

/** Returns a `lookup` of sockets that fails with a RefusedAddress if there is no address or one is not allowed. */
export function createLookup(
  resolve: (hostname: string) => Promise<string[]>,
  allows: AddressFilter,
  refusal: string,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        // One internal address among public ones is an attack as well.
        const [first] = addresses
        if (first === undefined || !addresses.every(allows)) return callback(new RefusedAddress(refusal), '')
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

/** Throws an Error that names the value. */
function readNetwork(text: string): Network {
  try {
    return ipaddr.parseCIDR(text)
  } catch {
    throw new Error(`'${text}' must be a network in CIDR notation, such as 10.0.0.0/8`)
  }
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

/** ISATAP: an IPv4 address as the interface identifier, [0200]:5efe:a.b.c.d. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const { parts } = address
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)
}
