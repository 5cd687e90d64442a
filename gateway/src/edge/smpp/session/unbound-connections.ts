import type { Socket } from 'node:net'
import { toNetwork, unmapped } from '../../api/tokens/address.ts'

const maxUnbound = 200
const maxUnboundPerNetwork = 20

export interface UnboundConnection {
  readonly key: string
  readonly socket: Socket
  /** Client address and its network; empty until they are known. */
  address: string
  network: string
}

/**
 * Limits connections that are not bound, in total and per network, so that a flood leaves room for clients. They
 * count from the moment they are opened, including those that never finish the TLS handshake.
 */
export class UnboundConnections {
  readonly #onChange: () => void
  /**
   * Keyed by the addresses and ports of both ends, because the TLS socket is another object than that of its
   * connection.
   */
  readonly #connections = new Map<string, UnboundConnection>()
  readonly #counts = new Map<string, number>()

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get size(): number {
    return this.#connections.size
  }

  /**
   * Returns null if there are too many, or the socket is closed. `socket` is that of the connection, below
   * TLS.
   */
  admit(socket: Socket): UnboundConnection | null {
    const key = keyOf(socket)
    if (key === null || this.size >= maxUnbound) return null
    const connection = { key, socket, address: '', network: '' }
    this.#connections.set(key, connection)
    socket.once('close', () => this.remove(connection))
    this.#onChange()
    return connection
  }

  /** Returns false if the network of the address has too many connections. */
  identify(connection: UnboundConnection, address: string): boolean {
    const network = toNetwork(address)
    const count = this.#counts.get(network) ?? 0
    if (count >= maxUnboundPerNetwork) return false
    connection.address = unmapped(address)
    connection.network = network
    this.#counts.set(network, count + 1)
    return true
  }

  /** Returns undefined if the connection was not admitted. */
  find(socket: Socket): UnboundConnection | undefined {
    const key = keyOf(socket)
    return key === null ? undefined : this.#connections.get(key)
  }

  /** Removes a connection that is bound or has ended. */
  remove(connection: UnboundConnection): void {
    const { key, network } = connection
    if (this.#connections.get(key) !== connection) return
    this.#connections.delete(key)
    const remaining = (this.#counts.get(network) ?? 0) - 1
    if (remaining > 0) this.#counts.set(network, remaining)
    else this.#counts.delete(network)
    this.#onChange()
  }

  /** Closes all unbound connections; those in the TLS handshake have no session that would close them. */
  destroy(): void {
    for (const { socket } of this.#connections.values()) socket.destroy()
  }
}

/**
 * Identifies a connection by both ends, because a client may use one port for connections to two addresses of
 * this server.
 */
function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string | null {
  if (remoteAddress === undefined || remotePort === undefined) return null
  if (localAddress === undefined || localPort === undefined) return null
  return `${remoteAddress}/${remotePort}/${localAddress}/${localPort}`
}
