/**
 * Connections that are not bound, counted from the moment they are opened, so that those that never finish the TLS handshake count
 * as well: a flood of them, in all or from one network, leaves room for clients.
 */
import type { Socket } from 'node:net'
import { toNetwork } from '../api/tokens/address.ts'

const maxUnbound = 200
const maxUnboundOfNetwork = 20

export interface UnboundConnection {
  readonly key: string
  readonly network: string
  readonly socket: Socket
}

export class UnboundConnections {
  readonly #onChange: () => void
  /** By the addresses and ports of both ends: the socket of TLS is another object than that of its connection. */
  readonly #connections = new Map<string, UnboundConnection>()
  readonly #counts = new Map<string, number>()

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get size(): number {
    return this.#connections.size
  }

  /** `socket`: of the connection, before TLS. False: there are too many, or it has ended already. */
  admit(socket: Socket): boolean {
    const key = keyOf(socket)
    if (key === null) return false
    const network = toNetwork(socket.remoteAddress!)
    const ofNetwork = this.#counts.get(network) ?? 0
    if (ofNetwork >= maxUnboundOfNetwork || this.size >= maxUnbound) return false
    const connection = { key, network, socket }
    this.#connections.set(key, connection)
    this.#counts.set(network, ofNetwork + 1)
    socket.once('close', () => this.leave(connection))
    this.#onChange()
    return true
  }

  /** Undefined: it was not admitted. */
  find(socket: Socket): UnboundConnection | undefined {
    const key = keyOf(socket)
    return key === null ? undefined : this.#connections.get(key)
  }

  /** It is bound, or has ended. */
  leave(connection: UnboundConnection): void {
    const { key, network } = connection
    if (this.#connections.get(key) !== connection) return
    this.#connections.delete(key)
    const left = this.#counts.get(network)! - 1
    if (left === 0) this.#counts.delete(network)
    else this.#counts.set(network, left)
    this.#onChange()
  }

  /** Those in the TLS handshake have no session that would close them. */
  destroy(): void {
    for (const { socket } of this.#connections.values()) socket.destroy()
  }
}

/** A client may use the same port for connections to two addresses of this server: only both ends together name one. */
function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string | null {
  if (remoteAddress === undefined || remotePort === undefined) return null
  if (localAddress === undefined || localPort === undefined) return null
  return `${remoteAddress}/${remotePort}/${localAddress}/${localPort}`
}
