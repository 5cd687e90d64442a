/**
 * A TCP proxy between a client and a carrier, one of which is the gateway. Counts the PDUs of both directions
 * by command and status from their headers, records all octets, and can cut the connection. Shares no code
 * with the gateway.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Capture } from './capture.ts'

export interface Tap {
  readonly port: number
  /**
   * PDU counts of the client and of the carrier, by command ID (`0x00000004`), followed by the status if it is
   * not 0 (`0x80000004:0x00000058`).
   */
  readonly sent: ReadonlyMap<string, number>
  readonly received: ReadonlyMap<string, number>
  /** Number of octet sequences that were no PDU. */
  readonly malformed: number
  /** Number of connections so far. */
  readonly connections: number
  cut(): void
  close(): Promise<void>
}

export async function openTap(carrierPort: number, capture: Capture): Promise<Tap> {
  const sent = new Map<string, number>()
  const received = new Map<string, number>()
  const sockets = new Set<Socket>()
  let malformed = 0
  let connections = 0
  const fail = (): void => void (malformed += 1)

  // Each direction ends separately: some clients close theirs before they have read the response to their
  // unbind.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const carrier = connect({ port: carrierPort, host: '127.0.0.1', allowHalfOpen: true })
    const record = capture.connection(++connections)
    for (const [from, to, counts] of [
      [client, carrier, sent],
      [carrier, client, received],
    ] as const) {
      sockets.add(from)
      const read = pduCounter(counts, fail)
      from.on('data', (chunk: Buffer) => {
        read(chunk)
        record(from === client ? 'client' : 'carrier', chunk)
        to.write(chunk)
      })
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    sent,
    received,
    cut,
    get malformed() {
      return malformed
    },
    get connections() {
      return connections
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

const headerBytes = 16
const maxPduBytes = 64 * 1024

function pduCounter(counts: Map<string, number>, onMalformed: () => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= headerBytes) {
      const length = rest.readUInt32BE(0)
      if (length < headerBytes || length > maxPduBytes) {
        onMalformed()
        rest = Buffer.alloc(0)
        return
      }
      if (rest.length < length) return
      const hex = (at: number): string => `0x${rest.readUInt32BE(at).toString(16).padStart(8, '0')}`
      const key = rest.readUInt32BE(8) === 0 ? hex(4) : `${hex(4)}:${hex(8)}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      rest = rest.subarray(length)
    }
  }
}
