/**
 * Which addresses a push may connect to: global unicast, and the networks that the operator has named. Refused are
 * private networks, this machine, cloud metadata services, and IPv4 addresses embedded in IPv6 ones.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** In a public range but internal: Azure's wire server. */
const internalV4: readonly Network[] = [ipaddr.parseCIDR('168.63.129.16/32')]
/** All public IPv6 addresses, and 6to4, Teredo and documentation, which `range` recognizes. */
const globalV6: Network = ipaddr.parseCIDR('2000::/3')

export type AllowsAddress = (address: string) => boolean

export function createAddressCheck(allowedNetworks: readonly string[]): AllowsAddress {
  const allowed = allowedNetworks.map(readNetwork)
  return (address) => {
    // An address with a zone is local to a link.
    if (isIP(address) === 0 || address.includes('%')) return false
    // Not `process`, which unwraps IPv4 embedded in IPv6: such an address is refused whatever it contains.
    const parsed = ipaddr.parse(address)
    if (allowed.some((network) => within(parsed, network))) return true
    if (parsed.range() !== 'unicast') return false
    if (parsed instanceof ipaddr.IPv4) return !internalV4.some((network) => within(parsed, network))
    return within(parsed, globalV6) && !isIsatap(parsed)
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
