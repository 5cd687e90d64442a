import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the client's address: that of the connection, or what the outermost of the operator's `proxyHops`
 * proxies wrote into X-Forwarded-For. Entries to the left of that come from the client and are not trusted.
 * IPv4 addresses are never written as IPv6, and the port that some proxies append is removed: with it, every connection
 * would count as another client.
 */
export function clientAddress(
  request: Pick<FastifyRequest, 'socket' | 'headers'>,
  proxyHops: number,
): string {
  const connectionAddress = request.socket.remoteAddress ?? ''
  if (proxyHops === 0) return unmapped(connectionAddress)
  const header = request.headers['x-forwarded-for']
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  return unmapped(withoutPort(hops.at(-proxyHops)?.trim() || connectionAddress)).slice(0, 64)
}

/** Returns the address in `192.0.2.1:40000`, `[2001:db8::1]:40000` and `[2001:db8::1]`; any other text as it is. */
function withoutPort(text: string): string {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1]
  return address !== undefined && isIP(address) !== 0 ? address : text
}

export function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

/**
 * Returns the /64 network of an IPv6 address, because a client usually owns all 2^64 addresses of one. IPv4
 * addresses are returned as they are.
 */
export function toNetwork(given: string): string {
  const address = unmapped(given)
  if (!isIPv6(address)) return address.slice(0, 64)
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const groups = tail === undefined ? left : [...left, ...zeros, ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
