import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { toNetwork, unmapped } from '../../api/tokens/address.ts'

const maxUnbound = 200
const maxUnboundPerNetwork = 20
/** The rest is kept for networks from which a client has logged in before. */
const maxUnboundUnknown = 100
const maxKnownNetworks = 50_000

export interface UnboundConnection {
  readonly key: string
  readonly socket: Socket
  /** Client address and its network; empty until they are known. */
  address: string
  network: string
  isKnown: boolean
}

/**
 * Limits connections that are not bound, in total, per network, and of networks from which no client has logged in, so that
 * a flood leaves room for clients, also after a restart, when all of them bind again. They count from the moment they are opened, including those that never finish the TLS handshake.
 */
export class UnboundConnections {
  readonly #onChange: () => void
  /**
   * Keyed by the addresses and ports of both ends, because the TLS socket is another object than that of its
   * connection.
   */
  readonly #connections = new Map<string, UnboundConnection>()
  readonly #counts = new Map<string, number>()
  readonly #knownNetworks = new LRUCache<string, true>({ max: maxKnownNetworks })
  #unknown = 0

  constructor(onChange: () => void, knownAddresses: readonly string[]) {
    this.#onChange = onChange
    for (const address of knownAddresses) this.#knownNetworks.set(toNetwork(address), true)
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
    const connection = { key, socket, address: '', network: '', isKnown: true }
    this.#connections.set(key, connection)
    socket.once('close', () => this.remove(connection))
    this.#onChange()
    return connection
  }

  /** Returns false if the network of the address, or all unknown networks together, have too many connections. */
  identify(connection: UnboundConnection, address: string): boolean {
    const network = toNetwork(address)
    const count = this.#counts.get(network) ?? 0
    const isKnown = this.#knownNetworks.has(network)
    if (count >= maxUnboundPerNetwork || (!isKnown && this.#unknown >= maxUnboundUnknown)) return false
    if (!isKnown) this.#unknown += 1
    Object.assign(connection, { address: unmapped(address), network, isKnown })
    this.#counts.set(network, count + 1)
    return true
  }

  /** Removes a connection that is bound, and remembers its network. */
  accept(connection: UnboundConnection): void {
    this.remove(connection)
    this.#knownNetworks.set(connection.network, true)
  }

  /** Returns undefined if the connection was not admitted. */
  find(socket: Socket): UnboundConnection | undefined {
    const key = keyOf(socket)
    return key === null ? undefined : this.#connections.get(key)
  }

  /** Removes a connection that has ended. */
  remove(connection: UnboundConnection): void {
    const { key, network, isKnown } = connection
    if (this.#connections.get(key) !== connection) return
    this.#connections.delete(key)
    const remaining = (this.#counts.get(network) ?? 0) - 1
    if (remaining > 0) this.#counts.set(network, remaining)
    else this.#counts.delete(network)
    if (!isKnown) this.#unknown -= 1
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
