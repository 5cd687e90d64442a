import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

/** HTTP server of a peer. It can freeze, refuse connections and resume on the same port. */
export class PeerServer {
  readonly port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #frozen = false

  static async open(handle: Handle): Promise<PeerServer> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new PeerServer(server, handle)
  }

  private constructor(server: Server, handle: Handle) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        if (!this.#frozen) handle(request, response, Buffer.concat(chunks))
      })
    })
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      if (this.#frozen) socket.pause()
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Refuses new connections and closes open ones. */
  async refuseConnections(): Promise<void> {
    const closed = this.#server.listening ? once(this.#server, 'close') : undefined
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  freeze(): void {
    this.#frozen = true
    for (const socket of this.#sockets) socket.pause()
  }

  async resume(): Promise<void> {
    this.#frozen = false
    for (const socket of this.#sockets) socket.resume()
    if (this.#server.listening) return
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
  }
}
