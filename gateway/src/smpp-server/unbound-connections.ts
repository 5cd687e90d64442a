/**
 * Connections that are not bound, counted from the moment they are opened, so that those that never finish the TLS handshake count
 * as well: a flood of them, in all or from one network, leaves room for clients.
 */
import type { Socket } from 'node:net'
import { toNetwork, unmapped } from '../api/tokens/address.ts'

const maxUnbound = 200
const maxUnboundOfNetwork = 20

export interface UnboundConnection {
  readonly key: string
  readonly socket: Socket
  /** The client address and its network; empty until they are known. */
  address: string
  network: string
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

  /** Returns null if there are too many, or the socket is closed. `socket` is that of the connection, below TLS. */
  admit(socket: Socket): UnboundConnection | null {
    const key = keyOf(socket)
    if (key === null || this.size >= maxUnbound) return null
    const connection = { key, socket, address: '', network: '' }
    this.#connections.set(key, connection)
    socket.once('close', () => this.leave(connection))
    this.#onChange()
    return connection
  }

  /** Returns false if the network of the address has too many. */
  identify(connection: UnboundConnection, address: string): boolean {
    const network = toNetwork(address)
    const ofNetwork = this.#counts.get(network) ?? 0
    if (ofNetwork >= maxUnboundOfNetwork) return false
    connection.address = unmapped(address)
    connection.network = network
    this.#counts.set(network, ofNetwork + 1)
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
    const left = (this.#counts.get(network) ?? 0) - 1
    if (left > 0) this.#counts.set(network, left)
    else this.#counts.delete(network)
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
