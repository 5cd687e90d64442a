/**
 * A scripted carrier for tests, misbehaviour included: it responds to bind, enquire_link and unbind automatically unless
 * the script overrides it; the script handles everything else. It uses the codec of the gateway on purpose: independent
 * implementations are in independent-peers.ts.
 */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { EncodableBody } from '../../../src/carriers/smpp/codec.ts'
import { decodePdu, encodePdu } from '../../../src/carriers/smpp/codec.ts'
import { Framer } from '../../../src/carriers/smpp/framer.ts'
import type { PduKind, Pdu, PduOf } from '../../../src/carriers/smpp/pdu.ts'
import { waitFor } from '../wait.ts'

export type Script = { readonly [K in PduKind]?: (pdu: PduOf<K>, session: PeerSession) => void }

export class PeerSession {
  readonly socket: Socket
  readonly received: Pdu[] = []
  closed = false

  constructor(socket: Socket, script: Script) {
    this.socket = socket
    const framer = new Framer(1_048_576)
    socket.on('data', (chunk: Buffer) => {
      framer.push(chunk)
      for (let frame = framer.next(); frame !== null; frame = framer.next()) {
        const pdu = decodePdu(Buffer.from(frame))
        this.received.push(pdu)
        const act = { ...defaults, ...script }[pdu.kind as PduKind] as
          | ((pdu: Pdu, session: PeerSession) => void)
          | undefined
        act?.(pdu, this)
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => (this.closed = true))
  }

  of<K extends PduKind>(kind: K): PduOf<K>[] {
    return this.received.filter((pdu) => pdu.kind === kind) as unknown as PduOf<K>[]
  }

  /** Waits until `count` PDUs of the kind were received, and returns the last of these. */
  async got<K extends PduKind>(kind: K, count = 1): Promise<PduOf<K>> {
    await waitFor(`${count} × ${kind}`, () => this.of(kind).length >= count)
    return this.of(kind)[count - 1]!
  }

  send<K extends PduKind>(
    kind: K,
    commandStatus: number,
    sequence: number,
    body: NoInfer<EncodableBody<K>>,
  ): void {
    this.raw(pduOctets(kind, commandStatus, sequence, body))
  }

  raw(octets: Uint8Array): void {
    this.socket.write(octets)
  }
}

const defaults: Script = {
  bind_transceiver: (pdu, peer) => peer.send('bind_transceiver_resp', 0, pdu.sequence, { systemId: 'peer' }),
  bind_transmitter: (pdu, peer) => peer.send('bind_transmitter_resp', 0, pdu.sequence, { systemId: 'peer' }),
  bind_receiver: (pdu, peer) => peer.send('bind_receiver_resp', 0, pdu.sequence, { systemId: 'peer' }),
  enquire_link: (pdu, peer) => peer.send('enquire_link_resp', 0, pdu.sequence, {}),
  unbind: (pdu, peer) => peer.send('unbind_resp', 0, pdu.sequence, {}),
}

export interface Peer {
  readonly port: number
  readonly sessions: readonly PeerSession[]
  /** Waits for the connection with this number. */
  session(index?: number): Promise<PeerSession>
  close(): Promise<void>
}

/** A function chooses the script of each connection by its index. */
export async function listen(script: Script | ((index: number) => Script) = {}): Promise<Peer> {
  const sessions: PeerSession[] = []
  const server = createServer((socket) => {
    sessions.push(new PeerSession(socket, typeof script === 'function' ? script(sessions.length) : script))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sessions,
    async session(index = 0) {
      await waitFor(`connection ${index}`, () => sessions.length > index)
      return sessions[index]!
    },
    async close() {
      server.close()
      for (const { socket } of sessions) socket.destroy()
      await once(server, 'close')
    },
  }
}

export function pduOctets<K extends PduKind>(
  kind: K,
  commandStatus: number,
  sequence: number,
  body: NoInfer<EncodableBody<K>>,
): Buffer {
  const target = Buffer.alloc(70_000)
  return target.subarray(0, encodePdu(target, 0, kind, commandStatus, sequence, body))
}
