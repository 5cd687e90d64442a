/**
 * Reads the header of the PROXY protocol, versions 1 and 2, in which a TCP proxy passes on the address of its client:
 * https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt
 */
import { isIP, SocketAddress, type Socket } from 'node:net'

export interface ProxyHeader {
  readonly bytes: number
  /** Null if the proxy names no client, such as for a health check. */
  readonly address: string | null
}

const textSignature = Buffer.from('PROXY ')
const binarySignature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const maxTextBytes = 107
/** Maximum length of a header of version 2. Its parameters are ignored. */
const maxBinaryBytes = 1_024

/**
 * Passes the client address to `onAddress`, and leaves the octets after the header in the socket. Destroys the socket if
 * it does not begin with a valid header within `timeoutMs`.
 */
export function readProxyHeader(
  socket: Socket,
  timeoutMs: number,
  onAddress: (address: string) => void,
): void {
  let octets = Buffer.alloc(0)
  const timer = setTimeout(() => socket.destroy(), timeoutMs)
  socket.once('close', () => clearTimeout(timer))
  socket.on('error', () => undefined)
  socket.on('readable', read)

  function read(): void {
    const chunk = socket.read() as Buffer | null
    if (chunk === null) return
    octets = Buffer.concat([octets, chunk])
    const header = parseProxyHeader(octets)
    if (header === 'incomplete') return
    socket.off('readable', read)
    clearTimeout(timer)
    if (header === 'invalid') return void socket.destroy()
    if (octets.length > header.bytes) socket.unshift(octets.subarray(header.bytes))
    onAddress(header.address ?? socket.remoteAddress ?? '')
  }
}

export function parseProxyHeader(octets: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  if (mayStartWith(octets, textSignature)) return parseText(octets)
  return mayStartWith(octets, binarySignature) ? parseBinary(octets) : 'invalid'
}

function mayStartWith(octets: Buffer, signature: Buffer): boolean {
  const length = Math.min(octets.length, signature.length)
  return octets.subarray(0, length).equals(signature.subarray(0, length))
}

function parseText(octets: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const line = octets.toString('latin1', 0, maxTextBytes)
  const end = line.indexOf('\r\n')
  if (end < 0) return octets.length < maxTextBytes ? 'incomplete' : 'invalid'
  const bytes = end + 2
  const words = line.slice(0, end).split(' ')
  const [, protocol, source = ''] = words
  if (protocol === 'UNKNOWN') return { bytes, address: null }
  const family = protocol === 'TCP4' ? 4 : 6
  if ((family === 6 && protocol !== 'TCP6') || words.length !== 6 || isIP(source) !== family) return 'invalid'
  return { bytes, address: source }
}

/** Commands: 0x20 local, such as a health check; 0x21 proxy. Families: 0x11 TCP over IPv4; 0x21 TCP over IPv6. */
function parseBinary(octets: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  if (octets.length < 16) return 'incomplete'
  const command = octets[12]
  const family = octets[13]
  const length = octets.readUInt16BE(14)
  const bytes = 16 + length
  if ((command !== 0x20 && command !== 0x21) || bytes > maxBinaryBytes) return 'invalid'
  if (octets.length < bytes) return 'incomplete'
  if (command === 0x20 || family === 0) return { bytes, address: null }
  if (family === 0x11 && length >= 12) return { bytes, address: octets.subarray(16, 20).join('.') }
  if (family === 0x21 && length >= 36) return { bytes, address: toIpv6(octets.subarray(16, 32)) }
  return 'invalid'
}

function toIpv6(octets: Buffer): string {
  const groups = octets.toString('hex').match(/.{4}/g)!.join(':')
  return new SocketAddress({ address: groups, family: 'ipv6' }).address
}
