/**
 * Which addresses a push may connect to: global unicast, and the networks that the operator has named. Everything that
 * leads inside, to this machine, to a cloud's metadata or to an address hidden in another is refused.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Public by their number, private by their use: Azure's wire server. */
const innerV4: readonly Network[] = [ipaddr.parseCIDR('168.63.129.16/32')]
/** All that is assigned for the public lies here; 6to4, Teredo and documentation too, which `range` names. */
const globalV6: Network = ipaddr.parseCIDR('2000::/3')

export type AllowsAddress = (address: string) => boolean

export function createAddressCheck(allowedNetworks: readonly string[]): AllowsAddress {
  const allowed = allowedNetworks.map(readNetwork)
  return (address) => {
    // Of an address with a zone the zone is as good as private.
    if (isIP(address) === 0 || address.includes('%')) return false
    // Not `process`: an IPv4 address inside an IPv6 one is a disguise, whatever it is.
    const parsed = ipaddr.parse(address)
    if (allowed.some((network) => within(parsed, network))) return true
    if (parsed.range() !== 'unicast') return false
    if (parsed instanceof ipaddr.IPv4) return !innerV4.some((network) => within(parsed, network))
    return within(parsed, globalV6) && !isIsatap(parsed)
  }
}

/** Throws an Error that names the setting's value. */
export function readNetwork(text: string): Network {
  try {
    return ipaddr.parseCIDR(text)
  } catch {
    throw new Error(`'${text}' is no network; write it as 10.0.0.0/8`)
  }
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

/** An IPv4 address as the interface's part: [0200]:5efe:a.b.c.d. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const { parts } = address
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)
}
