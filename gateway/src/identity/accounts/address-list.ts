/** Parses networks in CIDR notation and checks whether an address is in one of them. */
import { BlockList, isIP } from 'node:net'

export type AddressList = (address: string) => boolean

const notation = /^([0-9a-fA-F:.]{2,45})(?:\/(\d{1,3}))?$/

/**
 * Returns the network with its prefix length, or null if the text is not a network. A single address is a
 * network.
 */
export function readNetwork(text: string): string | null {
  const match = notation.exec(text)
  const version = isIP(match?.[1] ?? '')
  if (match === null || version === 0) return null
  const bits = version === 4 ? 32 : 128
  const length = Number(match[2] ?? bits)
  return length <= bits ? `${match[1]!.toLowerCase()}/${length}` : null
}

/** `networks` are results of `readNetwork`. IPv4 addresses in IPv6 form (`::ffff:192.0.2.1`) count as IPv4. */
export function createAddressList(networks: readonly string[]): AddressList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length] = network.split('/')
    list.addSubnet(address, Number(length), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}
